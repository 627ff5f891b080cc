"""Law 6: what the schema of a type accepts loads to that type, and dumps to the same JSON."""

import datetime
import decimal
import types
import typing
from typing import Any

import pytest
import typing_extensions
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prismpy.schema import emit
from prismpy.types import ConversionError, load_with, read, to_json
from tests.strategies import values_for
from tests.types.test_types import ROWS, Model, Point

ANNOTATIONS = [*dict.fromkeys(row[0] for row in ROWS if row[0] is not None), Point, Model]


def is_instance(value: Any, annotation: Any) -> bool:
    """Check a loaded value against its annotation, as far as there is a class that values are instances of."""
    if hasattr(annotation, "__metadata__"):
        return is_instance(value, typing.get_args(annotation)[0])
    kind = typing.get_origin(annotation) or annotation
    if kind in (typing.Union, types.UnionType):
        return any(is_instance(value, member) for member in typing.get_args(annotation))
    if not isinstance(kind, type) or kind is Any or typing_extensions.is_typeddict(kind):
        return True
    return isinstance(value, kind)


@pytest.mark.parametrize("annotation", ANNOTATIONS, ids=str)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(data=st.data())
def test_what_the_schema_accepts_is_of_the_type(annotation: Any, data: st.DataObject) -> None:
    """It loads to an instance, whose JSON the schema accepts and which loads to an equal one."""
    reader = read()
    form = reader.form(annotation)
    json = data.draw(values_for(emit(form.schema), reader.definitions))
    problems = reader.judge(form)

    assert problems(json) == ()
    try:
        value = load_with(form, json)
    except ConversionError as error:  # the schema has no word for it, the error has
        assert error.message  # noqa: PT017
        return
    dumped = to_json(value)
    assert is_instance(value, annotation)
    assert problems(dumped) == ()
    assert load_with(form, dumped) == value
    assert to_json(load_with(form, dumped)) == dumped


VALUES = {
    datetime.date: st.dates(),
    datetime.datetime: st.datetimes(timezones=st.none() | st.just(datetime.UTC)),
    datetime.time: st.times(),
    datetime.timedelta: st.timedeltas(),
    decimal.Decimal: st.decimals(allow_nan=False, allow_infinity=False, places=3),
    complex: st.complex_numbers(allow_nan=False, allow_infinity=False),
    bytes: st.binary(),
    range: st.builds(range, st.integers(), st.integers(), st.integers(1, 9)),
    set[int]: st.sets(st.integers()),
    dict[int, bool]: st.dictionaries(st.integers(), st.booleans()),
    tuple[int, str]: st.tuples(st.integers(), st.text()),
}


@pytest.mark.parametrize("annotation", VALUES, ids=str)
@given(data=st.data())
def test_values_survive_the_way_to_json_and_back(annotation: Any, data: st.DataObject) -> None:
    """The JSON of a value fits the schema, and loads to that value."""
    value = data.draw(VALUES[annotation])
    reader = read()
    form = reader.form(annotation)

    assert reader.judge(form)(to_json(value)) == ()
    assert load_with(form, to_json(value)) == value
