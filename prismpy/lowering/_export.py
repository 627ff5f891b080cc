"""From a complete tool to what a provider takes."""

import re
from typing import Literal, TypeAlias

from prismpy.errors import LoweringError
from prismpy.schema import JSON, emit, plain
from prismpy.tools import ToolSpec

from ._dialects import Dialect, dialect
from ._lower import OnLoss, has_strict_mode, lower

Strict: TypeAlias = bool | Literal["auto"]
"""Whether to use a provider's strict mode; `auto`: wherever there is one and nothing is lost by it."""


def export(spec: ToolSpec, provider: str, *, strict: Strict = False, on_loss: OnLoss = "describe") -> dict[str, JSON]:
    """
    Write a tool as a provider takes it.

    Args:
        spec: A complete tool.

        provider: A name in the table of dialects.

        strict: Whether to compile the parameters to the provider's strict subset; else they are as declared.

        on_loss: What to do about what that subset cannot say.

    Returns:
        New containers: one element of the request's `tools`, or for `json-schema` the parameters alone.

    Raises:
        UnknownProviderError: if the provider is none.

        LoweringError: if the provider takes no tool of that name, documents no such option, has no strict mode, or
            loss is refused and there is some.
    """
    target = dialect(provider)
    _check_name(spec, target)
    options = plain(dict(spec.provider_options.get(provider, {})))
    _check_options(spec, target, options)
    if strict == "auto":
        strict = has_strict_mode(provider) and not lower(spec, provider, strict=True).is_lossy
    parameters = lower(spec, provider, strict=True, on_loss=on_loss).schema if strict else emit(spec.parameters)
    exported: dict[str, JSON] = target.wrap(spec, parameters, {"strict": True, **options} if strict else options)
    return exported


def _check_name(spec: ToolSpec, target: Dialect) -> None:
    if target.name_pattern and not re.fullmatch(target.name_pattern, spec.name):
        msg = f"tool {spec.name!r}: {target.name} takes names matching {target.name_pattern} only; rename it with as_()"
        raise LoweringError(msg, tool=spec.name, provider=target.name)


def _check_options(spec: ToolSpec, target: Dialect, options: JSON) -> None:
    for option in options:
        if option not in target.options:
            known = ", ".join(sorted(target.options)) or "none"
            msg = f"tool {spec.name!r}: {target.name} documents no tool option {option!r}; it documents {known}"
            raise LoweringError(msg, tool=spec.name, provider=target.name)
