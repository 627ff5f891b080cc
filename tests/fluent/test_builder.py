"""The chain: every method, whole schemas, and mistakes."""

import enum
from collections.abc import Callable
from typing import Any

import pytest

from prismpy import (
    DefinitionError,
    IntegerSchema,
    NumberSchema,
    ObjectSchema,
    StringSchema,
    Tool,
    UnknownProviderError,
    emit,
)


def test_every_parameter_method_writes_its_schema() -> None:
    """Names, order and options of the chain become the parameters object."""
    booking = (
        Tool.as_("book")
        .for_("Book a table")
        .with_parameter(StringSchema("id", "Guest id"))
        .with_string_parameter(
            "name", "Guest", min_length=1, max_length=80, pattern="^[A-Z]", format="name", examples=["Ann"]
        )
        .with_integer_parameter("seats", "How many", minimum=1, maximum=12)
        .with_number_parameter("budget", "In euros", False, exclusive_minimum=0, multiple_of=0.5, nullable=True)
        .with_boolean_parameter("outside", "In the garden", default=False)
        .with_enum_parameter("meal", "Which", ["lunch", "dinner"], nullable=True)
        .with_array_parameter("dishes", "Wanted", StringSchema("dish", "Its name"), min_items=1, unique_items=True)
        .with_object_parameter("at", "When", [StringSchema("day"), IntegerSchema("hour")], ["day"])
        .with_object_parameter("more", "Anything", [], allow_additional_properties=True, required=False)
        .with_any_of_parameter("table", "Number or name", [IntegerSchema(), StringSchema()], required=False)
        .with_raw_parameter("raw", "As it is", {"type": ["string", "number"], "x-mine": 1})
    )

    assert booking.to("json-schema") == {
        "type": "object",
        "properties": {
            "id": {"type": "string", "description": "Guest id"},
            "name": {
                "type": "string",
                "description": "Guest",
                "minLength": 1,
                "maxLength": 80,
                "pattern": "^[A-Z]",
                "format": "name",
                "examples": ["Ann"],
            },
            "seats": {"type": "integer", "description": "How many", "maximum": 12, "minimum": 1},
            "budget": {
                "type": ["number", "null"],
                "description": "In euros",
                "multipleOf": 0.5,
                "exclusiveMinimum": 0,
            },
            "outside": {"type": "boolean", "description": "In the garden", "default": False},
            "meal": {"type": ["string", "null"], "enum": ["lunch", "dinner", None], "description": "Which"},
            "dishes": {
                "type": "array",
                "description": "Wanted",
                "items": {"type": "string", "description": "Its name"},
                "minItems": 1,
                "uniqueItems": True,
            },
            "at": {
                "type": "object",
                "description": "When",
                "properties": {"day": {"type": "string"}, "hour": {"type": "integer"}},
                "required": ["day"],
                "additionalProperties": False,
            },
            "more": {"type": "object", "description": "Anything", "properties": {}, "additionalProperties": True},
            "table": {"description": "Number or name", "anyOf": [{"type": "integer"}, {"type": "string"}]},
            "raw": {"type": ["string", "number"], "x-mine": 1, "description": "As it is"},
        },
        "required": ["id", "name", "seats", "meal", "dishes", "at", "raw"],
        "additionalProperties": False,
    }


def test_a_chain_is_prisms() -> None:
    """The three ways of adding a number agree."""
    by_method = Tool.as_("t").with_number_parameter("n", "Size", minimum=1)
    by_node = Tool.as_("t").with_parameter(NumberSchema("n", "Size", minimum=1))
    by_json = Tool.as_("t").with_raw_parameter("n", "Size", {"type": "number", "minimum": 1})

    assert by_method.spec == by_node.spec == by_json.spec


def test_behaviour_is_part_of_the_tool() -> None:
    """What is no schema can be read off the spec."""

    def sorry(error: Exception, arguments: Any) -> str:
        return "sorry"

    spec = (
        Tool.as_("t").concurrent().with_timeout(2.5).requires_approval().failed(sorry)
        .with_provider_options("anthropic", cache_control={"type": "ephemeral"})
        .with_provider_options("anthropic", defer_loading=True)
        .spec
    )  # fmt: skip

    assert (spec.concurrent, spec.timeout, spec.requires_approval, spec.on_failure) == (True, 2.5, True, sorry)
    assert spec.provider_options == {"anthropic": {"cache_control": {"type": "ephemeral"}, "defer_loading": True}}
    assert not Tool.as_("t").concurrent().concurrent(False).spec.concurrent
    assert not Tool.as_("t").requires_approval().requires_approval(False).spec.requires_approval


