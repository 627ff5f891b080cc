"""The texts of the fields of a class, wherever they stand."""

import dataclasses
import sys
from typing import NamedTuple

import attr
import attrs
import pytest

from prismpy.docstrings import field_docs


@dataclasses.dataclass
class Base:
    """
    A base.

    Attributes:
        low: From the docstring.
        high: From the docstring, too.
    """

    low: int
    """Below the field."""

    high: int = 3


class Heir(Base):
    more: int = 1
    """More."""

    class Inner(NamedTuple):
        deep: int
        """Deep."""


@attr.s
class Old:
    size = attr.ib(type=int)
    """Without annotation."""


IS_NEW = sys.version_info[0] >= 3

if IS_NEW:

    @attrs.define
    class Versioned:
        new: int
        """New."""

else:

    @attrs.define
    class Versioned:
        old: int
        """Old."""


def make() -> type:
    @attrs.define
    class Local:
        near: int
        """Near."""

        if IS_NEW:
            far: int = 1

    return Local


def make_another() -> type:
    found: list[type] = []
    for _ in range(1):
        with pytest.MonkeyPatch.context():
            try:
                raise LookupError
            except LookupError:

                class Deep(NamedTuple):
                    near: int
                    """Nested."""

                found.append(Deep)
    return found[0]


class Bare:
    size = 3
    """No field."""


@pytest.mark.parametrize(
    ("kind", "docs"),
    [
        (Base, {"low": "Below the field.", "high": "From the docstring, too."}),
        (Heir, {"low": "Below the field.", "high": "From the docstring, too.", "more": "More."}),
        (Heir.Inner, {"deep": "Deep."}),
        (Old, {"size": "Without annotation."}),
        (Versioned, {"new": "New."}),
        (make(), {"near": "Near."}),
        (make_another(), {"near": "Nested."}),
        (Bare, {}),
        (dataclasses.make_dataclass("Made", [("size", int)]), {}),
        (type("Nowhere", (), {"__annotations__": {"a": int}, "__module__": "no such module"}), {}),
        (type("Builtin", (), {"__annotations__": {"a": int}, "__module__": "builtins"}), {}),
    ],
    ids=lambda part: getattr(part, "__qualname__", ""),
)
def test_texts_of_fields_are_found(kind: type, docs: dict[str, str]) -> None:
    """In the docstring and below fields, of the class and its bases, wherever the class was defined."""
    assert field_docs(kind) == docs
