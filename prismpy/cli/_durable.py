"""
The commands for durable runs: a process that drives them, and a look at them from outside.

What they do stands in `_runs`, which loads agents and the engine, and is loaded by those who need it.
"""

from typing import Annotated

import typer

from ._output import output

Database = Annotated[
    str,
    typer.Option(
        "--database",
        metavar="URL",
        envvar="PRISMPY_DATABASE",
        help="sqlite:///runs.db or postgresql://user@host/database.",
    ),
]
Id = Annotated[str, typer.Argument(metavar="RUN", help="Id of the run.")]
AsJSON = Annotated[bool, typer.Option("--json", help="Answer with one JSON value.")]

runs_app = typer.Typer(help="Look at durable runs, answer them, stop them, go on with them.", no_args_is_help=True)


def worker(
    target: Annotated[
        str,
        typer.Argument(metavar="TARGET", help="module or file.py, and :object in it: a DurableRuns, or agents."),
    ],
    database: Annotated[
        str | None,
        typer.Option("--database", metavar="URL", envvar="PRISMPY_DATABASE", help="Unless a DurableRuns says it."),
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="Of this worker; by default host and process.")] = None,
    drain: Annotated[bool, typer.Option("--drain", help="End when there is nothing left to do.")] = False,
) -> None:
    """Drive the durable runs of the agents of a target until Ctrl-C, those of workers that died among them."""
    from ._runs import runs_of, work

    with output() as out, runs_of(target, database, name) as runs:
        work(runs, out, drain)


@runs_app.command("list")
def list_(
    database: Database,
    limit: Annotated[int, typer.Option("--limit", help="How many, newest first.")] = 100,
    to_json: AsJSON = False,
) -> None:
    """List runs, newest first."""
    from ._runs import as_json, opened, overview

    with output() as out, opened(database) as runs:
        found = runs.list(limit=limit)
        if to_json:
            out.json([as_json(run) for run in found])
        else:
            out.show(overview(found))


@runs_app.command()
def show(id: Id, database: Database, to_json: AsJSON = False) -> None:
    """Show a run: how it stands, what it waits for, its calls and its answer."""
    from ._runs import as_json, details, opened

    with output() as out, opened(database) as runs:
        run, calls = runs.get(id), runs.calls(id)
        if to_json:
            out.json(as_json(run, calls))
        else:
            out.show(*details(run, calls))


@runs_app.command()
def resume(id: Id, database: Database) -> None:
    """Go on with a run that failed or was cancelled, or whose worker died; a worker then takes it."""
    from ._runs import opened

    with output() as out, opened(database) as runs:
        out.text(f"{id}: {runs.resume(id).status}")


@runs_app.command()
def cancel(id: Id, database: Database) -> None:
    """Stop a run; resume goes on with it."""
    from ._runs import opened

    with output() as out, opened(database) as runs:
        out.text(f"{id}: {runs.cancel(id).status}")


@runs_app.command()
def answer(
    id: Id,
    call: Annotated[str, typer.Argument(metavar="CALL", help="Id of the call that waits.")],
    database: Database,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Agree to it.")] = False,
    no: Annotated[str | None, typer.Option("--no", metavar="WHY", help="Refuse it, and tell the model why.")] = None,
    text: Annotated[str | None, typer.Option("--text", help="What an external tool returns.")] = None,
) -> None:
    """Answer a call that a run waits for; the first answer holds."""
    from ._runs import answer_of, opened

    with output() as out:
        given = answer_of(yes, no, text)
        with opened(database) as runs:
            out.text(f"{id}: {runs.answer(id, {call: given}).status}")
