"""Callables that answer for what they do not have: proxies, and the mocks of unittest.mock."""

import asyncio
import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any
from unittest.mock import AsyncMock, MagicMock, Mock, NonCallableMock, call, create_autospec

import pytest

from prismpy import DefinitionError, Tool, tool
from prismpy.tools import is_async, is_steps
from prismpy.types import NoJSONFormError, read


def find(word: str, limit: int = 5) -> str:
    """Find rows.

    Args:
        word: What to look for.
    """
    return f"{limit} rows with {word}"


FOUND = {
    "type": "object",
    "properties": {"word": {"type": "string"}, "limit": {"type": "integer", "default": 5}},
    "required": ["word"],
    "additionalProperties": False,
}
DESCRIBED = {
    **FOUND,
    "properties": {**FOUND["properties"], "word": {"type": "string", "description": "What to look for."}},  # type: ignore[dict-item]  # JSON
}
ANYTHING = {"type": "object", "properties": {}}


class Desk:
    def find(self, word: str, limit: int = 5) -> str:
        return word


def renamed() -> Any:
    mock = Mock(return_value="rows")
    mock.__name__ = "look_up"
    mock.__doc__ = "Look it up."
    return mock


@pytest.mark.parametrize(
    ("mock", "name", "description", "schema"),
    [
        (Mock(), "mock", "", ANYTHING),
        (MagicMock(name="find"), "find", "", ANYTHING),
        (renamed(), "look_up", "Look it up.", ANYTHING),
        (MagicMock(spec=find), "magic_mock", "", FOUND),
        (MagicMock(spec=find, name="find"), "find", "", FOUND),
        (AsyncMock(spec=find), "async_mock", "", FOUND),
        (Mock(wraps=find), "find", "Find rows.", DESCRIBED),
        (create_autospec(find), "find", "", FOUND),
        (create_autospec(Desk, instance=True).find, "find", "", FOUND),
        (call, "_call", "A tuple for holding the results of a call to a mock, either in the form", ANYTHING),
    ],
    ids=range(10),  # or pytest asks the mocks for a name
)
def test_a_mock_is_read_by_its_spec(mock: Any, name: str, description: str, schema: Any) -> None:
    """Without one it takes anything; what it is asked leaves no trace in it."""
    made = Tool.make(mock)

    assert (made.spec.name, made.spec.description.split("\n")[0]) == (name, description)
    assert made.to("json-schema") == schema
    if isinstance(mock, Mock | MagicMock):
        assert (mock.mock_calls, mock._mock_children) == ([], {})


def test_a_mock_is_called_as_its_tool_is() -> None:
    """With the arguments of the model, by the handler of a tool that declares them, too."""
    spy = Mock(wraps=find)
    declared = MagicMock(return_value="done")

    assert tool(spy).run({"word": "tea", "limit": 2}).text == "2 rows with tea"
    assert Tool.as_("do").for_("Do it").with_string_parameter("what", "It").using(declared).run({"what": "a"}).text
    assert (spy.mock_calls, declared.mock_calls[0]) == ([call(word="tea", limit=2)], call(what="a"))


def test_an_async_mock_is_awaited() -> None:
    """It does not show what it is, but what it returns does."""
    assert asyncio.run(tool(AsyncMock(spec=find, return_value="rows")).arun({"word": "tea"})).text == "rows"


@pytest.mark.parametrize("mock", [NonCallableMock(), MagicMock(spec=Tool), create_autospec(Desk, instance=True)])
def test_a_mock_of_what_is_no_function_is_refused(mock: Any) -> None:
    """A tool that it only says it is tells nothing of its parameters."""
    with pytest.raises(DefinitionError, match="is no tool; pass a Tool, a function"):
        Tool.make(mock)


class Eager:
    """Find rows."""

    def __getattr__(self, name: str) -> Any:
        return Eager()

    def __call__(self, word: str, limit: int = 5) -> str:
        return find(word, limit)


class Strict(Eager):
    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


class Proxy:
    """Stands before a function, as wrapt's do."""

    def __init__(self, wrapped: Callable[..., Any]) -> None:
        self.__wrapped__ = wrapped

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__wrapped__, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.__wrapped__(*args, **kwargs)


class Signed(Eager):
    __signature__ = inspect.signature(find)


@pytest.mark.parametrize(
    ("handler", "name"),
    [
        (Eager(), "eager"),
        (Strict(), "strict"),
        (Signed(), "signed"),
        (functools.partial(Eager()), "eager"),
        (Proxy(find), "find"),
        (Proxy(Desk().find), "find"),
    ],
    ids=range(6),
)
def test_what_makes_attributes_up_fools_nobody(handler: Any, name: str) -> None:
    """It is read by what its class defines, or by what it really wraps; whatever it answers or raises."""
    made = tool(handler)

    assert made.spec.name == name
    assert {*made.to("json-schema")["properties"]} == {"word", "limit"}
    assert (is_async(handler), is_steps(handler)) == (False, False)
    assert "tea" in made.run({"word": "tea"}).text


@pytest.mark.parametrize("annotation", [MagicMock(spec=type), MagicMock(), Eager(), list[MagicMock()]], ids=range(4))  # type: ignore[misc]  # no type
def test_a_mock_is_no_type(annotation: Any) -> None:
    """It is refused, and a note about a type that is one says nothing."""
    with pytest.raises(NoJSONFormError, match="is no type"):
        read().form(annotation)


def test_a_mock_says_nothing_beside_a_type() -> None:
    """Nor as a default, whatever it says it is."""

    def find(word: Annotated[str, Eager()], hits: Annotated[dict[str, str], Mock()] = MagicMock(spec=dict)) -> None: ...

    assert tool(find).to("json-schema")["properties"] == {
        "word": {"type": "string"},
        "hits": {"type": "object", "additionalProperties": {"type": "string"}},
    }
