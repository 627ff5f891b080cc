"""The two drivers of the loop: what they do is written beside each other, line by line."""

from collections.abc import AsyncGenerator, Awaitable, Generator
from contextlib import aclosing, closing
from typing import Any

from prismpy.codecs import Reply, tell
from prismpy.events import Event
from prismpy.loop import AskModel, RunTools

from ._moves import Moves


def drive(moves: Moves, around: Any) -> Generator[Event]:
    """
    Drive a run from sync code. Closing the iterator closes the connection and leaves a valid conversation.

    Args:
        moves: Of the run.

        around: A context manager, sync or async as the driver is; open for as long as the run goes on.
    """
    if moves.state.done is not None:
        return
    with around:
        yield from moves.started()
        model, toolbox = moves.brief.model, moves.brief.toolbox
        try:
            while True:
                match moves.state.todo:
                    case AskModel() as todo:
                        yield from moves.asked()
                        ask = moves.ask(todo)
                        with closing(model.stream(ask) if moves.terms.streamed else _whole(model.ask(ask))) as items:
                            for item in items:
                                yield from moves.came(item)
                        moves.answered()
                    case RunTools(calls=calls) as todo:
                        if pending := moves.pending(todo):
                            yield from moves.taken(moves.state.waiting_for(pending))
                        else:
                            for moves.under_way in toolbox.batches(calls):
                                yield from moves.concluded(toolbox.run(moves.under_way, **moves.options(todo)))
                    case _:
                        moves.over()
                        return
        except Exception as error:
            yield from moves.broken(error)
            raise
        except BaseException:
            moves.abandoned()
            raise


async def adrive(moves: Moves, around: Any) -> AsyncGenerator[Event]:
    """Drive a run from async code; otherwise like `drive`."""
    if moves.state.done is not None:
        return
    async with around:
        for event in moves.started():
            yield event
        model, toolbox = moves.brief.model, moves.brief.toolbox
        try:
            while True:
                match moves.state.todo:
                    case AskModel() as todo:
                        for event in moves.asked():
                            yield event
                        ask = moves.ask(todo)
                        async with aclosing(
                            model.astream(ask) if moves.terms.streamed else _awhole(model.aask(ask))
                        ) as items:
                            async for item in items:
                                for event in moves.came(item):
                                    yield event
                        moves.answered()
                    case RunTools(calls=calls) as todo:
                        if pending := moves.pending(todo):
                            for event in moves.taken(moves.state.waiting_for(pending)):
                                yield event
                        else:
                            for moves.under_way in toolbox.batches(calls):
                                results = await toolbox.arun(moves.under_way, **moves.options(todo))
                                for event in moves.concluded(results):
                                    yield event
                    case _:
                        moves.over()
                        return
        except Exception as error:
            for event in moves.broken(error):
                yield event
            raise
        except BaseException:
            moves.abandoned()
            raise


def _whole(reply: Reply) -> Generator[Event | Reply]:
    yield from tell(reply)
    yield reply


async def _awhole(asking: Awaitable[Reply]) -> AsyncGenerator[Event | Reply]:
    reply = await asking
    for item in _whole(reply):
        yield item
