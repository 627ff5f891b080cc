"""
Where a command speaks: its answer goes to standard output, everything else to standard error.

Text from tools is data: control characters are spelled out, and nothing in it is markup.
"""

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from io import TextIOWrapper, UnsupportedOperation
from typing import Any

import typer
from rich.console import Console, RenderableType
from rich.text import Text

from prismpy.errors import PrismError

from ._usage import words

WIDTH = 120
"""Columns of an answer that goes to no terminal, unless `COLUMNS` says otherwise."""


class Output:
    """
    The voice of one command.

    Args:
        stream: Takes the answer.
    """

    def __init__(self, stream: TextIOWrapper) -> None:
        self._stream = stream
        told = stream.isatty() or "COLUMNS" in os.environ
        self._people = Console(file=stream, width=None if told else WIDTH, markup=False, emoji=False, highlight=False)
        self._notes = Console(stderr=True, markup=False, emoji=False, highlight=False, soft_wrap=True)

    def show(self, *answers: RenderableType) -> None:
        """Answer people. Tables are fitted to its width; lines of text are left whole, so that they can be searched."""
        if self._stream.isatty():
            self._print(answers)
            return
        with self._people.capture() as captured:
            self._print(answers)
        lines = captured.get().removesuffix("\n").split("\n")
        self._write("\n".join(line.rstrip() for line in lines))

    def text(self, text: str) -> None:
        """Answer with a text as it is; only on a terminal are its control characters spelled out."""
        self._write(printable(text) if self._stream.isatty() else text)

    def piece(self, text: str, style: str = "") -> None:
        """Answer with the next piece of a text, at once and without a line break."""
        if self._stream.isatty():
            self._people.print(printable(text), style=style, end="", soft_wrap=True)
        else:
            self._stream.write(text)
        self._stream.flush()

    def json(self, value: Any, compact: bool = False) -> None:
        """Answer programs: one JSON value, in UTF-8 whatever the terminal speaks."""
        # a lone surrogate, which UTF-8 cannot carry, is then written as JSON escapes it
        self._stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        self._write(json.dumps(value, ensure_ascii=False, indent=None if compact else 2))

    def note(self, text: str, style: str = "") -> None:
        """Tell people something beside the answer."""
        self._notes.print(printable(text), style=style)

    def error(self, text: str) -> None:
        """Tell people what went wrong."""
        self.note(text, "red")

    def ask(self, question: str) -> bool:
        """Ask on the terminal; only a yes is one."""
        self._notes.print(f"{printable(question)} [y/N] ", end="")
        return sys.stdin.readline().strip().casefold() in {"y", "yes"}

    def _print(self, answers: Iterable[RenderableType]) -> None:
        for answer in answers:
            self._people.print(answer, soft_wrap=isinstance(answer, Text))

    def _write(self, text: str) -> None:
        self._stream.write(text + "\n")
        self._stream.flush()


@contextmanager
def output() -> Iterator[Output]:
    """
    Lend standard output to a command for its answer.

    Meanwhile, whatever else prints (a target while it is imported, a handler, a
    program that it starts) prints to standard error. Mistakes that `PrismError`
    names end the command with exit code 2, an answer that cannot be written with 1.
    """
    with _own_stdout() as stream:
        out = Output(stream)
        try:
            yield out
        except PrismError as error:
            out.error(f"prismpy: {error}")
            raise typer.Exit(2) from error
        except OSError as error:
            if not isinstance(error, BrokenPipeError):
                out.error(f"prismpy: {words(error)}")
            raise typer.Exit(1) from error


@contextmanager
def _own_stdout() -> Iterator[TextIOWrapper]:
    """Lead standard output to where standard error goes, and return a stream to where it led before."""
    stdout = sys.stdout
    assert isinstance(stdout, TextIOWrapper)  # noqa: S101  # what a command is started with
    with redirect_stdout(sys.stderr):
        try:
            ours, theirs = stdout.fileno(), sys.stderr.fileno()
        except UnsupportedOperation:  # streams of a test, with no file behind
            stdout.reconfigure(errors="backslashreplace")
            yield stdout
            return
        stream = os.fdopen(os.dup(ours), "w", encoding=stdout.encoding, errors="backslashreplace")
        # to the end of the process: threads, exit handlers and C libraries may print after the answer
        os.dup2(theirs, ours)
        try:
            yield stream
        finally:
            with suppress(OSError):  # an answer that could not be written is told where it was written
                stream.close()


def open_missing_streams() -> None:
    """Stand in for the streams that whoever started the command has closed; Python leaves them None."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115  # open to the end


def printable(text: str) -> str:
    r"""Spell out control characters, such as those that steer a terminal: `\x1b`. Line breaks and tabs stay."""
    return _STEERING.sub(_spell, text.replace("\r\n", "\n"))


_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What moves the cursor, colours the terminal, or turns the direction of text."""


def _spell(found: re.Match[str]) -> str:
    return ascii(found[0])[1:-1]
