"""What `check` is asked, and its answer for people and for programs."""

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

import attrs
from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from prismpy.lowering import dialect
from prismpy.review import RULES, Finding, Review, changes_since, review
from prismpy.schema import JSON, nearest

from ._contents import Contents
from ._output import printable
from ._show import FAINT, NAME, REFUSED
from ._usage import UsageError

# --- what is asked ------------------------------------------------------------


def check_options(
    providers: Collection[str], strict: bool, ignored: Collection[str], lock: Path | None, locked: bool
) -> None:
    """
    Make sure that options are known and go together, before anything is imported.

    Raises:
        UsageError: naming the option.

        UnknownProviderError: listing the known names.
    """
    for provider in providers:
        dialect(provider)
    for rule in ignored:
        if rule not in RULES:
            msg = f"--ignore {rule}: there is no such rule{nearest(rule, list(RULES))}; known are {', '.join(RULES)}"
            raise UsageError(msg)
    if locked and (providers or strict):
        msg = "--locked compares what the snapshot holds; leave out --to and --strict"
        raise UsageError(msg)
    if lock is not None and not locked:
        msg = f"{str(lock)!r} is one word too many; to compare with a snapshot, write --locked too"
        raise UsageError(msg)


# --- what is found ------------------------------------------------------------


def looked_at(contents: Contents, providers: Collection[str], strict: bool) -> Review:
    """Look at the tools of a target, for some providers or for all; what can be no tool is found first."""
    found = review([made.spec for made in contents.tools], providers, strict=strict)
    return attrs.evolve(found, findings=(*_refused(contents), *found.findings))


def compared(contents: Contents, lock: JSON) -> Review:
    """Compare the tools of a target with a snapshot."""
    changes = changes_since(lock, [made.spec for made in contents.tools])
    return Review((*_refused(contents), *changes), ())


def without(found: Review, ignored: Collection[str]) -> Review:
    """Leave out what some rules found."""
    return attrs.evolve(found, findings=tuple(one for one in found.findings if one.rule not in ignored))


def _refused(contents: Contents) -> Iterator[Finding]:
    for one in contents.refused:
        yield Finding("refused", one.name, "", one.told)


# --- how it is told -----------------------------------------------------------


def as_json(found: Review) -> JSON:
    """
    Return a review as JSON.

    Returns:
        `{"findings": [{"rule", "tool", "path", "message", "providers"}], "sizes": [{"tool", "provider", "bytes",
        "tokens"}]}`; a finding has no providers if it does not depend on them.
    """
    return {
        "findings": [{**attrs.asdict(one), "providers": list(one.providers)} for one in found.findings],
        "sizes": [attrs.asdict(size) for size in found.sizes],
    }


def report(found: Review) -> Iterator[RenderableType]:
    """Render the sizes, the findings, one a line, and how many there are."""
    if found.sizes:
        yield _size_table(found)
    for one in found.findings:
        yield _line(one)
    count = len(found.findings)
    yield Text(f"{count} finding{'' if count == 1 else 's'}" if count else "nothing found")


def _line(one: Finding) -> Text:
    parts = [(one.tool, NAME), (one.path, ""), (one.rule, REFUSED), (one.message, "")]
    line = Text(": ").join(Text(printable(part), style) for part, style in parts if part)
    return line.append(f" ({', '.join(one.providers)})", FAINT) if one.providers else line


def _size_table(found: Review) -> Table:
    """Show bytes and estimated tokens, a row for each tool, a column for each provider, and the sums below."""
    providers = list(dict.fromkeys(size.provider for size in found.sizes))
    rows: dict[str, Counter[tuple[str, str]]] = {}
    sums: Counter[tuple[str, str]] = Counter()
    for size in found.sizes:
        counts = Counter({(size.provider, "bytes"): size.bytes, (size.provider, "tokens"): size.tokens})
        rows.setdefault(size.tool, Counter()).update(counts)
        sums.update(counts)
    table = Table("bytes, ~ tokens", box=box.SIMPLE_HEAD, pad_edge=False, show_footer=len(rows) > 1)
    table.columns[0].footer = "together"
    table.columns[0].overflow = "fold"
    for provider in providers:
        table.add_column(provider, _cell(sums, provider), justify="right")
    for name, row in rows.items():
        table.add_row(Text(printable(name), NAME), *(_cell(row, provider) for provider in providers))
    return table


def _cell(row: "Counter[tuple[str, str]]", provider: str) -> str:
    return f"{row[provider, 'bytes']} ~{row[provider, 'tokens']}" if (provider, "bytes") in row else "-"
