"""Every field case that says in data what to make, what to call and what must come of it."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from prismpy import DefinitionError
from tests.shared import needs_shared

from .cases import CASES, LATER, READ, SCENARIOS, Case
from .expectations import EXPECTATIONS, call_misfits, is_sound
from .made import make

pytestmark = needs_shared

ModuleOf = Callable[[Case], ModuleType]

REFUSED = [case for case in READ if "error" in case.expect]


def demands(case: Case) -> dict[str, Any]:
    """Return what a case expects now, its calls one by one."""
    expected = dict(case.expect)
    calls = {f"calls[{i}]": call for i, call in enumerate(expected.pop("calls", ()))}
    return {part: value for part, value in (expected | calls).items() if f"{case.id}:{part}" not in LATER}


@pytest.mark.parametrize("case", [case for case in READ if case not in REFUSED], ids=lambda case: case.id)
def test_case(case: Case, module_of: ModuleOf) -> None:
    """What went wrong elsewhere is right here."""
    made = make(case, module_of)

    misfits = {"soundness": is_sound(made)} | {
        part: call_misfits(made, value) if part.startswith("calls[") else EXPECTATIONS[part](made, value)
        for part, value in demands(case).items()
    }
    assert {part: found for part, found in misfits.items() if found} == {}


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.id)
def test_refused_case(case: Case, module_of: ModuleOf) -> None:
    """What cannot be a tool is refused when it is made."""
    with pytest.raises(DefinitionError):
        make(case, module_of)

    assert demands(case) == {"error": True}


def test_every_case_has_a_place() -> None:
    """Each case is read, written out as a scenario, or named with the reason why it waits; none is in two places."""
    read = {case.id for case in READ}
    waiting = {key for key in LATER if ":" not in key}

    assert read | SCENARIOS | waiting == set(CASES)
    assert (read & SCENARIOS) | (read & waiting) | (SCENARIOS & waiting) == set()


def test_every_part_that_waits_exists() -> None:
    """A part of a case that waits is one that the case demands, and the rest of the case is tested."""
    parts = [key.split(":") for key in LATER if ":" in key]

    assert [(id_, part) for id_, part in parts if id_ in LATER or part not in CASES[id_].parts] == []
