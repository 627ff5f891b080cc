"""Decorated functions: what a decorator lets through of what stands behind it."""

import functools
from collections.abc import Callable
from typing import Any

import pytest

from prismpy import DefinitionError, tool


def find(word: str, limit: int = 5, *, deep: bool = False) -> str:
    """Find rows."""
    return f"{limit} rows with {word}, {deep}"


Decorated = Callable[..., Any]


def passing(function: Any) -> Decorated:
    @functools.wraps(function)
    def inner(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return inner


def timed(function: Any) -> Decorated:
    @functools.wraps(function)
    def inner(*args: Any, seconds: float = 1.5, **kwargs: Any) -> Any:
        return f"{function(*args, **kwargs)} in {seconds!r} s"

    return inner


def placing(function: Any) -> Decorated:
    @functools.wraps(function)
    def inner(*args: Any) -> Any:
        return function(*args)

    return inner


def narrowing(function: Any) -> Decorated:
    @functools.wraps(function)
    def inner(word, limit=2):  # type: ignore[no-untyped-def]  # its types are those of what it wraps
        return function(word, limit, deep=True)

    return inner


def demanding(function: Any) -> Decorated:
    @functools.wraps(function)
    def inner(key: str, *args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return inner


class Desk:
    @passing
    def find(self, word: str, limit: int = 5, *, deep: bool = False) -> str:
        """Find rows."""
        return find(word, limit, deep=deep)

    @placing
    def place(self, word: str) -> str:
        """Place it."""
        return word


WORD = {"word": {"type": "string"}}
LIMIT = {"limit": {"type": "integer", "default": 5}}
DEEP = {"deep": {"type": "boolean", "default": False}}
SECONDS = {"seconds": {"type": "number", "default": 1.5}}


@pytest.mark.parametrize(
    ("handler", "properties", "text"),
    [
        (passing(find), WORD | LIMIT | DEEP, "5 rows with tea, False"),
        (timed(find), WORD | LIMIT | DEEP | SECONDS, "5 rows with tea, False in 1.5 s"),
        (passing(timed(find)), WORD | LIMIT | DEEP | SECONDS, "5 rows with tea, False in 1.5 s"),
        (placing(find), WORD | LIMIT, "5 rows with tea, False"),
        (narrowing(find), WORD | {"limit": {"type": "integer", "default": 2}}, "2 rows with tea, True"),
        (Desk().find, WORD | LIMIT | DEEP, "5 rows with tea, False"),
        (Desk().place, WORD, "tea"),
        (functools.partial(passing(find), limit=1), WORD | DEEP, "1 rows with tea, False"),
    ],
)
def test_a_decorated_function_is_read_as_it_can_be_called(handler: Decorated, properties: Any, text: str) -> None:
    """What the decorator takes for itself is a parameter too; what it does not let through is none."""
    made = tool(handler)

    assert made.to("json-schema")["properties"] == properties
    assert made.run({"word": "tea"}).text == text


def test_a_decorator_that_demands_something_of_its_own_is_refused() -> None:
    """It could not be called by what it says of itself."""
    with pytest.raises(DefinitionError, match="its decorator demands 'key' besides, which what it wraps does not know"):
        tool(demanding(find))


def test_a_decorator_that_wraps_itself_is_refused() -> None:
    """There is nothing behind it."""
    handler: Any = passing(find)
    handler.__wrapped__ = handler

    with pytest.raises(DefinitionError, match="wrapper loop"):
        tool(handler)


class ByPlace:
    """Call it."""

    @staticmethod
    def __call__(word: str) -> str:
        return word


class ByClass:
    """Call it."""

    @classmethod
    def __call__(cls, word: str) -> str:
        return word


class Inner:
    def __call__(self, word: str) -> str:
        return word


class ByObject:
    """Call it."""

    __call__ = Inner()


@pytest.mark.parametrize("kind", [ByPlace, ByClass, ByObject])
def test_an_object_may_be_called_without_itself(kind: Any) -> None:
    """No parameter is taken for the one that would be bound."""
    made = tool(kind())

    assert made.to("json-schema")["properties"] == WORD
    assert made.run({"word": "tea"}).text == "tea"
