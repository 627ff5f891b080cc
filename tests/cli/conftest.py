"""What the tests of the command line share: a folder of their own, and a way to type a command."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs
import pytest
from typer.testing import CliRunner

from prismpy.cli._app import app


@attrs.frozen
class Answer:
    """What a command came to."""

    code: int
    """Exit code."""

    out: str
    """What went to standard output."""

    err: str = ""
    """What went to standard error."""


Command = Callable[..., Answer]
"""Takes the words of a command line, and by name `stdin`, text or bytes."""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give a test a current folder of its own, and forget afterwards what was imported from it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delenv("COLUMNS", raising=False)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if (getattr(sys.modules[name], "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture
def prismpy() -> Command:
    """Type a command, in this process."""

    def run(*words: str, stdin: str | bytes | None = None) -> Answer:
        result = CliRunner().invoke(app, words, input=stdin, prog_name="prismpy")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Answer(result.exit_code, result.stdout, result.stderr)

    return run


THREE = '''\
"""Tools in all three ways."""

from typing import Any

from prismpy import Artifact, Tool, ToolOutput, tool

weather = (
    Tool.as_("weather")
    .for_("Get current weather conditions\\nfor [bold]one[/bold] city")
    .with_string_parameter("city", "The city to get weather for")
    .with_enum_parameter("unit", "Temperature unit", ["c", "f"], required=False)
    .concurrent()
    .with_timeout(5)
    .with_provider_options("anthropic", cache_control={"type": "ephemeral"})
    .using(lambda city, unit="c": f"Sunny in {city}")
)


class StoreMemory(Tool):
    def __init__(self) -> None:
        self.as_("store_memory").for_("Remember a fact").requires_approval()

    def __call__(self, content: str) -> ToolOutput:
        print("storing")
        return ToolOutput("stored", artifacts=[Artifact.from_raw(content.encode(), "image/png", {"of": "user"}, "fact")])


@tool
def search_docs(query: str, top_k: int = 5, log: type[int] = int) -> dict[str, Any]:
    """Search a local doc index.

    Args:
        query: Search keywords.
        top_k: Max number of hits to return.
    """
    return {"query": query, "top_k": top_k}


class Remote(Tool):
    def __init__(self, url: str, *more: str, **options: Any) -> None:
        self.as_("remote")
'''


@pytest.fixture
def three(here: Path) -> Path:
    """Write a file with a tool of each kind, and one that cannot be made."""
    file = here / "three.py"
    file.write_text(THREE, "utf-8")
    return file
