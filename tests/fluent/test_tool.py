"""Tools as people hold them: subclassed, chained, made of functions and of schemas."""

import copy
import functools
import pickle
from types import SimpleNamespace
from typing import Annotated, Any

import pytest

from prismpy import (
    Artifact,
    DefinitionError,
    FunctionTool,
    StringSchema,
    Tool,
    Toolbox,
    ToolCall,
    ToolOutput,
    UnknownProviderError,
    tool,
)

PICTURE = Artifact.from_raw(b"abc", "image/png")


class StoreMemory(Tool):
    """An app's tool."""

    def __init__(self, db: list[str]) -> None:
        self.db = db
        self.as_("store_memory").for_("Remember a fact").with_string_parameter("content", "The fact").using(self)

    def __call__(self, content: str) -> ToolOutput:
        self.db.append(content)
        return ToolOutput("stored", artifacts=[PICTURE])


class Undescribed(Tool):
    """Multiply."""

    def __call__(self, n: Annotated[int, "factor"]) -> int:
        return 3 * n


@tool
def search_docs(query: str, top_k: int = 5) -> dict[str, Any]:
    """Search a local doc index.

    Args:
        query: Search keywords.
        top_k: Max number of hits to return.
    """
    return {"hits": [query] * top_k}


def test_a_subclass_describes_itself_and_runs_in_its_call() -> None:
    """No `super().__init__()` is needed; the handler is the object."""
    db: list[str] = []
    memory = StoreMemory(db)

    assert memory.run({"content": "likes tea"}).artifacts == (PICTURE,)
    assert memory("likes milk").result == "stored"
    assert db == ["likes tea", "likes milk"]


def test_a_subclass_may_leave_everything_to_its_call() -> None:
    """Name, text and parameters are read off the class and its `__call__`."""
    spec = Undescribed().spec

    assert (spec.name, spec.description) == ("undescribed", "Multiply.")
    assert Undescribed().to("json-schema")["properties"] == {"n": {"type": "integer", "description": "factor"}}
    assert Undescribed().run({"n": 2}).text == "6"


class Derived(Undescribed):
    pass


def test_a_subclass_inherits_the_text_of_what_it_runs() -> None:
    """The class that brings `__call__` describes it, for classes below it too."""
    assert (Derived().spec.name, Derived().spec.description) == ("derived", "Multiply.")


def test_instances_of_a_subclass_share_nothing() -> None:
    """Each has its own draft."""
    one, two = StoreMemory([]), StoreMemory([])
    one.as_("other")

    assert (one.spec.name, two.spec.name) == ("other", "store_memory")


def test_a_decorated_function_stays_what_it_was() -> None:
    """It can be called, and keeps its name and docstring."""
    assert search_docs("a", top_k=2) == {"hits": ["a", "a"]}
    assert search_docs.__name__ == "search_docs"
    assert (search_docs.__doc__ or "").startswith("Search a local doc index.")


def test_a_decorated_function_is_a_tool() -> None:
    """Its schema is read off it, and its calls are checked."""
    assert search_docs.to("openai") == {
        "type": "function",
        "function": {
            "name": "search_docs",
            "description": "Search a local doc index.",
            "parameters": {
                "type": "object",
                "properties": {
                    "query": {"type": "string", "description": "Search keywords."},
                    "top_k": {"type": "integer", "description": "Max number of hits to return.", "default": 5},
                },
                "required": ["query"],
                "additionalProperties": False,
            },
        },
    }
    assert search_docs.run('{"query": "é", "top_k": 1}').text == '{"hits": ["é"]}'


def test_the_decorator_takes_a_name_and_a_description() -> None:
    """They stand instead of the function's own."""

    @tool(name="find", description="Find things")
    def search(query: str) -> str:
        """Search."""
        return query

    assert (search.spec.name, search.spec.description) == ("find", "Find things")
    assert search("x") == "x"


