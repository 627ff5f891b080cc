"""Fixtures of the executor's tests: both event loops, both drivers."""

import pytest

from tests.execution.drivers import Driver, async_run, sync_run


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Run async tests on each event loop."""
    backend: str = request.param
    return backend


@pytest.fixture(params=[sync_run, async_run], ids=["run", "arun"])
def drive(request: pytest.FixtureRequest) -> Driver:
    """Run a tool or a toolbox by either driver."""
    driver: Driver = request.param
    return driver
