"""The commands that run tools: one by hand, or those that a model calls."""

from pathlib import Path
from typing import Annotated

import typer

from ._call import approval, check_one, read_arguments, result_as_json, run
from ._contents import contents_of
from ._output import output
from ._parameters import AsJSON, Target
from ._save import keep, make_folder
from ._show import note_refused, refusal


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
