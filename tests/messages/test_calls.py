"""Calls, and the ids that tell them apart."""

from hypothesis import given
from hypothesis import strategies as st

from prismpy import ToolCall
from prismpy.messages import unique_ids


def test_the_first_bearer_keeps_an_id() -> None:
    """Repeated and missing ids are replaced by ones that nobody has."""
    calls = [ToolCall(id, "t") for id in ("x", "x", "", "x_1", "call_2")]

    assert [call.id for call in unique_ids(calls)] == ["x", "x_1_", "call_2_", "x_1", "call_2"]


@given(st.lists(st.sampled_from(["", "x", "x_1", "call_0"]), max_size=6))
def test_ids_end_up_distinct(ids: list[str]) -> None:
    """Whatever ids come, the calls leave with distinct ones, in order, and distinct ones are left alone."""
    calls = [ToolCall(id, str(i)) for i, id in enumerate(ids)]
    renamed = unique_ids(calls)

    assert "" not in {call.id for call in renamed}
    assert len({call.id for call in renamed}) == len(calls)
    assert [call.name for call in renamed] == [call.name for call in calls]
    assert unique_ids(renamed) == renamed
