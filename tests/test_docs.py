"""The examples of the README and of `docs/` run as printed."""

import re
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