def test_a_decorator_in_a_class_binds_on_access() -> None:
    """`self` is no parameter, and each instance has its own."""

    class Desk:
        def __init__(self, factor: int) -> None:
            self.factor = factor

        @tool
        def times(self, n: int) -> int:
            """Multiply."""
            return self.factor * n

    three, four = Desk(3).times, Desk(4).times

    assert [node.name for node in three.spec.parameters.properties or ()] == ["n"]
    assert (three.run({"n": 2}).text, four.run({"n": 2}).text, four(5)) == ("6", "8", 20)
    assert isinstance(Desk.times, FunctionTool)


def test_a_decorator_above_a_classmethod_binds_to_the_class() -> None:
    """Whether it is taken from the class or from an instance."""

    class Desk:
        @tool
        @classmethod
        def make(cls, n: int) -> str:
            """Make some."""
            return f"{n} of {cls.__name__}"

    class Table(Desk): ...

    assert [kind.make.run({"n": 2}).text for kind in (Desk, Desk(), Table)] == ["2 of Desk", "2 of Desk", "2 of Table"]


def test_a_mistake_shows_where_the_decorator_stands() -> None:
    """A parameter without JSON form is refused at once; a name that is not defined yet is waited for."""
    with pytest.raises(DefinitionError, match="tool 'opaque': parameter 'sink': "):

        @tool
        def opaque(sink: Exception) -> None: ...

    @tool
    def early(coin: "Later") -> str:  # type: ignore[name-defined]  # noqa: F821
        return str(coin)

    with pytest.raises(DefinitionError, match="'Later' cannot be evaluated"):
        _ = early.spec
    globals()["Later"] = int
    assert early.run({"coin": 3}).text == "3"
    del globals()["Later"]


class Calculator:
    """Add up."""

    def __call__(self, n: int) -> int:
        return n + 1

    def method(self, n: int) -> int:
        """Add one."""
        return n + 1


SCHEMA = {"type": "object", "properties": {"n": {}}}
MCP_TOOL = SimpleNamespace(name="echo", description=None, inputSchema=SCHEMA)
MCP_2_TOOL = SimpleNamespace(name="echo", description="Say it again", input_schema=SCHEMA)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (StoreMemory([]), "store_memory"),
        (Undescribed, "undescribed"),
        (search_docs, "search_docs"),
        (Calculator(), "calculator"),
        (Calculator().method, "method"),
        (functools.partial(Calculator().method, n=1), "method"),
        (MCP_TOOL, "echo"),
        (MCP_2_TOOL, "echo"),
        ({"name": "echo", "inputSchema": SCHEMA}, "echo"),
        ({"name": "echo", "input_schema": SCHEMA, "cache_control": {"type": "ephemeral"}}, "echo"),
        ({"type": "function", "name": "echo", "parameters": SCHEMA, "strict": False}, "echo"),
        ({"type": "function", "function": {"name": "echo", "parameters": SCHEMA}}, "echo"),
        ({"type": "function", "function": {"name": "echo"}}, "echo"),
    ],
)
def test_anything_that_can_be_a_tool_is_made_one(source: Any, name: str) -> None:
    """Tools, subclasses, functions, methods, partials, callable objects and MCP tools mix."""
    assert Tool.make(source).spec.name == name
    assert [spec.name for spec in Toolbox([source])] == [name]


LISTED = {
    "name": "echo",
    "description": "Say it again",
    "inputSchema": {"type": "object", "properties": {}},
    "annotations": {"readOnlyHint": True},
    "title": "Echo",
}


def test_what_mcp_says_beside_goes_out_again() -> None:
    """A listed tool is what it was; an unknown key is not."""
    assert Tool.make({**LISTED, "unknown": 1}).to("mcp") == LISTED
    assert Tool.make({**LISTED, "title": None}).to("mcp") == {key: LISTED[key] for key in LISTED if key != "title"}