def test_later_edits_do_not_reach_who_holds_the_spec() -> None:
    """A running user of a tool keeps what it was given."""
    tool = Tool.as_("t").with_string_parameter("a")
    held = tool.spec
    tool.as_("other").with_string_parameter("b")

    assert (held.name, [node.name for node in held.parameters.properties or ()]) == ("t", ["a"])
    assert (tool.spec.name, [node.name for node in tool.spec.parameters.properties or ()]) == ("other", ["a", "b"])


def test_starting_on_the_class_starts_anew() -> None:
    """Tools begun on the class share nothing; on an instance the name is set."""
    one, two = Tool.as_("one").with_string_parameter("a"), Tool.as_("two")

    assert two.spec.parameters == ObjectSchema()
    assert one.as_("renamed") is one
    assert one.spec.name == "renamed"


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda t: t.with_string_parameter("a").with_string_parameter("a"), "tool 't': parameter 'a' is declared twice; rename or remove one"),
        (lambda t: t.with_parameter(StringSchema()), "tool 't': StringSchema() has no name; pass a schema such as StringSchema('city', 'Where')"),
        (lambda t: t.with_parameter("a"), "tool 't': 'a' has no name; pass a schema such as StringSchema('city', 'Where')"),
        (lambda t: t.as_(""), "tool 't': as_() got ''; pass a name for the tool"),
        (lambda t: t.as_(3), "tool 't': as_() got 3; pass a name for the tool"),
        (lambda t: t.failed("sorry"), "tool 't': failed() got 'sorry', which cannot be called; pass a function of error and arguments"),
        (lambda t: t.with_array_parameter("a", "", str), "<class 'str'> is no schema; pass a node such as StringSchema('name', 'description')"),
        (lambda t: t.with_any_of_parameter("a", "", [{}]), "{} is no schema; pass a node such as StringSchema('name', 'description')"),
        (lambda t: t.with_object_parameter("a", "", [{}]), "{} is no schema; pass a node such as StringSchema('name', 'description')"),
        (lambda t: t.with_object_parameter("a", "", [StringSchema()]), "tool 't': parameter 'a' has a property without a name; name every schema in properties"),
        (lambda t: t.with_integer_parameter("a", minimum=3, maximum=1), "tool 't': parameter 'a': minimum 3 is more than maximum 1, so no value is right"),
        (lambda t: t.with_enum_parameter("a", "", "abc"), "tool 't': parameter 'a': options are 'abc'; pass a list of them"),
        (lambda t: t.with_enum_parameter("a", "", ["x", "x"]), "tool 't': parameter 'a': options ['x', 'x'] name one twice; remove it"),
        (lambda t: t.with_timeout("3"), "tool 't': with_timeout() got '3'; pass seconds, more than 0"),
        (lambda t: t.using(3), "tool 't': using() got 3, which cannot be called; pass a function or an object with __call__"),
        (lambda t: t.with_timeout(0), "tool 't': with_timeout() got 0; pass seconds, more than 0"),
        (lambda t: t.with_timeout(float("inf")), "tool 't': with_timeout() got inf; pass seconds, more than 0"),
        (lambda t: t.with_object_parameter("o", "", [StringSchema("a")], ["b", "a"]), "tool 't': parameter 'o' requires 'b', no property of it"),
        (
            lambda t: t.with_raw_parameter("r", "", {"type": "strin"}),
            "tool 't': $.properties.r.type is no valid JSON Schema: 'strin' is not valid under any of the given schemas",
        ),
        (lambda t: t.with_enum_parameter("e", "", []), "EnumSchema 'e': enum is []; no value could be right; name at least one option"),
    ],
)  # fmt: skip
def test_mistakes_are_refused_at_the_call_that_makes_them(build: Callable[[Tool], Tool], message: str) -> None:
    """The error names the tool and the parameter, and says what to do."""
    with pytest.raises(DefinitionError) as caught:
        build(Tool.as_("t"))

    assert str(caught.value) == message


