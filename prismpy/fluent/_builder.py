"""
The chain: a shell that holds one draft and swaps it.

What a tool takes is added in `_inputs`, how it is run is said in `_conduct`;
what it can do once it is described stands in `_tool`.
"""

from collections.abc import Mapping
from typing import Any, Protocol, Self, TypeVar

from prismpy.lowering import dialect
from prismpy.schema import JSON, plain
from prismpy.tools import Handler

from ._conduct import Conduct
from ._inputs import Inputs

B = TypeVar("B", bound="Builder")
B_co = TypeVar("B_co", bound="Builder", covariant=True)


class _Naming(Protocol[B_co]):
    def __call__(self, name: str) -> B_co: ...


class _As:
    """
    Name the tool. On a class it starts a new tool, on an instance it goes on with that one.

    Args:
        name: As the model sees it. Most providers take letters, digits, `_` and `-`, at most 64 characters.

    Raises:
        DefinitionError: if it is empty, or no text.
    """

    def __get__(self, instance: B | None, owner: type[B]) -> _Naming[B]:
        def as_(name: str) -> B:
            builder = owner() if instance is None else instance
            if not isinstance(name, str) or not name:
                raise builder._mistake(f"as_() got {name!r}; pass a name for the tool")
            return builder._tool_swap(name=name)

        as_.__doc__ = self.__doc__
        return as_


class Builder(Inputs, Conduct):
    """The describing half of `Tool`; every method changes this object and returns it."""

    as_ = _As()

    def for_(self, description: str) -> Self:
        """Say for the model what the tool does and when to use it."""
        return self._tool_swap(description=description)

    def using(self, handler: Handler) -> Self:
        """
        Say what runs the tool.

        Args:
            handler: Takes the parameters by name, sync or async, and returns text, anything that becomes JSON, a
                `ToolOutput`, or a `ToolError`. A subclass with `__call__` passes itself.

        Raises:
            DefinitionError: if it cannot be called.
        """
        if not callable(handler):
            advice = "define __call__ in the class" if handler is self else "pass a function or an object with __call__"
            raise self._mistake(f"using() got {handler!r}, which cannot be called; {advice}")
        # a tool that runs itself does not hold itself, so that a copy of it runs the copy
        own: Any = self
        return self._tool_swap(handler=None if handler is own else handler)

    def with_provider_options(self, provider: str, **options: JSON) -> Self:
        """
        Send further options with the tool to one provider, in its own words.

        Args:
            provider: As in `to`. Options for a provider add up over several calls.

            options: Such as `cache_control={"type": "ephemeral"}`; exporting refuses those it does not document.

        Raises:
            UnknownProviderError: listing the known names.
        """
        dialect(provider)
        options = plain(options)
        known: Mapping[str, Mapping[str, Any]] = self._tool_draft.provider_options
        return self._tool_swap(provider_options={**known, provider: {**known.get(provider, {}), **options}})
