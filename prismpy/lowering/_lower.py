"""From a complete tool to a provider's words, with every change reported and the way back for arguments."""

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Literal, TypeAlias

import attrs

from prismpy.errors import DefinitionError, LoweringError
from prismpy.schema import JSON, emit, plain, upgrade
from prismpy.tools import ToolSpec

from ._changes import Change, counted
from ._compile import compile_parameters
from ._dialects import Dialect, dialect, strict_providers
from ._free_text import described, text_of
from ._lens import Lens, decoded, encoded
from ._limits import strictness
from ._root import at_root

OnLoss: TypeAlias = Literal["describe", "raise"]
"""What to do about what a strict subset cannot say: tell the model in words, or refuse."""


@attrs.frozen
class Lowered:
    """A tool's parameters in a provider's words. `str()` of it lists the changes."""

    provider: str
    """Name of the provider."""

    strict: bool
    """Whether it is the provider's strict subset."""

    changes: tuple[Change, ...]
    """What differs from the declared schema, in its order."""

    _lens: Lens = attrs.field(repr=False)

    takes_text: bool = False
    """Whether a call comes with one text as it is, instead of an object; `encode` and `decode` translate it too."""

    @property
    def schema(self) -> dict[str, JSON]:
        """The schema that the provider is told; new containers at each look."""
        schema: dict[str, JSON] = plain(self._lens.schema)
        return schema

    @property
    def translates(self) -> bool:
        """Whether `encode` and `decode` have anything to do."""
        return self._lens.encode is not None or self._lens.decode is not None

    @property
    def is_lossy(self) -> bool:
        """Whether something declared is told in words only. It is enforced here all the same."""
        return any(change.lossy for change in self.changes)

    def encode(self, arguments: JSON) -> JSON:
        """
        Translate arguments that the declared schema accepts into the provider's form.

        Returns:
            New containers that the lowered schema accepts. Never fails: what the declared schema does not accept is
            left alone where it does not fit.
        """
        return self._translated(arguments, encoded)

    def decode(self, arguments: JSON) -> JSON:
        """
        Translate arguments as the provider sends them into the declared form.

        A null that stands for a left-out property is dropped, entries become objects again, JSON text what it says.

        Args:
            arguments: Decoded JSON, shaped like the lowered schema or not at all.

        Returns:
            New containers. Never fails: what does not fit is left alone for the executor to report. A property whose
            default is null may come back as null where it was left out.
        """
        return self._translated(arguments, decoded)

    def _translated(self, arguments: JSON, translate: Callable[[Lens, JSON], JSON]) -> JSON:
        try:
            arguments = plain(arguments)
        except DefinitionError:  # no JSON, or too deep
            return arguments
        return translate(self._lens, arguments)

    def __str__(self) -> str:
        head = f"{self.provider}, {'strict' if self.strict else 'plain'}: {counted(self.changes)}"
        return "\n".join([head, *(f"  {change}" for change in self.changes)])


def has_strict_mode(provider: str) -> bool:
    """Tell whether a provider has a strict mode."""
    return dialect(provider).strict is not None


def lower(spec: ToolSpec, provider: str, *, strict: bool = False, on_loss: OnLoss = "describe") -> Lowered:
    """
    Compile the parameters of a tool to what a provider can say.

    Args:
        spec: A complete tool.

        provider: A name in the table of dialects.

        strict: Whether to keep to the provider's strict subset, so that it enforces what it is told. A schema that is
            too large for it stays as it is without, which is a change and a loss.

        on_loss: `describe` tells the model in words what cannot be said; `raise` refuses.

    Raises:
        UnknownProviderError: if the provider is none.

        LoweringError: if it has no strict mode, or loss is refused and there is some.
    """
    target = dialect(provider)
    if strict and target.strict is None:
        msg = f"tool {spec.name!r}: {provider} has no strict mode; {', '.join(strict_providers())} have one"
        raise LoweringError(msg, tool=spec.name, provider=provider)
    lowered = _lowered(spec, target, strict)
    if on_loss == "raise":
        refuse_loss(spec.name, lowered)
    return lowered


def refuse_loss(tool: str, lowered: Lowered) -> None:
    """
    Let nothing be told in words only.

    Raises:
        LoweringError: naming every place where something is.
    """
    if lowered.is_lossy:
        lost = "; ".join(f"{change.path} ({change.rule})" for change in lowered.changes if change.lossy)
        msg = f"tool {tool!r}: {lowered.provider} cannot say {lost}; drop it, or allow it with on_loss='describe'"
        raise LoweringError(msg, tool=tool, provider=lowered.provider, changes=lowered.changes)


def _lowered(spec: ToolSpec, target: Dialect, strict: bool) -> Lowered:
    schema = emit(spec.parameters)
    if spec.free_text is None:
        return _lower(json.dumps(schema), target, strict)
    if target.wrap_text is not None:
        lens, changes = text_of(spec, spec.free_text)
        return Lowered(target.name, False, changes, lens, takes_text=True)
    schema, changes = described(schema, spec.free_text)
    lowered = _lower(json.dumps(schema), target, strict)
    return attrs.evolve(lowered, changes=(*changes, *lowered.changes))


@lru_cache(maxsize=4096)
def _lower(document: str, target: Dialect, strict: bool) -> Lowered:
    """Compile once for each schema, by its text, in which 1, 1.0 and true differ."""
    schema, changes = json.loads(document), []
    if not target.any_draft:
        schema, notes = upgrade(schema)
        changes = [Change("upgraded", note.path, note.before, note.after) for note in notes]
    subset = target.strict if strict else target.plain
    lens, compiled, fits = (Lens(schema), (), True) if subset is None else compile_parameters(schema, subset)
    if strict and not (fits and target.request.holds(1, *strictness(lens.schema))):
        why = target.request.told if fits else "the schema is larger than the strict mode takes"
        return not_strict(_lower(document, target, False), "too-large", why)
    lens, at_top = at_root(lens, target.root)
    return Lowered(target.name, strict, (*changes, *compiled, *at_top), lens)


def not_strict(lowered: Lowered, rule: str, why: str, *, lossy: bool = True) -> Lowered:
    """Say of a tool as declared that it was meant to be strict, and why it is not."""
    change = Change(rule, "$", "strict", f"not strict: {why}", lossy)
    return attrs.evolve(lowered, changes=(change, *lowered.changes))