@pytest.mark.parametrize("provider", ["openai", "openai-responses", "anthropic", "mcp"])
def test_what_was_exported_can_be_read(provider: str) -> None:
    """A tool comes back as it was, but for its handler."""
    again = Tool.make(search_docs.to(provider))

    assert again.to("json-schema") == search_docs.to("json-schema")
    assert (again.spec.name, again.spec.description) == (search_docs.spec.name, search_docs.spec.description)


@pytest.mark.parametrize(
    "source",
    [{}, {"name": "x"}, {"name": 3, "inputSchema": SCHEMA}, {"type": "function", "function": 3}, {"type": "function"}],
)
def test_what_lists_no_tool_is_refused(source: Any) -> None:
    """A mapping must have a name, and a schema where its form has one."""
    with pytest.raises(DefinitionError, match="is no tool"):
        Tool.make(source)


def test_making_a_tool_of_a_tool_returns_it() -> None:
    """Nothing is made twice."""
    assert Tool.make(search_docs) is search_docs
    assert Tool.from_function(len, name="length").spec.name == "length"


def test_what_can_be_no_tool_is_refused() -> None:
    """The error says what can."""
    with pytest.raises(
        DefinitionError, match="3 is no tool; pass a Tool, a function, an object with __call__ or an MCP tool"
    ):
        Tool.make(3)


def test_a_subclass_that_needs_arguments_is_passed_as_an_instance() -> None:
    """The error names what it needs."""
    with pytest.raises(DefinitionError, match="StoreMemory needs 'db' to be made; pass an instance of it"):
        Tool.make(StoreMemory)


def test_a_schema_is_taken_as_it_is() -> None:
    """Keywords that prismpy does not know come out again; a handler runs it."""
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"a": {"type": "string", "x-order": 1}},
        "required": [],
        "x-mine": [1],
    }
    foreign = Tool.from_schema("foreign", "From elsewhere", schema, lambda a="x": a)

    assert foreign.to("mcp") == {"name": "foreign", "description": "From elsewhere", "inputSchema": schema}
    assert foreign.run({"a": "b"}).text == "b"


@pytest.mark.parametrize(
    ("schema", "read"),
    [
        ({}, {"type": "object"}),
        ({"properties": {"t": {}}}, {"type": "object", "properties": {"t": {}}}),
        (
            {
                "$ref": "#/$defs/Args",
                "$defs": {
                    "Args": {"type": "object", "properties": {"t": {"$ref": "#/$defs/Tier"}}, "required": ["t"]},
                    "Tier": {"type": "string", "enum": ["free", "pro"]},
                },
            },
            {
                "type": "object",
                "properties": {"t": {"$ref": "#/$defs/Tier"}},
                "required": ["t"],
                "$defs": {
                    "Args": {"type": "object", "properties": {"t": {"$ref": "#/$defs/Tier"}}, "required": ["t"]},
                    "Tier": {"type": "string", "enum": ["free", "pro"]},
                },
            },
        ),
        (
            {"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"$ref": "#/allOf/0"}}, "allOf": [{"type": "object", "maxProperties": 3}]},
            {
                "type": "object",
                "maxProperties": 3,
                "$defs": {"a/b": {"$ref": "#/allOf/0"}},
                "allOf": [{"type": "object", "maxProperties": 3}],
            },
        ),
    ],
)  # fmt: skip
def test_a_root_that_means_an_object_becomes_one(schema: Any, read: Any) -> None:
    """What the root only implies, or refers to, is said in place."""
    assert Tool.from_schema("t", "", schema).to("json-schema") == read


@pytest.mark.parametrize(
    ("schema", "path", "message"),
    [
        ({"type": "array"}, "$", "the schema describes no object; arguments need a root of type 'object', so wrap it in one"),
        ({"anyOf": [{"type": "object"}, {"type": "null"}]}, "$", "the schema describes no object"),
        ({"type": ["object", "null"]}, "$", "the schema describes no object"),
        (True, "$", "the schema describes no object"),
        ({"$ref": "#"}, "$.$ref", "the root refers to '#', which leads to no object; describe it in place"),
        (
            {"$ref": "#/$defs/a", "properties": {"b": {}}, "$defs": {"a": {"type": "object", "properties": {"a": {}}}}},
            "$.$ref",
            "the root refers to '#/$defs/a' and says more beside it; describe it in one place",
        ),
        ({"$ref": "#/$defs/a", "$defs": {"a": True}}, "$.$ref", "the root refers to '#/$defs/a' and says more"),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}, "$.$ref", "the root refers to '#/$defs/a', which"),
        ({"type": "object", "properties": {"a": {"type": "strin"}}}, "$.properties.a.type", "$.properties.a.type is no valid"),
    ],
)  # fmt: skip
def test_a_root_that_is_no_object_is_refused(schema: Any, path: str, message: str) -> None:
    """Arguments are an object; the error names the tool and the path."""
    with pytest.raises(DefinitionError) as caught:
        Tool.from_schema("t", "", schema)

    assert (caught.value.path, caught.value.tool) == (path, "t")
    assert str(caught.value).startswith(f"tool 't': {message}")


