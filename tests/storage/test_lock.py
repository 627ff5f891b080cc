"""Lock files, by which processes take turns."""

from pathlib import Path

import pytest

from prismpy import StoreError
from prismpy.storage import locked


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    """The next one is told that it is not the one; afterwards it may be."""
    place = tmp_path / "new" / "a.lock"

    with (
        locked(place, "lock a") as first,
        locked(place, "lock a") as second,
        locked(place, "lock a", seconds=0.01) as third,
    ):
        assert (first, second, third) == (True, False, False)
    with locked(place, "lock a") as again:
        assert again


def test_a_lock_is_let_go_after_an_exception(tmp_path: Path) -> None:
    """What happened in the block is raised."""
    with pytest.raises(LookupError), locked(tmp_path / "a.lock", "lock a"):
        raise LookupError
    with locked(tmp_path / "a.lock", "lock a") as is_held:
        assert is_held


def test_a_lock_without_a_place_is_told(tmp_path: Path) -> None:
    """In the words of what it was for."""
    (tmp_path / "file").write_text("no folder")

    with pytest.raises(StoreError, match="could not lock a: "), locked(tmp_path / "file" / "a.lock", "lock a"):
        raise AssertionError
