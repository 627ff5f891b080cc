"""
The command `prismpy`: its commands, each a few lines in `_looks`, `_deeds` and `_durable`, and what is about itself.

Exit codes: 0 for done, 1 for a tool that failed or a target whose every tool was refused, 2 for a command that cannot
be done as it was given, 130 for Ctrl-C.
"""

from importlib.metadata import PackageNotFoundError, version
from typing import Annotated

import typer

from ._deeds import assistant, call, chat
from ._durable import runs_app, worker
from ._looks import check, diff, explain, export, list_, lock, show
from ._output import open_missing_streams

app = typer.Typer(
    help="Look at the tools in a module, export them for a provider, or call one.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)

app.command("list")(list_)
for command in (show, export, explain, diff, check, lock, call, chat, assistant, worker):
    app.command()(command)
app.add_typer(runs_app, name="runs")


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