def test_a_tool_shows_itself_as_a_signature() -> None:
    """The representation reads like a function, for drafts and broken tools too."""
    weather = (
        Tool.as_("weather").with_string_parameter("city").with_enum_parameter("unit", "", ["c", "f"], required=False)
    )

    assert repr(weather) == '<Tool weather(city: string, unit?: "c" | "f")>'
    assert repr(Tool.as_("t").with_object_parameter("o", "", [StringSchema("a")])) == "<Tool t(o: {a?: string})>"
    assert repr(Undescribed()) == "<Undescribed undescribed(n: integer)>"
    assert repr(Tool.as_("now").using(lambda: "t")) == "<Tool now()>"
    assert repr(Tool()) == "<Tool (no name)()>"
    assert repr(Tool.as_("t").using(lambda a: a).with_string_parameter("b")) == "<Tool t(b: string)>"


def test_an_output_can_be_edited_without_touching_the_tool() -> None:
    """Two exports share nothing, nor do two tools without parameters."""
    now, then = tool(lambda: "t", name="now"), tool(lambda: "t", name="then")
    now.to("openai")["function"]["parameters"]["properties"]["x"] = {}

    assert now.to("openai")["function"]["parameters"]["properties"] == {}
    assert then.to("openai")["function"]["parameters"]["properties"] == {}


def test_declared_parameters_are_checked_against_the_handler_when_first_used() -> None:
    """The chain may come in any order; using the tool finds the mismatch."""
    broken = Tool.as_("t").using(lambda a: a).with_string_parameter("b")

    with pytest.raises(DefinitionError, match="tool 't': its handler 'lambda' takes no parameter 'b'; it takes 'a'"):
        broken.to("openai")


def test_a_function_tool_can_be_refined() -> None:
    """A declared parameter wins over the one read off the function."""

    @tool
    def search(query: str, top_k: int = 5) -> str:
        return query

    search.with_enum_parameter("top_k", "How many", [5, 10], default=5)

    assert search.to("json-schema")["properties"] == {
        "query": {"type": "string"},
        "top_k": {"type": "integer", "enum": [5, 10], "description": "How many", "default": 5},
    }


def test_toolboxes_hold_distinct_names() -> None:
    """Two tools of one name are refused when the set is put together."""
    with pytest.raises(DefinitionError, match=r"two tools are called 'search_docs'; rename one with as_\(\)"):
        Toolbox([search_docs, search_docs])


def test_a_toolbox_is_a_collection_of_specs() -> None:
    """It can be iterated, measured, searched, exported and shown."""
    box = Toolbox([search_docs, StoreMemory([])])

    assert (len(box), "search_docs" in box, "gone" in box) == (2, True, False)
    assert box["store_memory"].description == "Remember a fact"
    assert [exported["name"] for exported in box.to("anthropic")] == ["search_docs", "store_memory"]
    assert repr(box) == "Toolbox(search_docs, store_memory)"


