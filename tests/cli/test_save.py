"""Artifacts as files: their names, and that nothing is written over or elsewhere."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prismpy import Artifact, PrismError
from prismpy.cli._save import file_names, save


def first_name(id: str | None, mime_type: str = "image/png") -> str:
    return next(file_names(Artifact.from_raw(b"", mime_type, id=id), 7))


@pytest.mark.parametrize(
    ("id", "name"),
    [
        (None, "7.png"),
        ("", "7.png"),
        ("chart", "chart.png"),
        ("chart.png", "chart.png"),
        ("chart.v2", "chart.v2.png"),
        ("größe 图", "größe_图.png"),
        ("../../etc/passwd", "etc_passwd.png"),
        ("/etc/passwd", "etc_passwd.png"),
        (r"C:\x\y", "C_x_y.png"),
        (".hidden", "hidden.png"),
        ("...", "7.png"),
        ("a\0b\x1b", "a_b.png"),
        ("NUL", "_NUL.png"),
        ("com1.txt", "_com1.txt.png"),
        ("x" * 300, "x" * 60 + ".png"),
    ],
)
def test_a_file_is_named_by_the_id_as_far_as_it_is_safe(id: str | None, name: str) -> None:
    """What could lead elsewhere, or is no name on some system, is replaced; without an id the number names it."""
    assert first_name(id) == name


@pytest.mark.parametrize(
    ("mime_type", "name"),
    [("image/png", "x.png"), ("application/json; charset=utf-8", "x.json"), ("made/up", "x.bin"), ("", "x.bin")],
)
def test_a_file_ends_as_its_type_does(mime_type: str, name: str) -> None:
    """Parameters of the type don't matter; an unknown type is some bytes."""
    assert first_name("x", mime_type) == name


@given(st.text(), st.text())
def test_any_id_and_type_make_a_safe_name(id: str, mime_type: str) -> None:
    """Whatever a tool says: one visible name, encodable and not too long."""
    name = first_name(id, mime_type)

    assert re.fullmatch(r"\w[\w.-]*\.[\w.+-]+", name)
    assert len(name.encode()) < 255


def test_no_file_is_written_over(here: Path) -> None:
    """Later files of a name are numbered on, whoever wrote the first."""
    (here / "chart.png").write_bytes(b"old")
    artifact = Artifact.from_raw(b"new", "image/png", id="chart")

    paths = [save(artifact, 1, here), save(artifact, 2, here)]

    assert paths == [here / "chart-2.png", here / "chart-3.png"]
    assert {path.name: path.read_bytes() for path in here.iterdir()} == {
        "chart.png": b"old",
        "chart-2.png": b"new",
        "chart-3.png": b"new",
    }


def test_a_link_is_not_followed(here: Path) -> None:
    """A link under the name, even to nothing, is a file that is there already."""
    (here / "chart.png").symlink_to(here / "elsewhere")

    assert save(Artifact.from_raw(b"new", "image/png", id="chart"), 1, here) == here / "chart-2.png"
    assert not (here / "elsewhere").exists()


def test_broken_data_leaves_no_file(here: Path) -> None:
    """The data is read before a file is made."""
    with pytest.raises(PrismError):
        save(Artifact("%", "image/png"), 1, here)

    assert list(here.iterdir()) == []