def test_using_itself_needs_a_call() -> None:
    """A subclass that passes itself and cannot be called learns what it lacks."""

    class Forgetful(Tool):
        def __init__(self) -> None:
            self.as_("forgetful").using(self)  # type: ignore[arg-type]  # the point of it

    with pytest.raises(DefinitionError, match="which cannot be called; define __call__ in the class"):
        Forgetful()


def test_an_unknown_provider_of_options_is_refused() -> None:
    """A misspelled provider would never be asked for its options."""
    with pytest.raises(UnknownProviderError, match="unknown provider 'antropic'; known are anthropic, "):
        Tool.as_("t").with_provider_options("antropic", strict=True)


def test_optional_and_defaulted_are_not_required() -> None:
    """A default makes a parameter optional, whatever else is said."""
    tool = Tool.as_("t").with_integer_parameter("a", default=0).with_integer_parameter("b", "", False)

    assert emit(tool.spec.parameters).get("required") is None


def test_definitions_of_a_raw_parameter_move_to_the_root() -> None:
    """References start at the parameters object, so what they lead to stands there."""
    raw = {"$ref": "#/$defs/A", "$defs": {"A": {"type": "string", "minLength": 2}}}
    tool = Tool.as_("t").with_raw_parameter("a", "", raw).with_raw_parameter("b", "", {"$ref": "#/properties/a"}, False)

    assert tool.to("json-schema") == {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/properties/a"}},
        "required": ["a"],
        "additionalProperties": False,
        "$defs": {"A": {"type": "string", "minLength": 2}},
    }
    assert [problem.path for problem in tool.using(lambda a, b="": a).run({"a": "x", "b": "y"}).problems] == ["a", "b"]
    with pytest.raises(DefinitionError, match=r"tool 't': \$defs has two definitions of 'A'; rename one"):
        tool.with_raw_parameter("c", "", {"$defs": {"A": {"type": "integer"}}})


def test_a_raw_parameter_is_copied() -> None:
    """What happens to the schema later does not matter; tuples in it are lists, as in `from_schema`."""
    raw: dict[str, Any] = {"type": "string", "enum": ("a", "b")}
    tool = Tool.as_("t").with_raw_parameter("x", "", raw)
    raw["enum"] = []

    assert tool.to("json-schema")["properties"] == {"x": {"type": "string", "enum": ["a", "b"]}}
    with pytest.raises(DefinitionError, match=r"^\$\.properties\.x\.minimum: nan is no JSON"):
        tool.with_raw_parameter("x", "", {"minimum": float("nan")})


def test_a_reference_that_leads_nowhere_is_refused_at_first_use() -> None:
    """Only the whole tool knows what its parts refer to."""
    tool = Tool.as_("t").with_raw_parameter("a", "", {"$ref": "#/$defs/gone"})

    with pytest.raises(
        DefinitionError, match=r"tool 't': \$\.properties\.a\.\$ref: '#/\$defs/gone' leads nowhere"
    ) as caught:
        tool.to("openai")
    assert caught.value.path == "$.properties.a.$ref"


class Unit(enum.Enum):
    CELSIUS = "c"
    KELVIN = "k"


def test_an_enum_gives_its_values() -> None:
    """The options of a choice may be the members of an Enum."""
    tool = Tool.as_("t").with_enum_parameter("unit", "", Unit, default="k")

    assert tool.to("json-schema")["properties"]["unit"] == {"type": "string", "enum": ["c", "k"], "default": "k"}


def test_a_default_must_fit_its_parameter() -> None:
    """A default that the schema would refuse is a mistake of the author."""
    tool = Tool.as_("t").with_enum_parameter("unit", "", Unit, default="f")

    with pytest.raises(DefinitionError) as caught:
        tool.to("openai")
    assert str(caught.value) == ('tool \'t\': a default does not fit its parameter: unit: expected "c" | "k", got "f"')


def test_a_crash_policy_is_one_of_three() -> None:
    """A tool may be run again after a crash unless it says otherwise; other words are refused."""
    tool = Tool.as_("t").using(lambda: "")

    assert tool.spec.crash_policy == "at_least_once"
    assert tool.with_crash_policy("at_most_once").spec.crash_policy == "at_most_once"
    with pytest.raises(DefinitionError) as caught:
        tool.with_crash_policy("sometimes")  # type: ignore[arg-type]
    assert str(caught.value) == (
        "tool 't': with_crash_policy() got 'sometimes'; use 'at_least_once', 'at_most_once', 'exactly_once'"
    )
