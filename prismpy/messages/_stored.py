"""
Values as plain JSON and back, in one way for all of them.

The fields of a value are the keys. Classes of which several may stand in one
place say under `kind` which one it is.
"""

import types
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar, Literal, Self, Union, get_args, get_origin

import attrs

from prismpy.errors import DefinitionError, StateError
from prismpy.schema import JSON, cut, plain, step


class Stored:
    """
    A frozen value that can be kept as JSON, in a database or a queue, and be had back from it.

    A field with `metadata={"is_stored": False}` is not kept; it needs a default.
    """

    __slots__ = ()

    kind: ClassVar[str] = ""
    """Tells the class from others that may stand in its place; "" where none may."""

    def to_dict(self) -> dict[str, JSON]:
        """
        Return the value as JSON, in new containers: its fields by name.

        Raises:
            StateError: naming the path of what is no JSON.
        """
        return told(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """
        Return the value that `to_dict` told.

        Args:
            data: JSON; fields that have a default may be missing.

        Raises:
            StateError: naming the path of what is missing, unknown or of the wrong kind.
        """
        value: Self = built(cls, data)
        return value


# --- there ----------------------------------------------------------------------------------------------------------


def told(value: Any) -> dict[str, JSON]:
    """Return the fields of an attrs value as JSON."""
    fields = _fields(type(value))
    head = {"kind": value.kind} if getattr(value, "kind", "") else {}
    return head | {name: told_item(field.type, getattr(value, name), name) for name, field in fields.items()}


def _fields(cls: Any) -> dict[str, Any]:
    """Return the fields that are kept, by name."""
    return {field.name: field for field in attrs.fields(cls) if field.metadata.get("is_stored", True)}


def told_item(kind: Any, item: Any, path: str) -> JSON:
    """Return what a field of a kind holds as JSON: values, tuples of them, or what is JSON already."""
    if isinstance(item, tuple) and kind is not Any:
        return [told_item(None, inner, step(path, index)) for index, inner in enumerate(item)]
    with _at(path):
        if kind is Any or not attrs.has(type(item)):
            return plain(item)
        return item.to_dict() if isinstance(item, Stored) else told(item)


# --- and back -------------------------------------------------------------------------------------------------------


def built(cls: Any, data: Any) -> Any:
    """Return the attrs value whose fields are these."""
    _expect(Mapping, data, f"the fields of a {cls.__name__} by name")
    fields = _fields(cls)
    kind = getattr(cls, "kind", "")
    unknown = data.keys() - fields.keys() - ({"kind"} if kind else set())
    if unknown:
        msg = f"{cls.__name__} has no field {min(unknown)!r}; known are {', '.join(fields)}"
        raise StateError(msg, path=min(unknown))
    if kind and data.get("kind") != kind:
        msg = f"expected kind {kind!r}, got {data.get('kind')!r}"
        raise StateError(msg, path="kind")
    found = {name: read(field.type, data[name], name) for name, field in fields.items() if name in data}
    missing = [name for name, field in fields.items() if name not in found and field.default is attrs.NOTHING]
    if missing:
        msg = f"{cls.__name__} needs a field {missing[0]!r}, which is missing"
        raise StateError(msg)
    with _at(""):
        return cls(**found)


def read(kind: Any, item: JSON, path: str) -> Any:
    """
    Return what a field holds, by its annotation.

    Raises:
        StateError: if it does not fit.
    """
    with _at(path):
        origin, inner = get_origin(kind) or kind, get_args(kind)
        if origin in {Union, types.UnionType}:
            return read(_branch(inner, item), item, "")
        if kind is Any:
            return plain(item)
        _expect(_json_class(origin, inner), item, " or ".join(map(repr, inner)) if origin is Literal else _name(origin))
        if origin is tuple:
            return tuple(read(inner[0], each, step("", index)) for index, each in enumerate(item))
        if isinstance(origin, type) and issubclass(origin, Stored):
            return origin.from_dict(item)
        return built(origin, item) if attrs.has(origin) else plain(item)


def _branch(branches: tuple[Any, ...], item: JSON) -> Any:
    """Choose among several classes: by `kind`, or by the kind of JSON."""
    for branch in branches:
        tag = getattr(branch, "kind", "")
        origin = get_origin(branch) or branch
        if _is(_json_class(origin, get_args(branch)), item) and (not tag or item.get("kind") == tag):
            return branch
    names = [getattr(b, "kind", "") or _name(get_origin(b) or b) for b in branches if b is not bytes]
    msg = f"expected {' or '.join(names)}, got {_shown(item)}"
    raise StateError(msg)


def _json_class(origin: Any, inner: tuple[Any, ...]) -> Any:
    """Return the class that JSON for an annotation is of, or the values that it may be."""
    if origin is Literal:
        return inner
    if origin is tuple:
        return list
    if origin is float:
        return float | int
    return Mapping if origin is Mapping or attrs.has(origin) else origin


def _is(kind: Any, item: JSON) -> bool:
    if isinstance(kind, tuple):
        return item in kind
    return isinstance(item, kind) and (kind is bool or not isinstance(item, bool))


def _expect(kind: Any, item: JSON, expected: str) -> None:
    if not _is(kind, item):
        msg = f"expected {expected}, got {_shown(item)}"
        raise StateError(msg)


def _name(kind: Any) -> str:
    names = {str: "text", type(None): "null", bool: "true or false", int: "an integer", tuple: "a list"}
    return names.get(kind) or ("an object" if kind is Mapping else kind.__name__)


def _shown(item: JSON) -> str:
    return f"an object of kind {item['kind']!r}" if isinstance(item, Mapping) and "kind" in item else cut(repr(item))


@contextmanager
def _at(path: str) -> Iterator[None]:
    """Put a path before that of an error, and make it one of storing."""
    try:
        yield
    except StateError as error:
        dot = "." if path and error.path and not error.path.startswith("[") else ""
        raise StateError(error.complaint, path=f"{path}{dot}{error.path}") from None
    except DefinitionError as error:
        raise StateError(str(error), path=path) from error
