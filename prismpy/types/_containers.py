"""The rows for lists, maps, tuples and sets, in all their kinds."""

import collections
import collections.abc
import io
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from typing import Any, Final, get_args

from prismpy.schema import ArraySchema, ObjectSchema, changed, emit

from ._basic import ANY, TEXT, bare
from ._errors import ConversionError, OpaqueFormError, inside
from ._keys import key_form
from ._reader import Reader
from ._rule import Form, TypeRule, load_with, type_name

# --- lists and sets -----------------------------------------------------------


async def _asynchronously(values: list[Any]) -> AsyncIterator[Any]:
    for value in values:
        yield value


def _one_by_one(values: list[Any]) -> Iterator[Any]:
    yield from values


def _as_keys(values: list[Any]) -> collections.abc.KeysView[Any]:
    return dict.fromkeys(values).keys()


def _as_values(values: list[Any]) -> collections.abc.ValuesView[Any]:
    return dict(enumerate(values)).values()


_LISTS: Final[dict[Any, Callable[[list[Any]], Any]]] = {
    list: list,
    collections.deque: collections.deque,
    collections.abc.AsyncGenerator: _asynchronously,
    collections.abc.AsyncIterable: _asynchronously,
    collections.abc.AsyncIterator: _asynchronously,
    collections.abc.Collection: list,
    collections.abc.Container: list,
    collections.abc.Generator: _one_by_one,
    collections.abc.Iterable: list,
    collections.abc.Iterator: iter,
    collections.abc.KeysView: _as_keys,
    collections.abc.MutableSequence: list,
    collections.abc.Reversible: list,
    collections.abc.Sequence: list,
    collections.abc.MutableSet: set,
    collections.abc.Set: frozenset,
    collections.abc.ValuesView: _as_values,
    frozenset: frozenset,
    set: set,
}
"""Class to what makes one of a list. Sets take repeated items too, since they have them once anyway."""


def _is_list(annotation: Any) -> bool:
    return bare(annotation) in _LISTS


def _list_form(annotation: Any, reader: Reader) -> Form:
    item = reader.form((get_args(annotation) or (Any,))[0])
    build = _LISTS[bare(annotation)]
    schema = changed(_LIST, items=item.schema)
    return Form(schema, None if item.load is None and build is list else partial(_load_list, build, item))


_LIST: Final = ArraySchema()
_MAP: Final = ObjectSchema(properties=None, allow_additional_properties=None)


def _load_list(build: Callable[[list[Any]], Any], item: Form, values: list[Any]) -> Any:
    loaded = _load_items([item] * len(values), values)
    try:
        return build(loaded)
    except TypeError as error:  # unhashable items of a set
        msg = f"expected items that can be in a set, got {values!r}"
        raise ConversionError(msg) from error


def _load_items(forms: list[Form], values: list[Any]) -> list[Any]:
    loaded = []
    for i, (form, value) in enumerate(zip(forms, values, strict=True)):
        with inside(i):
            loaded.append(load_with(form, value))
    return loaded


# --- tuples -------------------------------------------------------------------


def _is_tuple(annotation: Any) -> bool:
    return bare(annotation) is tuple


def _tuple_form(annotation: Any, reader: Reader) -> Form:
    parts = get_args(annotation)
    if annotation is tuple or not (parts or str(annotation).endswith("[()]")) or parts[1:] == (...,):
        item = reader.form((parts or (Any,))[0])
        return Form(ArraySchema(items=item.schema), partial(_load_list, tuple, item))
    forms = [reader.form(part) for part in parts]
    keywords = {"prefixItems": [emit(form.schema) for form in forms]} if forms else {}
    schema = ArraySchema(min_items=len(forms), max_items=len(forms), extra=keywords)
    return Form(schema, lambda values: tuple(_load_items(forms, values)))


# --- maps ---------------------------------------------------------------------

_MAPS: Final[dict[Any, Callable[[dict[str, Any]], Any]]] = {
    dict: dict,
    collections.Counter: collections.Counter,
    collections.OrderedDict: collections.OrderedDict,
    collections.defaultdict: partial(collections.defaultdict, None),
    collections.abc.Mapping: dict,
    collections.abc.MutableMapping: dict,
}
"""Class to what makes one of a dict."""


def _is_map(annotation: Any) -> bool:
    return bare(annotation) in _MAPS


def _map_form(annotation: Any, reader: Reader) -> Form:
    build = _MAPS[bare(annotation)]
    key, value = (
        (*get_args(annotation), int)[:2]
        if bare(annotation) is collections.Counter
        else get_args(annotation) or (str, Any)
    )
    keys, form = key_form(key, annotation, reader), reader.form(value)
    names = {} if keys.schema is TEXT.schema else {"propertyNames": emit(keys.schema)}
    schema = changed(_MAP, allow_additional_properties=None if form.schema is ANY else form.schema, extra=names)
    as_it_is = form.load is None and keys.load is None and build is dict
    return Form(schema, None if as_it_is else partial(_load_map, build, keys, form))


def _load_map(build: Callable[[dict[Any, Any]], Any], keys: Form, form: Form, values: dict[str, Any]) -> Any:
    loaded = {}
    for key, value in values.items():
        with inside(key):
            loaded[load_with(keys, key)] = load_with(form, value)
    return build(loaded)


# --- views --------------------------------------------------------------------


def _is_view(annotation: Any) -> bool:
    """Recognise what results may be although no annotation asks for it: a `map`, the values of a dict."""
    return isinstance(annotation, type) and issubclass(annotation, _VIEWS) and not issubclass(annotation, _NO_VIEWS)


_VIEWS: Final = (collections.abc.Iterator, collections.abc.ValuesView)
_NO_VIEWS: Final = (collections.abc.Sequence, collections.abc.Set, collections.abc.Mapping, io.IOBase)


def _view_form(annotation: Any, _: Reader) -> Form:
    msg = f"{type_name(annotation)} has no JSON form"
    raise OpaqueFormError(msg)


VIEW_RULE: Final = TypeRule(_is_view, _view_form, None, list)
"""How such results are shown; comes last."""

# no rule has a `dump`: every Mapping, Set and Sequence is dumped alike, whatever its class
CONTAINER_RULES: Final = (
    TypeRule(_is_list, _list_form),
    TypeRule(_is_tuple, _tuple_form),
    TypeRule(_is_map, _map_form),
)
