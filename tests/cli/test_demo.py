"""The scripted assistant."""

import xml.etree.ElementTree
from pathlib import Path

import pytest
from typer.testing import CliRunner

from prismpy.cli._app import app


def test_the_demo_plays_to_its_end(tmp_path: Path) -> None:
    """Tools of all three kinds are shown, sent, called rightly and wrongly, and a picture is saved."""
    folder = tmp_path / "made"
    done = CliRunner().invoke(app, ["demo", "--save", str(folder)])
    said = [line.strip() for line in done.stdout.splitlines()]

    assert done.exit_code == 0
    assert "What openai is sent for convert_temperature" in said
    assert "What anthropic is sent for convert_temperature" in said
    assert "error  convert_temperature was not called; its arguments are wrong:" in said
    assert "result  20.0" in said
    assert 'result  {"status": "drawn", "bars": 5}' in said
    assert xml.etree.ElementTree.parse(folder / "chart.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314  # our own


def test_the_demo_saves_beside_what_is_there(tmp_path: Path) -> None:
    """A second run overwrites nothing."""
    for _ in range(2):
        CliRunner().invoke(app, ["demo", "--save", str(tmp_path)])

    assert len(list(tmp_path.iterdir())) == 2


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """Nothing is played if the picture could not be saved."""
    (tmp_path / "file").write_text("")
    done = CliRunner().invoke(app, ["demo", "--save", str(tmp_path / "file" / "below")])

    assert (done.exit_code, done.stdout) == (2, "")


@pytest.mark.parametrize("option", ["--save"])
def test_its_options_are_told(option: str) -> None:
    """`--help` says where the picture goes."""
    assert option in CliRunner().invoke(app, ["demo", "--help"]).stdout
