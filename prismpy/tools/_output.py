"""What comes back from a handler, as its annotation says."""

from collections.abc import AsyncIterable, Awaitable, Iterable
from typing import Any, Final, Never, NoReturn, Union, get_args

from prismpy.errors import ToolError
from prismpy.messages import Artifact, Content, ToolOutput
from prismpy.schema import Schema, emit, parse
from prismpy.types import ANY, NoJSONFormError, is_class, read

from ._given import NOTHING
from ._kinds import hands_on_steps, is_steps
from ._signature import Signature
from ._spec import Handler


def output_of(handler: Handler, signature: Signature) -> Schema | None:
    """Read the annotation of what a handler returns; None where it says nothing, or nothing that JSON knows."""
    returns = _awaited(signature.returns)
    if _is_iterable(returns) and (is_steps(handler) or hands_on_steps(handler) or _is_asynchronous(returns)):
        returns = _result_of(returns) if is_steps(handler) else NOTHING
    if any(returns is nothing for nothing in _SAYING_NOTHING) or _is_content(returns):
        return None
    reader = read()
    try:
        node = reader.form(returns).schema
    except NoJSONFormError:
        return None
    if reader.definitions:
        return parse({**emit(node), "$defs": reader.definitions})
    return None if node is ANY else node


def _awaited(annotation: Any) -> Any:
    """Return what an awaitable comes to, where a function that is not async returns one."""
    origin = getattr(annotation, "__origin__", annotation)
    is_awaitable = is_class(origin) and issubclass(origin, Awaitable) and not issubclass(origin, AsyncIterable)
    return (get_args(annotation) or (NOTHING,))[-1] if is_awaitable else annotation


def _is_iterable(annotation: Any) -> bool:
    kind = getattr(annotation, "__origin__", annotation)
    return is_class(kind) and issubclass(kind, Iterable | AsyncIterable)


def _is_asynchronous(annotation: Any) -> bool:
    return issubclass(getattr(annotation, "__origin__", annotation), AsyncIterable)


def _result_of(annotation: Any) -> Any:
    """Return what a generator comes to: what it returns, where that is something, else what it yields last."""
    yielded, *more = get_args(annotation) or (NOTHING,)
    returned = more[1] if len(more) > 1 else None
    if returned in (None, type(None)):
        return yielded
    return Union[yielded, returned] if type(None) in get_args(returned) else returned  # noqa: UP007  # of any two


_SAYING_NOTHING: Final = (NOTHING, None, type(None), Any, object, Never, NoReturn, Artifact, ToolError, ToolOutput)


def _is_content(annotation: Any) -> bool:
    """Tell whether an annotation names content for the model, alone or in a list or a union."""
    if is_class(annotation):
        return issubclass(annotation, Content)
    return any(map(_is_content, get_args(annotation)))
