"""
Reusable partials of agents.

Source of names: MASFactory 1.0.4, `core/node_template.py` (read 2026-11).
"""

import copy
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import attrs

T = TypeVar("T")


@attrs.frozen(eq=False)
class Shared(Generic[T]):
    """A dependency that everything made of a template has in common."""

    value: T


@attrs.frozen(eq=False)
class Factory(Generic[T]):
    """A dependency that is made afresh for each thing made of a template."""

    make: Callable[[], T]


class NodeTemplate(Generic[T]):
    """
    What is known beforehand of things that will be made: `NodeTemplate(Agent, tools=[...])`.

    Lists, dicts and sets among the values are copied for each thing that is
    made, so none can change another's; everything else is shared, as if it were
    `Shared`. What must not be shared is a `Factory`.

    Args:
        cls: Makes the things; an `Agent`, or any callable.

        defaults: Its arguments, as far as they are known.
    """

    def __init__(self, cls: Callable[..., T], **defaults: Any) -> None:
        self.cls = cls
        self.defaults = defaults

    def __call__(self, *args: Any, **overrides: Any) -> T:
        """
        Make one.

        Args:
            args: Passed on first.

            overrides: In the place of the defaults.
        """
        return self.cls(*args, **{name: _fresh(value) for name, value in {**self.defaults, **overrides}.items()})

    def derive(self, **overrides: Any) -> "NodeTemplate[T]":
        """Return a template with other defaults in the place of these."""
        return NodeTemplate(self.cls, **{**self.defaults, **overrides})

    def __repr__(self) -> str:
        name = getattr(self.cls, "__name__", repr(self.cls))
        return f"NodeTemplate({', '.join([name, *self.defaults])})"


def _fresh(value: Any) -> Any:
    match value:
        case Shared(value=shared):
            return shared
        case Factory(make=make):
            return make()
        case list() | dict() | set():
            return copy.copy(value)
        case _:
            return value
