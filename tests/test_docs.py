"""The examples of the README and of `docs/` run as printed."""

import os
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_examples_run_as_printed(page: Path) -> None:
    """Every `>>>` example gives the output beside it; each page has an interpreter of its own."""
    code = f"import doctest; print(doctest.testfile({str(page)!r}, module_relative=False, encoding='utf-8').failed)"
    done = subprocess.run([sys.executable, "-X", "utf8", "-c", code], capture_output=True, encoding="utf-8", check=True)

    assert done.stdout == "0\n"


def test_the_readme_example_prints_what_the_readme_says() -> None:
    """The first Python block, run on its own, prints the block after it."""
    blocks = re.findall(r"```(\w*)\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    position = next(i for i, (language, _) in enumerate(blocks) if language == "python")
    script, printed = blocks[position][1], blocks[position + 1][1]
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", script], capture_output=True, encoding="utf-8", check=True
    )

    assert done.stdout == printed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link names a file of the project."""
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))

    assert [link for link in links if not (page.parent / link).exists()] == []


def test_generated_pages_are_up_to_date() -> None:
    """They say what stands in the tables of the code; `python docs/generate.py` writes them anew."""
    expected = runpy.run_path(str(ROOT / "docs" / "generate.py"))["pages"]()

    assert {page: page.read_text(encoding="utf-8") for page in expected} == expected


SHOWN = [page for page in PAGES if "```console" in page.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", SHOWN, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_commands_answer_as_printed(page: Path, tmp_path: Path) -> None:
    """Each `$ prismpy ...` prints what stands below it; a block with a file name is that file from there on."""
    blocks = re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    for language, name, body in blocks:
        if name:
            (tmp_path / name).write_text(body, encoding="utf-8")
        for shown in re.split(r"^\$ prismpy ", body, flags=re.MULTILINE)[1:] if language == "console" else ():
            command, _, printed = shown.partition("\n")
            assert answer(command, tmp_path) == printed.strip("\n"), command


def answer(command: str, folder: Path) -> str:
    words = [sys.executable, "-X", "utf8", "-m", "prismpy", *shlex.split(command)]
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"}
    done = subprocess.run(words, capture_output=True, encoding="utf-8", cwd=folder, env=variables, check=False)
    return (done.stderr + done.stdout).strip("\n")
