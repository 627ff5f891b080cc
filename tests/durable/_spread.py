"""Many calls for several workers: an agent that calls a tool 200 times in one turn, and processes that work."""

import signal
import time
from typing import Any

from prismpy import Agent, AssistantMessage, Tool, ToolCall
from prismpy.codecs import Ask
from prismpy.durable import DurableRuns, QueueLimits
from prismpy.testing import FunctionModel

from ._scene import SPAWN

CALLS = 200
SECONDS = 0.05
"""What a call waits for a service elsewhere."""

QUEUES = {"look_up": QueueLimits(per_worker=5)}


def spreader() -> Agent:
    """Make the agent."""

    def answer(ask: Ask) -> Any:
        if any(isinstance(message, AssistantMessage) for message in ask.messages):
            return "done"
        return [ToolCall(f"c{n}", "look_up", {"n": n}) for n in range(CALLS)]

    def look_up(n: int) -> int:
        time.sleep(SECONDS)
        return n * n

    tool = Tool.as_("look_up").for_("Look it up").using(look_up).concurrent()
    return Agent("spreader", FunctionModel(answer), tools=[tool])


def work(url: str, name: str) -> None:
    """Work until killed."""
    with DurableRuns(url, [spreader()], worker=name, queues=QUEUES) as runs:
        runs.work()
        while True:
            signal.pause()


def workers(url: str, *names: str) -> dict[str, Any]:
    """Start workers."""
    found = {name: SPAWN.Process(target=work, args=(url, name)) for name in names}
    for process in found.values():
        process.start()
    return found


def kill(process: Any) -> None:
    """End a process as a power cut would."""
    process.kill()
    process.join()
