"""The guide's code with a PostgreSQL URL: the same, as it says. `tests/test_docs.py` runs it on SQLite."""

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import NewDatabase

GUIDE = Path(__file__).parent.parent.parent / "docs" / "guides" / "durable.md"


def test_the_guide_runs_on_postgresql(new_postgres: NewDatabase) -> None:
    """Every example gives the same, up to the name of the database in the words of an error."""
    code = f"import doctest; print(doctest.testfile({str(GUIDE)!r}, module_relative=False, encoding='utf-8'))"
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", code],
        capture_output=True,
        encoding="utf-8",
        check=True,
        env={**os.environ, "GUIDE_DATABASE": new_postgres()},
    )
    got = re.findall(r"^Got:\n(.*)$", done.stdout, re.MULTILINE)

    assert [words.strip() for words in got] == ["'book failed: ProgrammingError: (psycopg.'"]


def test_the_guides_app_runs_on_postgresql(
    new_postgres: NewDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its worker drives the run that was started, each call through the queue of its tool."""
    (app,) = re.findall(r"```python app.py\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "app.py").write_text(app, encoding="utf-8")
    monkeypatch.setenv("GUIDE_DATABASE", new_postgres())
    with runpy.run_path(str(tmp_path / "app.py"))["durable"] as durable:
        durable.work()

        assert durable.result("print", timeout=60).text == "All printed."
        assert [result.text for result in durable.result("print").tool_results] == ["page 0", "page 1", "page 2"]
