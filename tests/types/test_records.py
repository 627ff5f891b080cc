"""Classes with named fields, where kinds differ."""

import datetime
from typing import Any, Generic, TypeVar

import msgspec

from prismpy import emit, tool
from prismpy.types import load_with, read, to_json

T = TypeVar("T")


class Circle(msgspec.Struct, tag="circle"):
    size: int = 1


class Square(msgspec.Struct, tag=4, tag_field="corners"):
    size: int = 1


class Triangle(msgspec.Struct, tag="triangle"):
    size: int = 1


def test_tagged_structs_are_told_apart() -> None:
    """The tag stands in JSON, as msgspec writes it, and not in the struct."""
    form = read().form(Circle | Triangle | Square)
    schema: Any = emit(form.schema)

    assert [branch["properties"] for branch in schema["anyOf"]] == [
        {"type": {"type": "string", "enum": ["circle"]}, "size": {"type": "integer", "default": 1}},
        {"type": {"type": "string", "enum": ["triangle"]}, "size": {"type": "integer", "default": 1}},
        {"corners": {"type": "integer", "enum": [4]}, "size": {"type": "integer", "default": 1}},
    ]
    assert [branch["required"] for branch in schema["anyOf"]] == [["type"], ["type"], ["corners"]]
    for struct in (Circle(2), Triangle(2), Square(2)):
        assert to_json(struct) == msgspec.to_builtins(struct)
        assert load_with(form, to_json(struct)) == struct


class Page(Generic[T]):
    """A value with a type variable in its constructor."""

    def __init__(self, items: list[T], first: T) -> None:
        self.items = items
        self.first = first

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Page) and self.items == other.items

    __hash__ = None  # type: ignore[assignment]  # may change


def test_a_value_of_ones_own_may_be_generic() -> None:
    """What stands for its variables is known in its constructor."""

    @tool
    def read_page(page: Page[datetime.date]) -> str:
        """Read it."""
        return repr([*page.items, page.first])

    page = read_page.to("json-schema")["properties"]["page"]

    assert page["properties"] == {
        "items": {"type": "array", "items": {"type": "string", "format": "date"}},
        "first": {"type": "string", "format": "date"},
    }
    assert read_page.run({"page": {"items": [], "first": "2024-01-02"}}).text == "[datetime.date(2024, 1, 2)]"
