"""
What a decorator lets through of the function that it wraps.

`functools.wraps` says what stands behind it, and `inspect` takes that for the whole truth. Yet a call reaches the
decorator, with arguments by name: what it does not take fails, and what it wants besides would be missing.
"""

import inspect
from typing import TypeAlias

Kind: TypeAlias = inspect.Parameter
"""A parameter, which has the kinds of all."""


def let_through(own: inspect.Signature, behind: inspect.Signature) -> inspect.Signature:
    """
    Return what a decorated function can be called with.

    Args:
        own: Of the decorator's function itself.

        behind: Of what it wraps.

    Raises:
        ValueError: if the decorator demands what is not among that; who gives it is not to be seen.
    """
    named = [p for p in own.parameters.values() if p.kind not in _VARIADIC]
    kinds = {p.kind for p in own.parameters.values()}
    if Kind.VAR_KEYWORD in kinds:
        return _with_more(behind, [p for p in named if p.name not in behind.parameters])
    if Kind.VAR_POSITIONAL in kinds and not named:
        return _by_place(behind)
    annotated = [_annotated(p, behind) for p in own.parameters.values()]
    return behind.replace(parameters=annotated)


_VARIADIC = frozenset({Kind.VAR_POSITIONAL, Kind.VAR_KEYWORD})


def _with_more(behind: inspect.Signature, more: list[inspect.Parameter]) -> inspect.Signature:
    """Add what a decorator takes for itself, as far as that may be left out."""
    for p in more:
        if p.default is Kind.empty:
            msg = f"its decorator demands {p.name!r} besides, which what it wraps does not know"
            raise ValueError(msg)
    parameters = list(behind.parameters.values())
    rest = [p for p in parameters if p.kind is Kind.VAR_KEYWORD]
    others = [p for p in parameters if p.kind is not Kind.VAR_KEYWORD]
    return behind.replace(parameters=[*others, *(p.replace(kind=Kind.KEYWORD_ONLY) for p in more), *rest])


def _by_place(behind: inspect.Signature) -> inspect.Signature:
    """Say that a decorator has no way for arguments by name; those that go by name alone keep their default."""
    placed = [p for p in behind.parameters.values() if p.kind not in (Kind.KEYWORD_ONLY, Kind.VAR_KEYWORD)]
    return behind.replace(
        parameters=[p if p.kind is Kind.VAR_POSITIONAL else p.replace(kind=Kind.POSITIONAL_ONLY) for p in placed]
    )


def _annotated(p: inspect.Parameter, behind: inspect.Signature) -> inspect.Parameter:
    told = behind.parameters.get(p.name)
    if told is None or p.annotation is not Kind.empty:
        return p
    return p.replace(annotation=told.annotation)
