"""What the constructors of nodes do by themselves: normalise and refuse."""

from collections.abc import Callable

import pytest

from prismpy import (
    MISSING,
    AnyOfSchema,
    ArraySchema,
    DefinitionError,
    EnumSchema,
    NullSchema,
    NumberSchema,
    ObjectSchema,
    RawSchema,
    RefSchema,
    Schema,
    StringSchema,
)
from prismpy.schema import annotated


def test_a_nameless_place_drops_the_name() -> None:
    """Items, branches and further values have no name in JSON, so they have none here."""
    day = StringSchema("day", "A weekday")

    assert ArraySchema(items=day).items == StringSchema("", "A weekday")
    assert AnyOfSchema((day,)).schemas == (StringSchema("", "A weekday"),)
    assert ObjectSchema(allow_additional_properties=day).allow_additional_properties == StringSchema("", "A weekday")


def test_nullable_has_one_form() -> None:
    """A nullable choice or union says so in both places, whichever way it was written."""
    assert EnumSchema(options=("a",), nullable=True) == EnumSchema(options=("a", None))
    assert EnumSchema(options=("a", None)).nullable
    assert AnyOfSchema((StringSchema(),), nullable=True) == AnyOfSchema((StringSchema(), NullSchema()))


@pytest.mark.parametrize(
    ("build", "message", "path"),
    [
        (lambda: StringSchema("s", min_length=-1), "StringSchema 's': minLength is -1; it must be a whole number from 0 up", "$.minLength"),
        (
            lambda: StringSchema("s", pattern="("),
            "StringSchema 's': pattern is '('; it must be a regular expression that Python can compile",
            "$.pattern",
        ),
        (lambda: NumberSchema("n", minimum="1"), "NumberSchema 'n': minimum is '1'; it must be a finite number", "$.minimum"),
        (lambda: NumberSchema("n", maximum=float("inf")), "NumberSchema 'n': maximum is inf; it must be a finite number", "$.maximum"),
        (lambda: NumberSchema("n", multiple_of=0), "NumberSchema 'n': multipleOf is 0; it must be a number above 0", "$.multipleOf"),
        (lambda: ObjectSchema("o", required_fields="ab"), "required fields are 'ab'; pass a list of names", "$.required"),
        (
            lambda: StringSchema("s", extra={"type": "integer"}),
            "StringSchema 's': type is 'integer'; the class of the node says it; use another class",
            "$.type",
        ),
        (
            lambda: ObjectSchema("o", properties=(StringSchema("a"), StringSchema("a"))),
            "ObjectSchema 'o': properties is 'a'; that name is declared twice; rename or remove one",
            "$.properties",
        ),
        (
            lambda: ObjectSchema("o", required_fields=("a", "a")),
            "ObjectSchema 'o': required is ('a', 'a'); it must be a sequence of distinct strings",
            "$.required",
        ),
        (lambda: EnumSchema("e"), "EnumSchema 'e': enum is []; no value could be right; name at least one option", "$.enum"),
        (lambda: AnyOfSchema((), "u"), "AnyOfSchema 'u': anyOf is []; no value could be right; name at least one schema", "$.anyOf"),
        (
            lambda: StringSchema("s", extra={"minLength": 3}),
            "StringSchema 's': minLength is 3; pass it as min_length, not in extra",
            "$.minLength",
        ),
        (lambda: StringSchema("s", default=float("nan")), "$: nan is no JSON; use None, bool, int, finite float, str, list or dict of str", "$"),
    ],
)  # fmt: skip
def test_a_mistake_is_refused_where_it_is_made(build: Callable[[], Schema], message: str, path: str) -> None:
    """A wrong keyword names the node, what was found, what is expected, and its path."""
    with pytest.raises(DefinitionError) as caught:
        build()

    assert str(caught.value) == message
    assert caught.value.path == path


def test_annotating_keeps_what_the_node_says() -> None:
    """A name, a description and a default are added; None and MISSING leave the node's own."""
    node = StringSchema("a", "Text", default="x", max_length=3)

    assert annotated(node, "b") == StringSchema("b", "Text", default="x", max_length=3)
    assert annotated(node, "b", "New", None) == StringSchema("b", "New", default=None, max_length=3)
    assert annotated(RawSchema("", True), "r", "Anything") == RawSchema("r", {"description": "Anything"})
    assert annotated(RawSchema("", False), "r", "Nothing") == RawSchema("r", {"not": {}, "description": "Nothing"})
    assert annotated(RawSchema("", True), "r") == RawSchema("r", True)
    assert annotated(RefSchema("", "#/$defs/N"), "r", "A node") == RefSchema("r", "#/$defs/N", "A node")


def test_a_raw_schema_tells_its_description_and_default() -> None:
    """The two keywords that tables show can be read off raw JSON."""
    node = RawSchema("r", {"description": "D", "default": None})

    assert (node.description, node.default) == ("D", None)
    assert (RawSchema("r").description, RawSchema("r").default) == (None, MISSING)


def test_repr_shows_what_is_set() -> None:
    """The representation leaves defaults out."""
    node = ArraySchema("days", "Days", StringSchema("day", nullable=True), default=[])

    assert repr(node) == "ArraySchema(name='days', description='Days', items=StringSchema(nullable=True), default=[])"
    assert repr(RawSchema("r", {"const": 1})) == "RawSchema(name='r', schema={'const': 1})"


def test_a_pattern_of_doubtful_syntax_does_not_warn() -> None:
    """Python warns of what may mean something else one day; that is no mistake of the schema."""
    assert StringSchema("s", pattern="[[a-z]").pattern == "[[a-z]"
