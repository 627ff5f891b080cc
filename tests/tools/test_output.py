"""What comes back from a handler, as its annotation says."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Coroutine, Generator, Iterable, Iterator
from typing import Any, NoReturn

import pytest

from prismpy import emit, tool
from prismpy.messages import Content

INTEGER = {"type": "integer"}
TEXT = {"type": "string"}


def steps(returns: Any) -> Any:
    def count() -> Any:
        yield 1

    count.__annotations__["return"] = returns
    return count


def asteps(returns: Any) -> Any:
    async def count() -> Any:
        yield 1

    count.__annotations__["return"] = returns
    return count


def plain(returns: Any) -> Any:
    def count() -> Any: ...

    count.__annotations__["return"] = returns
    return count


@pytest.mark.parametrize(
    ("handler", "output"),
    [
        (steps(Iterator[int]), INTEGER),
        (steps(Iterable[int]), INTEGER),
        (steps(Generator[int, None, None]), INTEGER),
        (steps(Generator[int, str, str]), TEXT),
        (steps(Generator[int, None, str | None]), {"anyOf": [INTEGER, {"type": "string"}, {"type": "null"}]}),
        (steps(Generator[int, None, Any]), None),
        (asteps(AsyncIterator[int]), INTEGER),
        (asteps(AsyncGenerator[int, None]), INTEGER),
        (steps(Iterator), None),
        (steps(int), INTEGER),
        (plain(Iterator[int]), {"type": "array", "items": INTEGER}),
        (plain(Iterator), {"type": "array", "items": {}}),
        (plain(AsyncIterator[int]), None),
        (plain(Awaitable[int]), INTEGER),
        (plain(Coroutine[Any, Any, list[int]]), {"type": "array", "items": INTEGER}),
        (plain(Awaitable), None),
        (plain(Awaitable[None]), None),
        (plain(NoReturn), None),
        (plain(list[Content]), None),
        (plain(object), None),
    ],
)  # fmt: skip
def test_a_generator_comes_to_what_it_yields_last_or_returns(handler: Any, output: Any) -> None:
    """The output is that of the result, not of the steps; other functions return what they say."""
    found = tool(handler).spec.output

    assert (None if found is None else emit(found)) == output


def test_the_output_of_a_generator_is_what_the_model_gets() -> None:
    """The last value that was yielded, unless the generator returns one."""

    def count(to: int) -> Iterator[int]:
        yield from range(to)

    def sum_up(to: int) -> Generator[int, None, str]:
        yield from range(to)
        return "done"

    assert [tool(handler).run({"to": 3}).text for handler in (count, sum_up)] == ["2", "done"]
