"""The four ways to ask a model, as functions that return its reply and close it."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeAlias

from prismpy.codecs import Ask, Reply

Way: TypeAlias = Callable[[Any, Ask], Reply]


def asked(model: Any, ask: Ask) -> Reply:
    with model:
        reply: Reply = model.ask(ask)
        return reply


def aasked(model: Any, ask: Ask) -> Reply:
    async def run() -> Reply:
        async with model:
            reply: Reply = await model.aask(ask)
            return reply

    return asyncio.run(run())


def streamed(model: Any, ask: Ask) -> Reply:
    with model:
        reply: Reply = [*model.stream(ask)][-1]
        return reply


def astreamed(model: Any, ask: Ask) -> Reply:
    async def run() -> Reply:
        async with model:
            reply: Reply = [each async for each in model.astream(ask)][-1]
            return reply

    return asyncio.run(run())
