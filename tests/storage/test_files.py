"""Files replaced whole, and names that are harmless on every system."""

import errno
import os
import stat
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pathvalidate import is_valid_filename

from prismpy import StoreError
from prismpy.storage import disk_errors, replace_file, safe_name
from tests.limits import full_disk


def test_a_file_is_replaced_in_its_place(tmp_path: Path) -> None:
    """New content, the same permissions, and nothing else left in the folder."""
    file = tmp_path / "folder" / "a.txt"
    replace_file(file, b"one")
    file.chmod(0o640)
    replace_file(file, b"two")

    assert file.read_bytes() == b"two"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert list(file.parent.iterdir()) == [file]


def test_a_new_file_is_its_owners_alone(tmp_path: Path) -> None:
    """What an assistant remembers is nobody else's business."""
    replace_file(tmp_path / "a", b"")

    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """What it leads to gets the content."""
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    replace_file(tmp_path / "link", b"new")

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_full_disk_leaves_the_old_content(tmp_path: Path) -> None:
    """The error says what and why; no half of a file is left."""
    file = tmp_path / "a.txt"
    replace_file(file, b"old")

    with full_disk(1000), pytest.raises(StoreError) as caught:
        replace_file(file, b"x" * 5000)

    assert str(caught.value) == (
        "could not write a.txt: the file would be larger than the system allows; nothing was changed"
    )
    assert list(tmp_path.iterdir()) == [file]
    assert file.read_bytes() == b"old"


def test_an_error_without_words_of_ours_has_those_of_the_system() -> None:
    """Nothing is left out, whatever it was."""
    told = os.strerror(errno.ELOOP)
    with pytest.raises(StoreError, match=f"could not jump: {told}; nothing was changed"), disk_errors("jump"):
        raise OSError(errno.ELOOP, told)
    with pytest.raises(StoreError, match="could not jump: TimeoutError; nothing was changed"), disk_errors("jump"):
        raise TimeoutError


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("report 2024.pdf", "report 2024.pdf"),
        ("Übersicht.pdf", "Übersicht.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Windows\\system32\\cmd.exe", "cmd.exe"),
        ("..", "file"),
        ("", "file"),
        ("a/", "file"),
        (".bashrc", "bashrc"),
        ("-rf", "rf"),
        ("CON", "_CON"),
        ("nul.txt", "_nul.txt"),
        ("com¹.txt", "_com¹.txt"),
        ("a<b>:c?.txt", "a_b__c_.txt"),
        ("invoice\u202egnp.exe", "invoicegnp.exe"),
        ("a\x00b\n.txt", "ab.txt"),
        ("half \ud800.txt", "half .txt"),
        ("name. . ", "name"),
        ("x" * 300 + ".png", "x" * 116 + ".png"),
        ("ü" * 300, "ü" * 60),
        ("a." + "b" * 200, "a." + "b" * 118),
    ],
)
def test_a_name_is_made_safe(name: str, safe: str) -> None:
    """What is left still tells what it was."""
    assert safe_name(name) == safe


@given(st.text() | st.text(alphabet="./\\ -~CONauxLPT1:\u202e\ud800"))
@example("CON .txt")
@example("0" * 119 + " ")
def test_a_safe_name_is_safe_everywhere(name: str) -> None:
    """Another library's rules for all systems hold, and a safe name stays as it is."""
    safe = safe_name(name)

    assert is_valid_filename(safe, platform="universal")
    assert len(safe.encode()) <= 120
    assert safe_name(safe) == safe
