"""numpy's arrays and pandas' tables as JSON."""

import math
from typing import Any, Union

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
import typing_extensions
from hypothesis import given, settings
from hypothesis import strategies as st

from prismpy import DefinitionError, tool
from prismpy.schema import emit
from prismpy.types import ConversionError, NoJSONFormError, load_with, read, to_json
from tests.strategies import values_for

NUMBERS = {"type": "array", "items": {"type": "number"}}
CELL = {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"}, {"type": "null"}]}


def nested(item: Any, name: str) -> Any:
    return {"type": "array", "items": {"anyOf": [item, {"$ref": f"#/$defs/{name}"}]}}


ROWS: list[tuple[Any, Any, Any, Any]] = [
    # annotation, schema or definition, JSON, value
    (np.float64, {"type": "number"}, 1.5, np.float64(1.5)),
    (np.floating, {"type": "number"}, 1.5, np.float64(1.5)),
    (np.int8, {"type": "integer"}, 3, np.int8(3)),
    (np.integer[Any], {"type": "integer"}, 3, np.int64(3)),
    (np.bool_, {"type": "boolean"}, True, np.True_),
    (np.str_, {"type": "string"}, "a", np.str_("a")),
    (np.complex128, {"anyOf": [{"type": "number"}, {"type": "string"}]}, "1+2j", np.complex128(1 + 2j)),
    (np.datetime64, {"type": "string", "format": "date-time"}, "2024-05-06T07:08:09", np.datetime64("2024-05-06T07:08:09")),
    (np.ndarray, nested({"type": "number"}, "generic_array"), [[1, 2], [3, 4]], np.array([[1, 2], [3, 4]])),
    (npt.NDArray[np.float64], nested({"type": "number"}, "float64_array"), [1.0, 2.5], np.array([1.0, 2.5])),
    (npt.NDArray[np.bool_], nested({"type": "boolean"}, "bool_array"), [True], np.array([True])),
    (npt.NDArray[np.str_], nested({"type": "string"}, "str__array"), ["a"], np.array(["a"])),
    (npt.NDArray[np.complex128], None, ["1+2j"], np.array([1 + 2j])),
    (np.ndarray[tuple[int], np.dtype[np.float64]], NUMBERS, [1.5], np.array([1.5])),
    (np.ndarray[tuple[int, int], np.dtype[np.int64]], {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
     [[1], [2]], np.array([[1], [2]])),
    (np.dtype, {"type": "string", "examples": ["float64", "int64", "bool"]}, "float64", np.dtype("float64")),
    (pd.Series, {"type": "array", "items": CELL}, [1, 2], pd.Series([1, 2])),
    (pd.Index, {"type": "array", "items": CELL}, ["a"], pd.Index(["a"])),
    (pd.DataFrame, {"type": "array", "items": {"type": "object", "additionalProperties": CELL}},
     [{"a": 1, "b": "x"}, {"a": 2, "b": None}], pd.DataFrame({"a": [1, 2], "b": ["x", None]})),
    (pd.offsets.BaseOffset, {"type": "string", "examples": ["D", "2h", "ME"]}, "2h", pd.offsets.Hour(2)),
    (pd.offsets.MonthEnd, None, "3ME", pd.offsets.MonthEnd(3)),
    (pd.Timestamp, {"type": "string", "format": "date-time"}, "2024-05-06T07:08:09", pd.Timestamp("2024-05-06T07:08:09")),
]  # fmt: skip


def equal(one: Any, other: Any) -> bool:
    if isinstance(one, pd.DataFrame | pd.Series | pd.Index):
        return bool(one.equals(other))
    return bool(np.array_equal(one, other))


@pytest.mark.parametrize(("annotation", "schema", "json", "value"), ROWS, ids=[str(row[0]) for row in ROWS])
def test_each_row_knows_both_directions(annotation: Any, schema: Any, json: Any, value: Any) -> None:
    """The schema is as expected and accepts the JSON, which loads to the value, which dumps to the JSON."""
    reader = read()
    form = reader.form(annotation)
    written = emit(form.schema)
    loaded = load_with(form, json)

    assert schema in (None, next(iter(reader.definitions.values())) if "$ref" in written else written)
    assert reader.judge(form)(json) == ()
    assert equal(loaded, value)
    assert type(loaded) is type(value)
    assert getattr(loaded, "dtype", None) == getattr(value, "dtype", None)
    assert to_json(value) == json


@pytest.mark.parametrize("annotation", [row[0] for row in ROWS if row[0] is not np.dtype], ids=str)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_what_the_schema_accepts_is_of_the_type(annotation: Any, data: st.DataObject) -> None:
    """Law 6: it loads to an instance, whose JSON the schema accepts and which loads to an equal one."""
    reader = read()
    form = reader.form(annotation)
    json = data.draw(values_for(emit(form.schema), reader.definitions))
    try:
        value = load_with(form, json)
    except ConversionError as error:  # lists of different lengths, a number out of range, a text that is no date
        assert error.message  # noqa: PT017
        return
    dumped = to_json(value)

    assert isinstance(
        value, np.ndarray if "NDArray" in str(annotation) else getattr(annotation, "__origin__", annotation)
    )
    assert reader.judge(form)(dumped) == ()
    assert to_json(load_with(form, dumped)) == dumped
    assert annotation is pd.DataFrame or equal(load_with(form, dumped), value)  # which has several kinds of nothing


@pytest.mark.parametrize(
    ("annotation", "json", "message"),
    [
        (np.ndarray, [[1], [1, 2]], "no ndarray can be made of it: setting an array element with a sequence"),
        (np.int8, 1000, "no int8 can be made of it: Python integer 1000 out of bounds for int8"),
        (np.dtype, "nothing", "no dtype can be made of it: data type 'nothing' not understood"),
        (pd.offsets.BaseOffset, "x", "no BaseOffset can be made of it: Invalid frequency: "),
        (np.complex128, "x", "expected a complex128 such as '1+2j', got 'x'"),
    ],
)
def test_what_makes_no_array_is_refused(annotation: Any, json: Any, message: str) -> None:
    """The reason is numpy's."""
    with pytest.raises(ConversionError) as caught:
        load_with(read().form(annotation), json)

    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    "annotation", [np.timedelta64, np.object_, np.void, npt.NDArray[np.object_], np.matrix, np.ufunc]
)
def test_what_numpy_has_beyond_numbers_is_refused(annotation: Any) -> None:
    """No form is better than a wrong one."""
    with pytest.raises(NoJSONFormError, match="has no JSON form"):
        read().form(annotation)


def test_what_may_become_an_array_is_a_list_or_a_number() -> None:
    """Members of numpy's own union that only objects of other libraries are stay out, and bytes beside text."""

    def mean(values: npt.ArrayLike, kind: npt.DTypeLike = "float64") -> float:
        return float(np.mean(np.asarray(values, dtype=kind)))  # type: ignore[arg-type]

    made = tool(mean)

    assert made.run({"values": [[1, 2], [3, 6]]}).output.result == 3.0
    assert made.run({"values": 5, "kind": "int64"}).output.result == 5.0
    assert emit(made.spec.parameters)["properties"]["values"] == {
        "anyOf": [{"type": "number"}, {"type": "boolean"}, {"type": "string"}, {"$ref": "#/$defs/nested_list"}]
    }


def test_the_base_of_tables_and_columns_is_either() -> None:
    """A list of objects becomes a table, any other a column."""
    form = read().form(pd.DataFrame.__mro__[1])

    assert equal(load_with(form, [{"a": 1}]), pd.DataFrame({"a": [1]}))
    assert equal(load_with(form, [1, 2]), pd.Series([1, 2]))


def test_only_steps_of_time_that_pandas_reads_again_have_a_text() -> None:
    """Others would come back as something else, or not at all."""
    with pytest.raises(NoJSONFormError, match=r"<DateOffset: months=3> has no JSON form"):
        to_json(pd.DateOffset(months=3))
    with pytest.raises(NoJSONFormError, match=r"C has no JSON form"):
        to_json(pd.offsets.CustomBusinessDay(holidays=["2024-01-01"]))
    with pytest.raises(ConversionError, match="expected a MonthEnd, got 'D'"):
        load_with(read().form(pd.offsets.MonthEnd), "D")


def test_labels_of_rows_are_not_lost() -> None:
    """A table with labels is no default of a schema, and is shown as pandas shows it."""
    labelled = pd.Series({"a": 1, "b": 2})

    with pytest.raises(NoJSONFormError, match=r"Series has labels of rows, .* call reset_index\(\)"):
        to_json(labelled)
    assert to_json({"counts": labelled}, str) == {"counts": str(labelled)}
    assert to_json(pd.DataFrame({"a": [1.5, math.nan]})) == [{"a": 1.5}, {"a": None}]
    assert to_json(pd.Index([1, None])) == [1.0, None]


def test_a_default_that_is_an_array_stands_in_the_schema() -> None:
    """As the JSON that the argument would be."""

    def scale(by: npt.NDArray[np.float64] = np.array([1.0, 2.0])) -> list[float]:
        return [float(item) for item in by * 2]

    made = tool(scale)

    assert made.to("json-schema")["properties"]["by"]["default"] == [1.0, 2.0]
    assert made.run({}).output.result == [2.0, 4.0]
    assert made.run({"by": [3]}).output.result == [6.0]


def test_a_union_with_an_array_takes_what_fits() -> None:
    """A number stays a number, a list becomes an array."""
    form = read().form(Union[float, np.ndarray])

    assert load_with(form, 2.5) == 2.5
    assert isinstance(load_with(form, [2.5]), np.ndarray)


def test_a_table_is_a_parameter_and_a_result() -> None:
    """Rows in, rows out."""

    def double(table: pd.DataFrame) -> pd.DataFrame:
        return table * 2

    made = tool(double)

    assert made.run({"table": [{"a": 1}, {"a": 2}]}).text == '[{"a": 2}, {"a": 4}]'
    with pytest.raises(DefinitionError, match="MultiIndex has no JSON form"):
        tool(needs_labels)


def needs_labels(index: pd.MultiIndex) -> None: ...


def test_numpys_aliases_are_read_by_their_names() -> None:
    """Newer versions of Python and numpy have them as names of their own, with members that nothing tells apart."""
    space: dict[str, Any] = {"__name__": "numpy._typing._array_like", "TypeAliasType": typing_extensions.TypeAliasType}
    exec("ArrayLike = TypeAliasType('ArrayLike', complex | bytes | str)", space)  # noqa: S102
    reader = read()

    assert emit(reader.form(space["ArrayLike"]).schema)["anyOf"][-1] == {"$ref": "#/$defs/nested_list"}
    assert load_with(reader.form(space["ArrayLike"]), [[1]]) == [[1]]
