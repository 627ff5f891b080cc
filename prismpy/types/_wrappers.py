"""The rows for what the standard library wraps around a map, a list or a text, and for namespaces."""

import collections
import sys
import types
from collections.abc import Callable
from functools import partial
from typing import Any, Final, get_args

import attrs

from ._basic import bare
from ._reader import Reader
from ._rule import Form, TypeRule, load_with


@attrs.frozen
class _Wrapper:
    """What is particular to a class that stands around something else."""

    of: Any
    """Class of what is in it."""

    wrap: Callable[[Any], Any]
    unwrap: Callable[[Any], Any]


def _namespace(kind: Any) -> _Wrapper:
    return _Wrapper(dict, lambda values: kind(**values), vars)


_WRAPPERS: Final[dict[Any, _Wrapper]] = {
    collections.ChainMap: _Wrapper(dict, collections.ChainMap, dict),
    collections.UserDict: _Wrapper(dict, collections.UserDict, dict),
    collections.UserList: _Wrapper(list, collections.UserList, list),
    collections.UserString: _Wrapper(str, collections.UserString, str),
    types.MappingProxyType: _Wrapper(dict, types.MappingProxyType, dict),
    types.SimpleNamespace: _namespace(types.SimpleNamespace),
}


def _wrapper_of(annotation: Any) -> _Wrapper | None:
    kind = bare(annotation)
    if kind is not None and kind is getattr(sys.modules.get("argparse"), "Namespace", None):
        return _namespace(kind)
    return _WRAPPERS.get(kind) if isinstance(kind, type) else None


def _is_wrapper(annotation: Any) -> bool:
    return _wrapper_of(annotation) is not None


def _wrapper_form(annotation: Any, reader: Reader) -> Form:
    wrapper = _wrapper_of(annotation)
    assert wrapper is not None  # noqa: S101  # the rule applies only where there is one
    arguments = get_args(annotation)
    inner = reader.form(types.GenericAlias(wrapper.of, arguments) if arguments else wrapper.of)
    return Form(inner.schema, partial(_load_wrapped, wrapper, inner))


def _load_wrapped(wrapper: _Wrapper, inner: Form, value: Any) -> Any:
    return wrapper.wrap(load_with(inner, value))


def _unwrapped(value: Any) -> Any:
    wrapper = _wrapper_of(type(value))
    assert wrapper is not None  # noqa: S101  # the rule applies only where there is one
    return wrapper.unwrap(value)


WRAPPER_RULES: Final = (TypeRule(_is_wrapper, _wrapper_form, _unwrapped),)
