"""Heavy computation in a pool of other processes or machines, inside a durable run."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from prismpy import Agent, Tool, ToolCall
from prismpy.durable import DurableRuns
from prismpy.testing import ScriptedModel

from .conftest import NewDatabase


def square(n: int) -> int:
    return n * n


@pytest.fixture(params=["threads", "dask"])
def pool(request: pytest.FixtureRequest) -> Any:
    """Anything that is shaped like a `concurrent.futures.Executor`."""
    if request.param == "threads":
        with ThreadPoolExecutor(2) as threads:
            yield threads
    else:
        distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
        with (
            distributed.LocalCluster(n_workers=2, processes=False, dashboard_address=None) as cluster,
            distributed.Client(cluster) as client,
            client.get_executor() as dask,
        ):
            yield dask


@pytest.mark.filterwarnings("default")  # dask's own shutdown leaves sockets to the garbage collector
def test_a_pool_computes_for_a_durable_run(pool: Any, new_sqlite: NewDatabase) -> None:
    """`with_executor` works as everywhere; what comes back is kept as a step."""
    tool = Tool.as_("square").for_("Square").using(square).with_executor(pool).concurrent()
    calls = [ToolCall(f"c{n}", "square", {"n": n}) for n in range(5)]
    with DurableRuns(new_sqlite(), [Agent("heavy", ScriptedModel([calls, "done"]), tools=[tool])]) as runs:
        runs.start("heavy", "Go", id="run")
        response = runs.result("run", timeout=60)

    assert [result.text for result in response.tool_results] == ["0", "1", "4", "9", "16"]
