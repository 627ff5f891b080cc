"""Answers from outside: each for the call as it was asked, the first one holds."""

from collections.abc import Mapping
from typing import Any

import attrs

from prismpy.errors import AnsweredError, ProtocolError
from prismpy.loop import Answer
from prismpy.messages import Pending

from ._look import Look
from ._sql import Sql, runner
from ._workflow import topic


def answered(look: Look, sql: Sql, id: str, answers: Mapping[str, Any]) -> None:
    """
    Keep answers and tell the run of them, in one transaction.

    Raises:
        As `DurableRuns.answer` does.
    """
    row = look.row(id)
    waiting = {each.call.id: each for each in row.state.waiting}
    for call in answers:
        if call not in waiting:
            msg = f"answer for call {call!r}, but those that wait are {', '.join(map(repr, waiting)) or 'none'}"
            raise ProtocolError(msg)
    message = {call: _bound(waiting[call], answer).to_dict() for call, answer in answers.items()}
    packed = {call: look.records.contents.packed(told) for call, told in message.items()}
    together = look.records.contents.packed(message)
    with sql.lasting.begin() as connection:  # whoever answered was told that it holds
        run = runner(connection)
        if taken := look.records.answer(run, id, row.round, packed):
            listed = ", ".join(map(repr, taken))
            msg = f"somebody else has answered {listed} before; look at the run to see what it came to"
            raise AnsweredError(msg, run=id, calls=tuple(taken))
        look.client.send(connection, id, together, topic(row.round))
        if look.records.answered(run, id, row.round) >= waiting.keys():
            look.records.running(run, id)


def _bound(pending: Pending, given: Any) -> Answer:
    """Take an answer, and bind a decision to what was asked."""
    answer = Answer.of(pending, given)
    if answer.decision is None:
        return answer
    if answer.decision.digest not in {None, pending.call.digest}:
        msg = f"call {pending.call.id!r} is not what was decided about: its digest is {pending.call.digest}"
        raise ProtocolError(msg)
    return attrs.evolve(answer, decision=attrs.evolve(answer.decision, digest=pending.call.digest))
