"""A durable model, outside of any run."""

from typing import Any

import anyio

from prismpy.codecs import Ask, Reply
from prismpy.durable._model import DurableModel
from prismpy.testing import ScriptedModel


def test_it_is_the_model_that_it_stands_around() -> None:
    """In names and dialects, and for who asks it in another way than runs do."""
    nowhere: Any = None
    inner = ScriptedModel(["a", "b", "c"], tool_dialect="openai", provider="p", model_name="m", dialect="d")
    model = DurableModel(inner, nowhere)
    ask = Ask("m", ())

    async def streamed() -> list[Any]:
        return [item async for item in model.astream(ask)]

    last: list[Any] = [model.ask(ask), list(model.stream(ask))[-1], anyio.run(streamed)[-1]]
    assert (model.provider, model.model_name, model.dialect, model.tool_dialect) == ("p", "m", "d", "openai")
    assert [each.message.text for each in last if isinstance(each, Reply)] == ["a", "b", "c"]
