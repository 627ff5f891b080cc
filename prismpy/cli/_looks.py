"""The commands that look at tools, of which none runs."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import RenderableType

from prismpy.lowering import counted, dialect

from ._check import as_json as review_as_json
from ._check import check_options, compared, looked_at, report, without
from ._contents import Contents, contents_of
from ._diff import as_json as diff_as_json
from ._diff import diffs, side_by_side
from ._export import changes_of, export_all
from ._lock import LOCK, read_lock, snapshot_of, write_lock
from ._output import output
from ._parameters import AsJSON, Target
from ._show import REFUSED, as_json, changes_as_json, counts, crash, details, note_refused, omissions, overview

Strict = Annotated[bool, typer.Option("--strict", help="In the strict mode of those providers that have one.")]
Providers = Annotated[
    list[str] | None,
    typer.Option("--to", metavar="PROVIDER", help="Only this provider; may be given several times."),
]


def list_(target: Target, to_json: AsJSON = False) -> None:
    """List the tools of a target, and what in it can be no tool."""
    _look(target, overview, to_json)


def show(target: Target, to_json: AsJSON = False) -> None:
    """Show everything about the tools of a target."""
    _look(target, details, to_json)


def _look(target: str, told: Callable[[Contents], Iterable[RenderableType]], to_json: bool) -> None:
    with output() as out:
        contents = contents_of(target)
        if to_json:
            out.json(as_json(contents))
        else:
            out.show(*told(contents))
        raise typer.Exit(0 if contents.tools else 1)


def export(
    target: Target,
    to: Annotated[str, typer.Option("--to", metavar="PROVIDER", help="Such as openai, anthropic, mcp or json-schema.")],
    strict: Annotated[bool, typer.Option("--strict", help="In its strict mode, which it must have.")] = False,
    compact: Annotated[bool, typer.Option("--compact", help="Write one line.")] = False,
) -> None:
    """
    Write the tools of a target as JSON, as a provider takes them.

    That is the list for `tools` in a request; for json-schema an object, name to schema.
    """
    with output() as out:
        dialect(to)  # a wrong name is told before anything is imported
        contents = contents_of(target)
        exported, unfit = export_all(contents, to, strict=strict)
        note_refused((*contents.refused, *unfit), out)
        for text in omissions(contents):
            out.note(text, REFUSED)
        out.json(exported, compact)
        raise typer.Exit(0 if exported else 1)


def explain(
    target: Target,
    to: Annotated[str, typer.Option("--to", metavar="PROVIDER", help="Such as openai or anthropic.")],
    strict: Annotated[bool, typer.Option("--strict/--plain", help="In its strict mode, if it has one, or not.")] = True,
    to_json: AsJSON = False,
) -> None:
    """Tell what a provider is told otherwise than declared, and what it cannot enforce."""
    with output() as out:
        dialect(to)
        contents = contents_of(target)
        told, unfit = changes_of(contents, to, strict=strict)
        note_refused((*contents.refused, *unfit), out)
        if to_json:
            out.json({name: changes_as_json(changes) for name, (_, changes) in told.items()})
        else:
            specs = {made.spec.name: made.spec for made in contents.tools}
            for name, (way, changes) in told.items():
                lines = (*changes, *crash(specs[name]))
                out.text("\n".join([f"{name}: {way}: {counted(changes)}", *(f"  {line}" for line in lines)]))
        raise typer.Exit(0 if told else 1)


def diff(
    target: Target,
    left: Annotated[str, typer.Argument(metavar="PROVIDER", help="Such as openai.")],
    right: Annotated[str, typer.Argument(metavar="PROVIDER", help="Such as anthropic.")],
    strict: Strict = False,
    to_json: AsJSON = False,
) -> None:
    """Show side by side what two providers are told of the tools of a target."""
    with output() as out:
        for name in (left, right):
            dialect(name)
        contents = contents_of(target)
        told, unfit = diffs(contents, (left, right), strict)
        note_refused((*contents.refused, *unfit), out)
        if to_json:
            out.json(diff_as_json(told))
        elif told:
            out.show(*side_by_side(told))
        raise typer.Exit(0 if told else 1)


def check(
    target: Target,
    lock: Annotated[Path | None, typer.Argument(metavar="[LOCK]", help=f"With --locked; {LOCK} if left out.")] = None,
    locked: Annotated[bool, typer.Option("--locked", help="Compare with what `prismpy lock` wrote, instead.")] = False,
    to: Providers = None,
    strict: Strict = False,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", metavar="RULE", help="Not this rule; may be given several times.")
    ] = None,
    to_json: AsJSON = False,
) -> None:
    """
    Find what providers refuse or lose of the tools of a target, what is said badly, and what each costs.

    The exit code is 1 if anything is found.
    """
    with output() as out:
        check_options(to or (), strict, ignore or (), lock, locked)
        old = read_lock(lock or Path(LOCK)) if locked else None
        contents = contents_of(target)
        found = looked_at(contents, to or (), strict) if old is None else compared(contents, old)
        found = without(found, ignore or ())
        if to_json:
            out.json(review_as_json(found))
        else:
            out.show(*report(found))
        raise typer.Exit(1 if found.findings else 0)


def lock(
    target: Target,
    to: Providers = None,
    file: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where to write it.")] = Path(LOCK),
) -> None:
    """Write a snapshot of what all providers are told of the tools of a target, for `prismpy check --locked`."""
    with output() as out:
        contents = contents_of(target)
        note_refused(contents.refused, out)
        write_lock(file, snapshot_of(contents, to or ()))
        out.text(f"{file}: {counts(contents)}")
        raise typer.Exit(0 if contents.tools else 1)
