"""What a lowering did to a schema, as data and in words."""

import json
from collections.abc import Sequence
from typing import Final

import attrs

from prismpy.schema import JSON, cut, describe, plain


@attrs.frozen
class Change:
    """One difference between what was declared and what a provider is told."""

    rule: str
    """Which rule of the provider made it: `all-required`, `closed-objects`, `unsupported-keyword`, ..."""

    path: str
    """Where in the declared schema, as a JSON Path; `name` for the name of the tool."""

    before: JSON = attrs.field(converter=plain, eq=repr)
    """What was declared there."""

    after: JSON = attrs.field(converter=plain, eq=repr)
    """What the provider is told: a schema, or words."""

    lossy: bool = False
    """Whether the provider no longer enforces something. It is still enforced here when a call comes in."""

    tool: str = ""
    """Declared name of the tool, in the changes of an offer; "" in those of one schema."""

    def __str__(self) -> str:
        loss = f", {_LOSSES.get(self.rule, 'told in words only')}" if self.lossy else ""
        where = f"{self.tool}: {self.path}" if self.tool else self.path
        told = describe(self.after) if isinstance(self.after, dict) else _show(self.after) if self.after != "" else ""
        return f"{where}: {self.rule}{loss}: {_show(self.before)} -> {cut(told, 100) or 'left out'}"


_LOSSES: Final = {"too-large": "not enforced", "request-limit": "not enforced"}
"""Rule to what a loss by it comes to, where that is more than one keyword."""


def counted(changes: Sequence[Change]) -> str:
    """Say how many changes there are, and how many of them lose something."""
    if not changes:
        return "nothing changes"
    lossy = sum(change.lossy for change in changes)
    return f"{len(changes)} change{'' if len(changes) == 1 else 's'}" + (f", {lossy} lossy" if lossy else "")


def _show(value: JSON) -> str:
    return cut(json.dumps(value, ensure_ascii=False), 60)
