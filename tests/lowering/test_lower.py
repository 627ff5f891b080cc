"""Compiling schemas to strict subsets, and translating arguments there and back."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prismpy import Change, LoweringError, Tool, tool
from prismpy.lowering import dialect, strict_providers
from prismpy.schema import canonical, compile_schema, emit
from prismpy.types import read
from tests.lowering.forms import COMPILED, JUDGES, Form, answers, readable, without_nulls
from tests.lowering.openai_subset import faults
from tests.strategies import json_values, values_for
from tests.types.test_laws import ANNOTATIONS

STRICT = strict_providers()


def an_object(*required: str, **properties: Any) -> Tool:
    schema = {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
    return Tool.from_schema("t", "", schema)


TEXT = {"type": "string"}
LEFT_OUT = {
    "type": "object",
    "properties": {"left_out": {"type": "boolean", "enum": [True]}},
    "required": ["left_out"],
    "additionalProperties": False,
}
ANY_TEXT = {"type": "string", "description": "Write it as JSON text: any value"}


def entries(value: Any, description: str) -> Any:
    entry = {
        "type": "object",
        "properties": {"name": TEXT, "value": value},
        "required": ["name", "value"],
        "additionalProperties": False,
    }
    return {"type": "array", "items": entry, "description": description}


@pytest.mark.parametrize(
    ("declared", "lowered", "arguments", "sent"),
    [
        ({"type": "string", "minLength": 2, "default": "ab"}, {"type": ["string", "null"], "description": 'at least 2 characters; by default "ab"'}, {"x": "abc"}, {"x": "abc"}),
        ({"type": "string"}, {"type": ["string", "null"]}, {}, {"x": None}),
        ({"type": "string", "enum": ["a", "b"]}, {"type": ["string", "null"], "enum": ["a", "b", None]}, {"x": "a"}, {"x": "a"}),
        ({"type": ["string", "null"], "default": None}, {"type": ["string", "null"], "description": "by default null"}, {"x": None}, {"x": None}),
        ({"type": ["string", "null"]}, {"anyOf": [{"type": ["string", "null"]}, LEFT_OUT]}, {}, {"x": {"left_out": True}}),
        ({"type": ["string", "null"]}, {"anyOf": [{"type": ["string", "null"]}, LEFT_OUT]}, {"x": None}, {"x": None}),
        ({"const": 3}, {"type": ["integer", "null"], "enum": [3, None]}, {"x": 3}, {"x": 3}),
        ({}, {**ANY_TEXT, "type": ["string", "null"]}, {"x": {"a": [1]}}, {"x": '{"a": [1]}'}),
        ({}, {**ANY_TEXT, "type": ["string", "null"]}, {"x": None}, {"x": "null"}),
        (
            {"type": "object", "additionalProperties": {"type": "integer"}},
            {**entries({"type": "integer"}, "One entry for each name"), "type": ["array", "null"]},
            {"x": {"a": 1}},
            {"x": [{"name": "a", "value": 1}]},
        ),
        (
            {"type": "array", "prefixItems": [TEXT, {"type": "integer"}], "minItems": 2, "maxItems": 2},
            {
                "type": ["object", "null"],
                "properties": {"item_1": TEXT, "item_2": {"type": "integer"}},
                "required": ["item_1", "item_2"],
                "additionalProperties": False,
            },
            {"x": ["a", 1]},
            {"x": {"item_1": "a", "item_2": 1}},
        ),
        (
            {"oneOf": [TEXT, {"type": "integer", "maximum": 3}]},
            {"anyOf": [TEXT, {"type": "integer", "maximum": 3}, {"type": "null"}]},
            {"x": 3},
            {"x": 3},
        ),
    ],
)  # fmt: skip
def test_each_shape_is_rewritten_with_its_inverse(declared: Any, lowered: Any, arguments: Any, sent: Any) -> None:
    """The schema is as expected, arguments go there as expected, and come back as they were."""
    low = an_object(x=declared).lower("openai", strict=True)

    assert low.schema["properties"]["x"] == lowered
    assert faults(low.schema) == []
    assert low.encode(arguments) == sent
    assert compile_schema(low.schema)(sent) == ()
    if declared != {"type": ["string", "null"], "default": None}:
        assert low.decode(sent) == arguments


def test_a_meaningful_null_is_kept() -> None:
    """Null for a required property is a value, and 0, false and "" are never dropped."""
    low = an_object("note", note={"type": ["string", "null"]}, n={"type": "integer"}).lower("openai", strict=True)

    assert low.decode({"note": None, "n": None}) == {"note": None}
    assert low.decode({"note": "", "n": 0}) == {"note": "", "n": 0}


def test_branches_that_values_do_not_tell_apart_get_keys() -> None:
    """Where the way back needs to know which branch was meant, it is named."""
    one = {"type": "object", "properties": {"x": {"type": "integer"}}, "additionalProperties": False}
    two = {"type": "object", "properties": {"x": {"type": ["integer", "null"]}}, "additionalProperties": False}
    low = an_object("u", u={"anyOf": [one, two]}).lower("openai", strict=True)
    sent = {"u": {"option_2": {"x": None}}}

    assert faults(low.schema) == []
    assert low.encode({"u": {"x": None}}) == sent
    assert low.decode(sent) == {"u": {"x": None}}


def test_tagged_branches_need_no_keys() -> None:
    """A tag tells which branch a value is of."""

    def branch(op: str) -> Any:
        return {"type": "object", "properties": {"op": {"const": op}, "n": {"type": "integer"}}, "required": ["op"]}

    low = an_object("u", u={"anyOf": [branch("buy"), branch("sell")]}).lower("openai", strict=True)
    sent = low.encode({"u": {"op": "sell"}})

    assert sent == {"u": {"op": "sell", "n": None, "additional_properties": None}}
    assert low.decode(sent) == {"u": {"op": "sell"}}


@pytest.mark.parametrize("value", [{"op": "buy"}, {"op": "sell", "n": 1}, [{"a": 1}], "x", 3, None, {"op": "?"}, {}])
def test_tagged_branches_need_no_keys_beside_others(value: Any) -> None:
    """A value of another type is of the branch that has the type."""
    branches = [closed(op={"const": op}, n={"type": "integer"}) | {"required": ["op"]} for op in ("buy", "sell")]
    low = an_object("u", u={"anyOf": [*branches, {"type": "array", "items": {}}, TEXT]}).lower("openai", strict=True)

    assert [list(branch.get("properties", ())) for branch in low.schema["properties"]["u"]["anyOf"]] == [
        ["op", "n"],
        ["op", "n"],
        [],
        [],
    ]
    assert low.decode(low.encode({"u": value})) == {"u": value}


TREE = {
    "type": "object",
    "properties": {"tree": {"$ref": "#/$defs/Node"}},
    "required": ["tree"],
    "additionalProperties": False,
    "$defs": {
        "Node": {
            "type": "object",
            "properties": {"value": {"type": "integer"}, "kids": {"type": "array", "items": {"$ref": "#/$defs/Node"}}},
            "required": ["value"],
            "additionalProperties": False,
        }
    },
}


@pytest.mark.parametrize("provider", STRICT)
def test_recursion_is_kept_or_unrolled(provider: str) -> None:
    """A tree of any depth gets through; deeper levels are JSON text where the provider knows no recursion."""
    low = Tool.from_schema("t", "", TREE).lower(provider, strict=True)
    deep: Any = {"value": 0}
    for value in range(1, 7):
        deep = {"value": value, "kids": [deep]}

    assert ("$defs" in low.schema) == dialect(provider).strict.recursion
    assert compile_schema(low.schema)(low.encode({"tree": deep})) == ()
    assert low.decode(low.encode({"tree": deep})) == {"tree": deep}


def test_changes_are_data_and_text() -> None:
    """Each names its rule, its place, and what was there before and after."""
    tree = an_object("x", x={"type": "string", "maxLength": 3}, y={"type": "string"}).explain("openai", strict=True)

    assert tree.changes == (
        Change("unsupported-keyword", "$.properties.x.maxLength", 3, "at most 3 characters", lossy=True),
        Change("all-required", "$.properties.y", "optional", "required, null if left out"),
    )
    assert str(tree) == (
        "openai, strict: 2 changes, 1 lossy\n"
        '  $.properties.x.maxLength: unsupported-keyword, told in words only: 3 -> "at most 3 characters"\n'
        '  $.properties.y: all-required: "optional" -> "required, null if left out"'
    )
    assert str(an_object().explain("openai")) == "openai, plain: nothing changes"


def test_loss_can_be_refused() -> None:
    """The error names every place; without strictness nothing is lost."""
    lossy = an_object("x", x={"type": "string", "maxLength": 3})

    with pytest.raises(LoweringError) as caught:
        lossy.to("openai", strict=True, on_loss="raise")
    assert str(caught.value) == (
        "tool 't': openai cannot say $.properties.x.maxLength (unsupported-keyword); "
        "drop it, or allow it with on_loss='describe'"
    )
    assert [change.rule for change in caught.value.changes] == ["unsupported-keyword"]
    assert lossy.to("openai", on_loss="raise") == lossy.to("openai")


def test_strictness_is_chosen_where_nothing_is_lost() -> None:
    """`auto` is strict for a provider that can say it all, and leaves the others alone."""
    plain, lossy = an_object("x", x=TEXT), an_object("x", x={"type": "string", "maxLength": 3})

    assert plain.to("openai", strict="auto") == plain.to("openai", strict=True)
    assert plain.to("openai", strict="auto")["function"]["strict"] is True
    assert lossy.to("openai", strict="auto") == lossy.to("openai")
    assert plain.to("mcp", strict="auto") == plain.to("mcp")
    known = "anthropic, bedrock, mistral, openai, openai-compatible, openai-responses, openai-responses-compatible"
    with pytest.raises(LoweringError, match=f"tool 't': mcp has no strict mode; {known} have one"):
        plain.to("mcp", strict=True)


def test_lowering_twice_is_free() -> None:
    """Equal schemas are compiled once, those that differ in 1 and true are not equal."""
    first, second = an_object(x={"enum": [1]}), an_object(x={"enum": [1]})

    assert first.lower("openai", strict=True) is second.lower("openai", strict=True)
    assert an_object(x={"enum": [True]}).lower("openai", strict=True) is not first.lower("openai", strict=True)


def test_what_was_lowered_can_be_edited() -> None:
    """The next look at it gives the same."""
    low = an_object(x=TEXT).lower("openai", strict=True)
    low.schema["properties"].clear()

    assert list(low.schema["properties"]) == ["x"]


ALL_SHAPES = {
    "type": "object",
    "properties": {
        "map": {"type": "object", "additionalProperties": {"type": "integer"}},
        "pair": {"type": "array", "prefixItems": [TEXT, {}], "minItems": 2, "maxItems": 2},
        "list": {"type": "array", "items": {}},
        "inner": {"type": "object", "properties": {"x": {"type": "array", "items": {}}}},
        "either": {"anyOf": [{"type": "array", "items": {}}, TEXT]},
    },
}


@given(json_values(), st.sampled_from(sorted(ALL_SHAPES["properties"])))
def test_encoding_takes_anything(value: Any, name: str) -> None:
    """It makes JSON of it."""
    for provider in STRICT:
        low = Tool.from_schema("t", "", ALL_SHAPES).lower(provider, strict=True)

        assert answers(low.encode, value)
        assert answers(low.encode, {name: value})


@pytest.mark.parametrize("value", [None, 3, "{", [], [3], {}, {"item_1": 3}, {"option_1": 3}])
@pytest.mark.parametrize("provider", STRICT)
def test_what_does_not_fit_is_left_alone(value: Any, provider: str) -> None:
    """At every place, in both directions."""
    low = Tool.from_schema("t", "", ALL_SHAPES).lower(provider, strict=True)

    for name in ALL_SHAPES["properties"]:
        low.encode({name: value})
        assert canonical(low.decode({name: value})) in {canonical({name: value}), canonical({name: {}}), "{}"}


@pytest.mark.parametrize("value", [float("nan"), {"x": {1}}])
def test_what_is_no_json_is_left_alone(value: Any) -> None:
    """There is nothing to translate it to."""
    low = Tool.from_schema("t", "", ALL_SHAPES).lower("openai", strict=True)

    assert low.encode(value) is low.decode(value) is value


@given(json_values())
def test_decoding_takes_anything(value: Any) -> None:
    """It makes JSON of it."""
    for provider in STRICT:
        assert answers(Tool.from_schema("t", "", TREE).lower(provider, strict=True).decode, value)


@pytest.mark.parametrize("form", COMPILED, ids=str)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(annotation=st.sampled_from(ANNOTATIONS), data=st.data())
def test_law_2_holds_for_every_type(form: Form, annotation: Any, data: st.DataObject) -> None:
    """What the declared schema accepts is accepted once encoded, and comes back as it was."""
    reader = read()
    node = emit(reader.form(annotation).schema)
    root = {"type": "object", "properties": {"a": node, "b": node}, "required": ["a"], "additionalProperties": False}
    low = Tool.from_schema("t", "", {**root, "$defs": reader.definitions}).lower(form.provider, strict=form.strict)
    value = {"a": data.draw(values_for(node, reader.definitions))}
    if data.draw(st.booleans()):
        value["b"] = data.draw(values_for(node, reader.definitions))
    sent = low.encode(value)
    back = low.decode(sent)

    assert compile_schema(readable(low.schema))(sent) == ()
    if form.enforces_all:  # where null stands for a property that is left out and null by default
        back, value = without_nulls(back), without_nulls(value)
    assert canonical(back) == canonical(value)
    assert form.faults(low.schema) == []


def closed(**properties: Any) -> Any:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


@pytest.mark.parametrize("provider", STRICT)
@pytest.mark.parametrize(
    ("schema", "arguments"),
    [
        pytest.param(
            {**closed(a={"anyOf": [closed(x=TEXT), {**closed(y=TEXT), "properties": {"x": TEXT, "y": TEXT}}]})},
            {"a": {"x": "1", "y": "2"}},
            id="a-name-that-another-branch-may-have",
        ),
        pytest.param(
            {
                "type": "object",
                "properties": {
                    "a": {"type": ["object", "null"], "properties": {"left_out": {"type": "boolean"}}},
                },
                "additionalProperties": False,
            },
            {"a": {"left_out": True}},
            id="a-value-that-looks-like-the-mark",
        ),
        pytest.param(
            {
                **closed(a={"$ref": "#/$defs/a-b"}, b={"$ref": "#/$defs/a_b"}),
                "$defs": {
                    "a-b": {"type": "array", "items": {"$ref": "#/$defs/a-b"}},
                    "a_b": {"anyOf": [{"type": "integer"}, closed(more={"$ref": "#/$defs/a_b"})]},
                },
            },
            {"a": [[], [[]]], "b": {"more": {"more": 3}}},
            id="definitions-whose-names-differ-in-signs-only",
        ),
        pytest.param(
            {**closed(a={"$ref": "#/$defs/é"}), "$defs": {"é": {"type": "array", "items": {"$ref": "#/$defs/é"}}}},
            {"a": [[[[[]]]]]},
            id="a-definition-named-beyond-ascii",
        ),
        pytest.param(
            {**closed(a={"$ref": "#/$defs/A"}), "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}},
            None,
            id="a-circle-without-anything-in-it",
        ),
        pytest.param(
            {**closed(a={"$ref": "#there"}), "$defs": {"A": {"$anchor": "there", "type": "integer"}}},
            {"a": 3},
            id="an-anchor",
        ),
        pytest.param(
            {"$schema": "http://json-schema.org/draft-04/schema#", **closed(a={"type": "integer", "minimum": 0, "exclusiveMinimum": True})},
            {"a": 3},
            id="bounds-of-draft-4",
        ),
        pytest.param(closed(a={"enum": [1, 1.0, 2]}), {"a": 1}, id="an-option-twice"),
        pytest.param(closed(a={"enum": [10**400, 2]}), {"a": 10**400}, id="an-option-beyond-every-float"),
        pytest.param(
            {"type": "object", "properties": {"a": TEXT}, "patternProperties": {"^n": {"type": "integer"}}},
            {"a": "x", "n1": 2, "m": [None]},
            id="names-by-pattern",
        ),
        pytest.param(
            {"type": "object", "properties": {"a": TEXT, "additional_properties": TEXT}},
            {"additional_properties": "x", "z": 1},
            id="a-property-named-as-the-rest-would-be",
        ),
    ],
)  # fmt: skip
def test_corners_survive(provider: str, schema: Any, arguments: Any) -> None:
    """What lowering says is a schema of the subset, and the arguments come back as they were."""
    low = Tool.from_schema("t", "", schema).lower(provider, strict=True)

    assert JUDGES[provider, True](low.schema) == []
    if arguments is not None:
        sent = low.encode(arguments)
        assert compile_schema(low.schema)(sent) == ()
        assert canonical(low.decode(sent)) == canonical(arguments)


def test_what_multiplies_is_cut() -> None:
    """References to references can double at every step; the rest becomes JSON text."""
    wide = {f"p{i}": {"$ref": "#/$defs/D1"} for i in range(40)}
    definitions = {f"D{i}": closed(**{f"p{k}": {"$ref": f"#/$defs/D{i + 1}"} for k in range(40)}) for i in range(1, 6)}
    schema = {**closed(**wide), "$defs": {**definitions, "D6": TEXT}}

    assert len(json.dumps(Tool.from_schema("t", "", schema).lower("openai", strict=True).schema)) < 10_000_000


def test_json_text_tells_what_it_must_hold() -> None:
    """A demand that only words can say is a loss, and is said in full where nothing shorter does."""
    low = an_object("x", x={"not": {"const": 3}}).lower("openai", strict=True)

    assert low.schema["properties"]["x"] == {
        "type": "string",
        "description": 'Write it as JSON text: valid under the JSON Schema {"not": {"const": 3}}',
    }
    assert [(change.rule, change.lossy) for change in low.changes] == [("json-text", True)]
    assert [change.lossy for change in an_object("x", x=True).lower("openai", strict=True).changes] == [False]


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', "NaN", "[" * 1000 + "]" * 1000, '"\\ud835', '"\\ud835"', "{"])
def test_text_that_is_no_json_stays_text(text: str) -> None:
    """It is read as strictly as arguments are, and left for the executor to refuse."""
    assert an_object("x", x=True).lower("openai", strict=True).decode({"x": text}) == {"x": text}


def test_what_is_said_beside_a_reference_joins_what_it_says() -> None:
    """Neither description is lost, a nullable reference's included."""
    definitions = {"P": {"type": "string", "description": "A path"}}
    for node in (
        {"$ref": "#/$defs/P", "description": "Where to"},
        {"anyOf": [{"$ref": "#/$defs/P"}, {"type": "null"}], "description": "Where to"},
    ):
        made = Tool.from_schema("t", "", {**closed(x=node), "$defs": definitions})
        assert made.lower("openai", strict=True).schema["properties"]["x"]["description"] == "Where to. A path"


def test_a_change_is_not_changed_by_what_it_told() -> None:
    """What a report holds is its own."""
    told = an_object("x", x={"const": [1]}).lower("openai", strict=True).changes[0]
    told.before["const"].append(2)

    assert an_object("x", x={"const": [1]}).lower("openai", strict=True).encode({"x": [1]}) == {"x": "[1]"}


def test_a_handler_never_sees_the_difference() -> None:
    """What a strict provider sends runs the function as it was written."""

    def page(n: int = 10, tags: dict[str, int] | None = None, span: tuple[int, str] = (1, "a")) -> str:
        return f"{n} {tags} {span}"

    made = tool(page)
    low = made.lower("openai", strict=True)

    assert made.run(low.decode({"n": None, "tags": None, "span": None})).text == "10 None (1, 'a')"
    sent = {"n": 0, "tags": [{"name": "x", "value": 1}], "span": {"item_1": 2, "item_2": "b"}}
    assert made.run(low.decode(sent)).text == "0 {'x': 1} (2, 'b')"
    assert json.loads(json.dumps(low.schema)) == low.schema
