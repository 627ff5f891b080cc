"""
The rows for pandas: tables as lists of rows, columns as lists, steps of time as text.

Nothing here imports it before the user has: a table cannot be asked for without.
"""

import sys
from functools import partial
from typing import Any, Final, Union

from prismpy.schema import AnyOfSchema, ArraySchema, BooleanSchema, NumberSchema, ObjectSchema, StringSchema

from ._arrays import make
from ._errors import ConversionError, NoJSONFormError
from ._reader import Reader
from ._rule import Form, TypeRule, type_name

# --- tables -------------------------------------------------------------------

_CELL: Final = AnyOfSchema((StringSchema(), NumberSchema(), BooleanSchema()), nullable=True)
_COLUMN: Final = ArraySchema(items=_CELL)
_ROWS: Final = ArraySchema(items=ObjectSchema(properties=None, allow_additional_properties=_CELL))


def _pandas_class(annotation: Any) -> str:
    """Name the class of pandas that an annotation is; "" if it is none that is known."""
    pandas: Any = sys.modules.get("pandas")
    names = ("DataFrame", "Series", "Index")
    return next((name for name in names if annotation is getattr(pandas, name, None)), "") if pandas else ""


def _is_table(annotation: Any) -> bool:
    return isinstance(annotation, type) and bool(_pandas_class(annotation))


def _is_any_table(annotation: Any) -> bool:
    """Recognise the base of tables and columns, which pandas has no public name for."""
    table = getattr(sys.modules.get("pandas"), "DataFrame", None)
    return table is not None and annotation is table.__mro__[1]


def _any_table_form(_: Any, reader: Reader) -> Form:
    pandas: Any = sys.modules["pandas"]
    return reader.form(Union[pandas.DataFrame, pandas.Series])  # noqa: UP007  # of values


def _table_form(annotation: Any, _: Reader) -> Form:
    schema = _ROWS if _pandas_class(annotation) == "DataFrame" else _COLUMN
    return Form(schema, partial(make, annotation, annotation))


def _table_values(value: Any) -> Any:
    """Return rows or items; labels of rows other than their numbers would be lost."""
    pandas: Any = sys.modules["pandas"]
    if isinstance(value, pandas.Index):
        return [_cell(item) for item in value]
    if not value.index.equals(pandas.RangeIndex(len(value))):
        msg = f"{type_name(type(value))} has labels of rows, which its JSON form has no place for; call reset_index()"
        raise NoJSONFormError(msg)
    if isinstance(value, pandas.Series):
        return [_cell(item) for item in value]
    return [{name: _cell(item) for name, item in row.items()} for row in value.to_dict("records")]


def _cell(item: Any) -> Any:
    return None if sys.modules["pandas"].isna(item) is True else item


# --- steps of time ------------------------------------------------------------


def _is_offset(annotation: Any) -> bool:
    offsets = getattr(sys.modules.get("pandas"), "offsets", None)
    return offsets is not None and isinstance(annotation, type) and issubclass(annotation, offsets.BaseOffset)


def _offset_form(annotation: Any, _: Reader) -> Form:
    return Form(StringSchema(examples=["D", "2h", "ME"]), partial(_load_offset, annotation))


def _load_offset(kind: type, text: Any) -> Any:
    offset = make(_to_offset, kind, text)
    if not isinstance(offset, kind):
        msg = f"expected a {type_name(kind)}, got {text!r}"
        raise ConversionError(msg)
    return offset


def _to_offset(text: str) -> Any:
    return sys.modules["pandas"].tseries.frequencies.to_offset(text)


def _offset_text(value: Any) -> str:
    """Return the text that pandas reads again, which not all of them have."""
    text: str = value.freqstr
    try:
        again = _to_offset(text)
    except ValueError:
        again = None
    if again != value:
        msg = f"{text} has no JSON form"
        raise NoJSONFormError(msg)
    return text


PANDAS_RULES: Final = (
    TypeRule(_is_table, _table_form, _table_values),
    TypeRule(_is_any_table, _any_table_form),
    TypeRule(_is_offset, _offset_form, _offset_text),
)
