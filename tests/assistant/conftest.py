"""An assistant in a folder of its own, offline and on a certain day."""

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from prismpy.assistant import Home

TODAY = datetime.date(2026, 11, 30)

OpenHome: TypeAlias = Callable[..., Home]
"""Opens the assistant of the test, with another model if one is given."""


@pytest.fixture
def anyio_backend() -> str:
    """The server is one for asyncio."""
    return "asyncio"


@pytest.fixture
def open_home(tmp_path: Path) -> OpenHome:
    """Open the same folder again and again."""

    def open_(model: Any = None) -> Home:
        return Home.open(tmp_path / "home", model, environment={}, today=lambda: TODAY)

    return open_
