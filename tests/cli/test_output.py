"""How a command speaks, and what happens when nobody listens."""

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from prismpy import PrismError
from prismpy.cli._output import Output, output, printable


class Stream(io.TextIOWrapper):
    """Standard output as a test hands it in: bytes in memory, perhaps called a terminal."""

    def __init__(self, encoding: str = "utf-8", terminal: bool = False) -> None:
        self.bytes = io.BytesIO()
        self.terminal = terminal
        super().__init__(self.bytes, encoding, errors="backslashreplace", newline="\n")

    def isatty(self) -> bool:
        return self.terminal

    @property
    def content(self) -> bytes:
        self.flush()
        return self.bytes.getvalue()


# --- text ---------------------------------------------------------------------


def test_control_characters_are_spelled_out() -> None:
    """A tool cannot steer the terminal; its line breaks and tabs are kept."""
    assert printable("a\x1b[31m\0\x7f\x9b\rb\tc\r\nd\n") == r"a\x1b[31m\x00\x7f\x9b\rb" + "\tc\nd\n"


def test_marks_that_turn_text_around_are_spelled_out() -> None:
    """A name that reads backwards on the terminal may hide what it says."""
    assert printable("invoice\u202egpj.exe\u2069") == r"invoice\u202egpj.exe\u2069"


@given(st.text())
def test_printable_text_is_left_alone(text: str) -> None:
    """Spelling out twice changes nothing."""
    assert printable(printable(text)) == printable(text)


def test_a_result_is_written_as_it_is() -> None:
    """Where no terminal could be harmed, a text is data, byte for byte."""
    stream = Stream()

    Output(stream).text("[bold]a\x1b[31m :smile: ü\tb" + "c" * 200)

    assert stream.content.decode() == "[bold]a\x1b[31m :smile: ü\tb" + "c" * 200 + "\n"


def test_a_result_does_not_steer_the_terminal() -> None:
    """On a terminal the same text is made harmless."""
    stream = Stream(terminal=True)

    Output(stream).text("a\x1b[31m")

    assert stream.content == b"a\\x1b[31m\n"


def test_lines_are_left_whole_and_without_trailing_blanks() -> None:
    """What goes to a file can be searched by line, and has no padding; markup is text."""
    stream = Stream()

    Output(stream).show(Text("[bold]" + "word " * 50), Text("end"))

    assert stream.content.decode() == "[bold]" + ("word " * 50).rstrip() + "\nend\n"


def test_a_line_separator_of_unicode_breaks_no_line() -> None:
    """Lines end where they are ended, not where Unicode might end one."""
    stream = Stream()

    Output(stream).show(Text("a\u2028b"))

    assert stream.content.decode() == "a\u2028b\n"


def test_terminals_get_what_they_can_show() -> None:
    """A terminal that cannot show a character gets it spelled out."""
    stream = Stream("ascii", terminal=True)

    Output(stream).show(Text("ü图"))

    assert stream.content == b"\\xfc\\u56fe\n"


# --- JSON ---------------------------------------------------------------------


@given(st.recursive(st.none() | st.text(st.characters()), st.lists, max_leaves=5))
def test_json_is_utf_8_and_reads_back(value: object) -> None:
    """Programs read UTF-8 whatever the terminal speaks; a lone surrogate, which UTF-8 lacks, is escaped."""
    stream = Stream("ascii")

    Output(stream).json(value)

    assert json.loads(stream.content.decode("utf-8")) == value


def test_json_is_indented_unless_compact() -> None:
    """People may look at it too; one line is for logs and shells."""
    indented, compact = Stream(), Stream()

    Output(indented).json({"a": ["é"]})
    Output(compact).json({"a": ["é"]}, compact=True)

    assert indented.content.decode() == '{\n  "a": [\n    "é"\n  ]\n}\n'
    assert compact.content.decode() == '{"a": ["é"]}\n'


# --- mistakes -----------------------------------------------------------------


def run(error: BaseException) -> tuple[int, str]:
    """Let a command fail, and return its exit code and what it says."""
    said = io.StringIO()
    with redirect_stdout(Stream()), redirect_stderr(said), pytest.raises(typer.Exit) as raised, output():
        raise error
    return raised.value.exit_code, said.getvalue()


def test_a_mistake_is_one_line_and_exit_code_2() -> None:
    """The line is never wrapped, and markup in it is text."""
    assert run(PrismError("[bold] " + "x" * 200)) == (2, "prismpy: [bold] " + "x" * 200 + "\n")


def test_a_reader_that_went_away_is_nothing_to_tell() -> None:
    """`| head` has seen enough."""
    assert run(BrokenPipeError()) == (1, "")


def test_an_answer_that_cannot_be_written_is_told() -> None:
    """A full disk is no reason for a stack trace, but one to fail."""
    assert run(OSError(28, "No space left on device")) == (1, "prismpy: OSError: [Errno 28] No space left on device\n")


def test_meanwhile_everything_else_prints_to_standard_error() -> None:
    """The answer stands alone on standard output, which is restored."""
    stdout, stderr = Stream(), io.StringIO()

    with redirect_stdout(stdout), redirect_stderr(stderr):
        with output() as out:
            sys.stdout.write("noise\n")
            out.text("answer")
        sys.stdout.write("after\n")

    assert (stdout.content, stderr.getvalue()) == (b"answer\nafter\n", "noise\n")
