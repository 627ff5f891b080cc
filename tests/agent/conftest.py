"""Fixtures of the agent's tests: both event loops, every way to drive a run."""

import pytest

from tests.agent.drivers import DRIVERS, Driver


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Run async tests on each event loop."""
    backend: str = request.param
    return backend


@pytest.fixture(params=DRIVERS, ids=lambda driver: driver.__name__)
def drive(request: pytest.FixtureRequest) -> Driver:
    """Run an agent whole or streamed, sync or async."""
    driver: Driver = request.param
    return driver
