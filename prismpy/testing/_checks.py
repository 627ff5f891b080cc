"""What a test says about a run that is over."""

from collections.abc import Iterable
from typing import Any

from prismpy.agent import Response
from prismpy.codecs import Ask
from prismpy.errors import DefinitionError
from prismpy.loop import faults
from prismpy.messages import Message, ToolCall
from prismpy.providers import codec


def assert_called(response: Response, name: str, /, **arguments: Any) -> ToolCall:
    """
    Say that a tool was called, with these arguments among others.

    Args:
        response: Of the run.

        name: Of the tool, as it declares it.

        arguments: Each as JSON; a call may have more.

    Returns:
        The first call that fits.

    Raises:
        AssertionError: listing the calls that there were.
    """
    for call in response.tool_calls:
        given = call.decoded
        if call.name == name and isinstance(given, dict) and {**given, **arguments} == given:
            return call
    wanted = f"{name} was not called" + (f" with {arguments}" if arguments else "")
    msg = f"{wanted}; {_listed(response)}"
    raise AssertionError(msg)


def assert_not_called(response: Response, name: str) -> None:
    """
    Say that a tool was never called.

    Raises:
        AssertionError: listing the calls that there were.
    """
    if any(call.name == name for call in response.tool_calls):
        msg = f"{name} was called; {_listed(response)}"
        raise AssertionError(msg)


def assert_order(response: Response, *names: str) -> None:
    """
    Say which tools were called, in this order and no others.

    Raises:
        AssertionError: listing the calls that there were.
    """
    if [call.name for call in response.tool_calls] != list(names):
        msg = f"expected the calls {', '.join(names) or 'none'}; {_listed(response)}"
        raise AssertionError(msg)


def assert_valid(messages: Iterable[Message], *providers: str) -> None:
    """
    Say that every provider would take a conversation: each call has its one result, in its place.

    Args:
        messages: Oldest first.

        providers: Those that must be able to say all of it too, named as models are: `anthropic`, `groq` …

    Raises:
        AssertionError: listing what is wrong.

        UnknownProviderError: for a name that is none.
    """
    given = tuple(messages)
    found = [*faults(given), *(why for name in providers if (why := _unsayable(given, name)))]
    if found:
        msg = "the conversation is not valid: " + "; ".join(found)
        raise AssertionError(msg)


def _unsayable(messages: tuple[Message, ...], provider: str) -> str:
    """Return what a provider's format cannot say; "" if it can say all."""
    try:
        codec(provider).request(Ask("any", messages))
    except DefinitionError as error:
        return f"{provider}: {str(error).removeprefix(f'{provider}: ')}"
    return ""


def _listed(response: Response) -> str:
    calls = [f"{call.name}({call.decoded})" for call in response.tool_calls]
    return "the calls were " + (", ".join(calls) or "none")
