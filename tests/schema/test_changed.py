"""Frozen values with other fields."""

import attrs

from prismpy.events import TextDeltaEvent
from prismpy.loop import RunState
from prismpy.messages import UserMessage
from prismpy.schema import changed


def test_a_changed_value_is_what_evolve_makes() -> None:
    """The copy equals that of attrs, and the value itself is as it was."""
    event = TextDeltaEvent("Hello", "msg_1")
    state = RunState.of([UserMessage("hi")])

    assert changed(event, id="run-1", timestamp=7) == attrs.evolve(event, id="run-1", timestamp=7)
    assert changed(state, retries=1) == attrs.evolve(state, retries=1)
    assert hash(changed(event, delta="Bye")) != hash(event)
    assert (event, state.retries) == (TextDeltaEvent("Hello", "msg_1"), 0)