def test_a_toolbox_keeps_what_it_was_given() -> None:
    """Editing a tool afterwards does not change what the toolbox offers or runs."""
    greet = Tool.as_("greet").with_string_parameter("name").using(lambda name: f"hi {name}")
    box = Toolbox([greet])
    greet.as_("renamed").using(lambda name: "changed")

    assert box.run([ToolCall("1", "greet", {"name": "Ann"})])[0].text == "hi Ann"


def test_a_tool_without_parameters_says_so_in_full() -> None:
    """`properties` is an object, not missing and not a list."""
    now = Tool.as_("now").for_("Time.").using(lambda: "t")

    assert now.to("openai")["function"]["parameters"] == {
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    }
    assert Tool.from_schema("now", "", {"type": "object"}).to("anthropic")["input_schema"] == {
        "type": "object",
        "properties": {},
    }
    assert Tool.as_("bare").with_parameter(StringSchema("a")).to("mcp")["inputSchema"]["properties"] == {
        "a": {"type": "string"}
    }


def test_attributes_of_an_app_do_not_collide() -> None:
    """A subclass may call its own things what it likes."""

    class Busy(Tool):
        def __init__(self) -> None:
            self._draft = self._completed = self.name = self.description = self.parameters = "mine"
            self.as_("busy").using(self)

        def __call__(self) -> str:
            return self.name

    assert Busy().run().text == "mine"


@pytest.mark.parametrize("tools", [Tool.as_("t"), 3])
def test_a_toolbox_takes_a_list(tools: Any) -> None:
    """A single tool is not one."""
    with pytest.raises(DefinitionError, match=r"a toolbox takes a list of tools, got .*; put it in a list"):
        Toolbox(tools)


class Job:
    def __init__(self, cmd: str) -> None:
        self.cmd = cmd

    def run(self) -> str:
        return "not this one"


class Named:
    def __init__(self) -> None:
        self.to = self.run = self._tool_function = "mine"

    def __call__(self, n: int) -> int:
        return n


def test_a_tool_keeps_its_own_attributes() -> None:
    """Those of the callable it is made of do not take their place."""
    job = Tool.make(Job).run({"cmd": "x"})

    assert isinstance(job.output.result, Job)
    assert Tool.make(Named()).run({"n": 3}).text == "3"
    assert Tool.make(Named()).to("mcp")["name"] == "named"


@tool
def module_level(n: int) -> int:
    return n


def test_tools_can_be_pickled_and_copied() -> None:
    """A decorated function by its name, before and after its first run; a copy of a subclass runs the copy."""
    memory = StoreMemory([])
    memory.run({"content": "x"})
    copied = copy.copy(memory)
    copied.db = []
    copied.run({"content": "y"})

    module_level.run({"n": 1})
    assert pickle.loads(pickle.dumps(module_level)) is module_level  # noqa: S301  # our own
    assert pickle.loads(pickle.dumps(memory)).run({"content": "z"}).text == "stored"  # noqa: S301
    assert (memory.db, copied.db) == (["x"], ["y"])


def test_a_tool_of_a_partial_or_builtin_in_a_class_is_found_there() -> None:
    """What does not bind stays as it is, and has a name."""

    class Desk:
        fixed = tool(functools.partial(module_level, 1), name="fixed")
        length = tool(len)

    assert Desk().fixed is Desk.__dict__["fixed"]
    assert (Desk().length("abc"), Desk().length.__name__, Desk().fixed.__name__) == (3, "len", "module_level")


def test_errors_can_be_copied() -> None:
    """An unknown provider says the same after a pickle."""
    with pytest.raises(UnknownProviderError) as caught:
        module_level.to("x")

    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301
