"""JSON Schemas that somebody else wrote."""

import pytest
from hypothesis import given

from prismpy import DefinitionError, EnumSchema, ObjectSchema, RawSchema, StringSchema, emit, parse
from prismpy.schema import MAX_DEPTH, canonical
from tests.strategies import schemas_nobody_would_write


@given(schemas_nobody_would_write())
def test_any_schema_comes_out_as_it_went_in(schema: object) -> None:
    """No keyword is lost, changed or added, whatever it holds."""
    assert canonical(emit(parse(schema))) == canonical(schema)


@given(schemas_nobody_would_write())
def test_reading_twice_gives_the_same(schema: object) -> None:
    """Equal JSON gives equal nodes, and they hash alike."""
    assert parse(schema) == parse(schema)
    assert hash(parse(schema)) == hash(parse(schema))


@pytest.mark.parametrize(
    ("schema", "node"),
    [
        ({"type": "string", "minLength": True}, StringSchema(extra={"minLength": True})),
        ({"type": "string", "pattern": "("}, StringSchema(extra={"pattern": "("})),
        ({"type": "string", "description": 3}, StringSchema(extra={"description": 3})),
        ({"enum": ["a"], "type": None}, RawSchema("", {"enum": ["a"], "type": None})),
        ({"enum": ["a", 1]}, EnumSchema(options=("a", 1), type=None)),
        ({"enum": [1, 2], "type": "number"}, EnumSchema(options=(1, 2), type="number")),
        ({"enum": []}, RawSchema("", {"enum": []})),
        ({"type": ["null", "string"]}, RawSchema("", {"type": ["null", "string"]})),
        ({"type": "object"}, ObjectSchema(properties=None, allow_additional_properties=None)),
        (True, RawSchema("", True)),
    ],
)
def test_a_keyword_that_fits_no_field_is_kept(schema: object, node: object) -> None:
    """What a field cannot hold stands in `extra`, and a shape no class models is kept raw."""
    assert parse(schema) == node


def test_numbers_bools_and_texts_are_told_apart() -> None:
    """1, 1.0, true and "1" make different schemas, though Python calls the first three equal."""
    schemas = [parse({"type": "string", "default": value}) for value in (1, 1.0, True, "1")]

    assert len(set(schemas)) == 4


@pytest.mark.parametrize("schema", ["string", None, 3, [{"type": "string"}]])
def test_what_is_no_schema_is_refused(schema: object) -> None:
    """A schema is a dict or a bool."""
    with pytest.raises(DefinitionError, match="a JSON Schema is an object or a bool"):
        parse(schema, "x")


def test_python_values_that_json_lacks_are_refused_by_path() -> None:
    """A set inside a schema is named with its place."""
    with pytest.raises(DefinitionError) as caught:
        parse({"properties": {"odd key": {"default": {3}}}})

    assert caught.value.path == '$.properties["odd key"].default'
    assert str(caught.value) == (
        '$.properties["odd key"].default: {3} is no JSON; use None, bool, int, finite float, str, list or dict of str'
    )


def test_a_schema_too_deep_for_the_stack_is_refused() -> None:
    """Nesting beyond the limit is a clear error, never a RecursionError."""
    schema: object = {}
    for _ in range(MAX_DEPTH + 1):
        schema = {"not": schema}

    with pytest.raises(DefinitionError, match="nested more than 200 levels deep"):
        parse(schema)
