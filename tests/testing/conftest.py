"""Async tests of this folder run on asyncio; what they test does not know the event loop."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
