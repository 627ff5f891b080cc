"""The one workflow: drive a run of an agent until it is done, waiting in between for whatever comes from outside."""

from collections.abc import Mapping
from typing import Any, Final

from prismpy.agent import Agent, Engine, Run
from prismpy.errors import ToolError
from prismpy.loop import Answer, RunState, Wait
from prismpy.messages import Pending

from ._course import Course, Services, in_words, steady, told_error
from ._model import DurableModel
from ._toolbox import DurableToolbox

RUN: Final = "prismpy.run"
"""Name of the workflow of a run."""

CALL: Final = "prismpy.call"
"""Name of the workflow of a call that went through a queue."""


def topic(round: int) -> str:
    """Return where answers of a wait are sent."""
    return f"prismpy.answers.{round}"


async def drive(services: Services, agent: Agent, order: Mapping[str, Any], id: str) -> str:
    """
    Drive a run to its end, or on to where it failed.

    Args:
        services: Of this process.

        agent: The one that the run belongs to.

        order: `{"agent": name, "state": packed, "began": seconds}`.

        id: Of the run.

    Returns:
        `done` or `failed`; the rest stands in the records.
    """
    state = RunState.from_dict(await steady(services.contents.unpacked, order["state"]))
    resumed = await steady(services.records.resumed, id)
    course = Course(id, order["agent"], services, order["began"], resumed)
    told, round = 0, 0
    while True:
        run = agent.drive(state, _engine(course, told))
        if error := await _driven(run, course):
            await steady(_stand, course, "failed", run.state, round, in_words(told_error(error)))
            return "failed"
        state, told = run.state, run.told
        if not isinstance(state.todo, Wait):
            break
        round += 1
        await steady(services.records.waits, id, state, round)
        state = state.with_answers(await _answers(services, state.todo.pending, round))
    if run.problem:
        await steady(
            _stand, course, "failed", state, round, f"the answer does not have the demanded form: {run.problem}"
        )
        return "failed"
    await course.run(course.reserve(), "prismpy.remember", lambda: _remembered(agent, state))
    await steady(_stand, course, "done", state, round)
    return "done"


def _engine(course: Course, told: int) -> Engine:
    return Engine(
        model=lambda model: DurableModel(model, course),
        toolbox=lambda toolbox: DurableToolbox(toolbox, course),
        clock=course.clock,
        id=course.id,
        told=told,
    )


async def _driven(run: Run, course: Course) -> Exception | None:
    """Drive a run as far as it goes, and return what broke it, if anything did."""
    failed = None
    try:
        async for event in run:
            course.tell(event)
    except Exception as error:  # noqa: BLE001  # it stands in the records, and the run may go on from there
        failed = error
        course.breaks(run.broken_at)
    except BaseException as error:
        host = course.services.host
        if host.stops(error) and await steady(host.is_cancelled, course.id):
            await steady(course.services.records.cut, course.id, run.state)
        raise
    await course.flush()
    return failed


def _stand(course: Course, stage: Any, state: RunState, round: int, error: str = "") -> None:
    course.services.records.stand(course.id, stage, state, round=round, error=error, step=course.step)


async def _answers(services: Services, pending: tuple[Pending, ...], round: int) -> dict[str, Any]:
    """Wait until every pending call has its answer."""
    came: dict[str, Any] = {}
    while any(each.call.id not in came for each in pending):
        packed = await services.host.receive(topic(round))
        message = await steady(services.contents.unpacked, packed)
        came |= {id: given(Answer.from_dict(told)) for id, told in message.items()}
    return came


def given(answer: Answer) -> Any:
    """Return an answer as `with_answers` takes it."""
    if answer.decision is not None:
        return answer.decision
    return ToolError(answer.error) if answer.error is not None else answer.output


async def _remembered(agent: Agent, state: RunState) -> dict[str, Any]:
    await steady(agent.remember, state)
    return {}
