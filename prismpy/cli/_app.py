"""
The commands, each a few lines: what they do stands in the files they call.

Exit codes: 0 for done, 1 for a tool that failed or a target whose every tool was refused, 2 for a command that cannot
be done as it was given, 130 for Ctrl-C.
"""

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated

import typer

from prismpy.lowering import counted, dialect

from ._call import approval, check_one, read_arguments, result_as_json, run
from ._check import as_json as review_as_json
from ._check import check_options, compared, looked_at, report, without
from ._contents import contents_of
from ._diff import as_json as diff_as_json
from ._diff import diffs, side_by_side
from ._durable import runs_app, worker
from ._export import changes_of, export_all
from ._lock import LOCK, read_lock, snapshot_of, write_lock
from ._output import open_missing_streams, output
from ._save import keep, make_folder
from ._show import (
    REFUSED,
    as_json,
    changes_as_json,
    counts,
    crash,
    details,
    note_refused,
    omissions,
    overview,
    refusal,
)

app = typer.Typer(
    help="Look at the tools in a module, export them for a provider, or call one.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)

Target = Annotated[
    str,
    typer.Argument(
        metavar="TARGET", help="module, file.py or file.json, and :object for one thing in it, which may be dotted."
    ),
]
AsJSON = Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")]
Strict = Annotated[bool, typer.Option("--strict", help="In the strict mode of those providers that have one.")]
Providers = Annotated[
    list[str] | None,
    typer.Option("--to", metavar="PROVIDER", help="Only this provider; may be given several times."),
]


@app.command("list")
def list_(target: Target, to_json: AsJSON = False) -> None:
    """List the tools of a target, and what in it can be no tool."""
    with output() as out:
        contents = contents_of(target)
        if to_json:
            out.json(as_json(contents))
        else:
            out.show(*overview(contents))
        raise typer.Exit(0 if contents.tools else 1)


@app.command()
def show(target: Target, to_json: AsJSON = False) -> None:
    """Show everything about the tools of a target."""
    with output() as out:
        contents = contents_of(target)
        if to_json:
            out.json(as_json(contents))
        else:
            out.show(*details(contents))
        raise typer.Exit(0 if contents.tools else 1)


@app.command()
def export(
    target: Target,
    to: Annotated[str, typer.Option("--to", metavar="PROVIDER", help="Such as openai, anthropic, mcp or json-schema.")],
    compact: Annotated[bool, typer.Option("--compact", help="Write one line.")] = False,
) -> None:
    """
    Write the tools of a target as JSON, as a provider takes them.

    That is the list for `tools` in a request; for json-schema an object, name to schema.
    """
    with output() as out:
        dialect(to)  # a wrong name is told before anything is imported
        contents = contents_of(target)
        exported, unfit = export_all(contents, to)
        note_refused((*contents.refused, *unfit), out)
        for text in omissions(contents):
            out.note(text, REFUSED)
        out.json(exported, compact)
        raise typer.Exit(0 if exported else 1)


@app.command()
def explain(
    target: Target,
    to: Annotated[str, typer.Option("--to", metavar="PROVIDER", help="Such as openai or anthropic.")],
    plain: Annotated[bool, typer.Option("--plain", help="Not the strict mode, if it has one.")] = False,
    to_json: AsJSON = False,
) -> None:
    """Tell what a provider is told otherwise than declared, and what it cannot enforce."""
    with output() as out:
        dialect(to)
        contents = contents_of(target)
        told, unfit = changes_of(contents, to, strict=not plain)
        note_refused((*contents.refused, *unfit), out)
        if to_json:
            out.json({name: changes_as_json(changes) for name, (_, changes) in told.items()})
        else:
            specs = {made.spec.name: made.spec for made in contents.tools}
            for name, (way, changes) in told.items():
                lines = (*changes, *crash(specs[name]))
                out.text("\n".join([f"{name}: {way}: {counted(changes)}", *(f"  {line}" for line in lines)]))
        raise typer.Exit(0 if told else 1)


@app.command()
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


@app.command()
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


@app.command()
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


@app.command()
def call(
    target: Target,
    arguments: Annotated[
        str | None, typer.Argument(metavar="[ARGUMENTS]", help="A JSON object; - reads it from standard input.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Agree, if the tool requires approval.")] = False,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="DIR", help="Write artifacts to files in this folder.")
    ] = None,
    to_json: AsJSON = False,
) -> None:
    """Call a tool with arguments as a model sends them, and print what the model would read."""
    with output() as out:
        contents = contents_of(target)
        check_one(contents, target)
        if contents.refused:
            out.error(refusal(contents.refused[0]))
            raise typer.Exit(1)
        make_folder(save)
        result = run(contents.tools[0].spec, read_arguments(arguments), approval(out, yes))
        if to_json:
            out.json(result_as_json(result))
        elif result.is_error:
            out.error(result.text)
        else:
            out.text(result.text)
        kept = keep(result.artifacts, save, out)
        raise typer.Exit(0 if kept and not result.is_error else 1)


@app.command()
def chat(
    target: Target,
    model: Annotated[
        str,
        typer.Option(
            "--model", metavar="MODEL", help="Such as openai:gpt-4.1, or scripted:FILE for one that is offline."
        ),
    ],
    prompt: Annotated[
        str | None, typer.Option("--prompt", "-p", metavar="WORDS", help="Ask this and end; else lines are read.")
    ] = None,
    system: Annotated[str, typer.Option("--system", metavar="WORDS", help="What the model is told to be.")] = "",
    steps: Annotated[int, typer.Option("--max-steps", help="How often the model may be asked for one answer.")] = 30,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Agree to each call that requires approval.")] = False,
) -> None:
    """Talk to a model that has the tools of a target; calls and their results are shown as they come."""
    # agents and stores take as long to load as all else, and most commands have no need of them; they are loaded before
    # the folder of a target is looked in for modules
    from ._chat import agent_of, asked, talk

    with output() as out:
        contents = contents_of(target)
        note_refused(contents.refused, out)
        agent = agent_of(contents, model, system, steps)
        raise typer.Exit(0 if talk(agent, asked(prompt, out), approval(out, yes), out) else 1)


@app.command()
def assistant(
    ask: Annotated[
        str | None, typer.Option("--ask", metavar="WORDS", help="Ask this here on the terminal and end; no page.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--folder", metavar="DIR", help="Where the assistant keeps everything.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", metavar="MODEL", help="Instead of the one that the environment has a key for."),
    ] = None,
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; by default this machine only.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0 for one that is free.")
    ] = 8321,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="With --ask: agree to calls that require approval.")] = False,
) -> None:
    """
    A personal assistant with memory, calendar, tasks and pictures, and a page that shows its tools at work.

    Without a key it is offline: rules in the place of a model, real tools.
    """
    from ._assistant import ask_here, open_home, serve_page

    with output() as out:
        home = open_home(folder, model)
        if ask is None:
            serve_page(home, host, port, out)
        else:
            raise typer.Exit(0 if ask_here(home, ask, approval(out, yes), out) else 1)


app.command()(worker)
app.add_typer(runs_app, name="runs")


# --- about the command itself -------------------------------------------------


def main() -> None:
    """Run the command `prismpy`."""
    open_missing_streams()
    app(prog_name="prismpy")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"prismpy {version_of('prismpy')}")
        raise typer.Exit


def version_of(distribution: str) -> str:
    """Return the version of an installed distribution, or say that it is none."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "(not installed, run from its source)"


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Say which version this is.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """Hold the options that need no command."""
