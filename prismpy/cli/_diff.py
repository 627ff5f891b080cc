"""What two providers are told of the same tools, side by side."""

from collections.abc import Iterator

import attrs
from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from prismpy.lowering import Change, counted
from prismpy.review import Offered, Row, align, offered
from prismpy.schema import JSON

from ._contents import Contents
from ._export import check_names, unfit
from ._output import printable
from ._show import NAME, REFUSED, changes_as_json
from ._targets import Refused


@attrs.frozen
class Told:
    """What a provider is told of a tool."""

    provider: str
    strict: bool
    exported: JSON
    changes: tuple[Change, ...]


@attrs.frozen
class Diff:
    """What two providers are told of one tool."""

    tool: str
    left: Told
    right: Told


def diffs(contents: Contents, providers: tuple[str, str], strict: bool) -> tuple[tuple[Diff, ...], tuple[Refused, ...]]:
    """
    Export the tools of a target for two providers.

    Args:
        contents: What the target holds.

        providers: Known names.

        strict: Whether to use the strict mode of those that have one.

    Returns:
        What both are told, and the tools that one of them does not take.

    Raises:
        DefinitionError: if two tools have the same name.
    """
    check_names(contents)
    specs = [made.spec for made in contents.tools]
    left, right = (offered(specs, name, strict=strict) for name in providers)
    told = tuple(Diff(name, _told(left, name), _told(right, name)) for name in left.tools if name in right.tools)
    return told, (*unfit(contents, left), *unfit(contents, right))


def _told(offer: Offered, name: str) -> Told:
    return Told(offer.provider, offer.lowered[name].strict, offer.tools[name], offer.changes[name])


def as_json(found: tuple[Diff, ...]) -> JSON:
    """
    Return diffs as JSON.

    Returns:
        `{tool: {provider: {"strict", "tool", "changes": [{"rule", "path", "before", "after", "lossy"}]}}}`.
    """
    return {
        one.tool: {
            told.provider: {
                "strict": told.strict,
                "tool": told.exported,
                "changes": changes_as_json(told.changes),
            }
            for told in (one.left, one.right)
        }
        for one in found
    }


def side_by_side(found: tuple[Diff, ...]) -> Iterator[RenderableType]:
    """Render a table for each tool: lines that say the same beside each other, the others marked as by `diff -y`."""
    for one in found:
        yield Text(printable(one.tool), NAME)
        table = Table(_title(one.left), "", _title(one.right), box=box.SIMPLE_HEAD, pad_edge=False, expand=True)
        table.columns[0].ratio = table.columns[2].ratio = 1
        table.columns[0].overflow = table.columns[2].overflow = "fold"
        for row in align(one.left.exported, one.right.exported):
            style = "" if row.is_same else REFUSED
            table.add_row(_line(row.left, style), _sign(row), _line(row.right, style))
        yield table


def _title(told: Told) -> str:
    return f"{told.provider}{' strict' if told.strict else ''}: {counted(told.changes)}"


def _line(line: str | None, style: str) -> Text:
    return Text(printable(line or ""), style)


def _sign(row: Row) -> Text:
    sign = " " if row.is_same else "<" if row.right is None else ">" if row.left is None else "|"
    return Text(sign, REFUSED)
