"""
The field cases: read from ../shared, each told to the place that tests it.

A case with code or a schema is read by `test_cases`, and `test_right` adds what
only its prose demands. For the others a scenario is written out: a function
`test_fc_<kind>_<number>_...` in one of the files `test_scenarios*.py`. What waits for a later issue
stands in `LATER`, and nowhere else.
"""

import re
from pathlib import Path
from typing import Any, Final

import attrs
import yaml

from tests.shared import SHARED

PATH: Final = SHARED / "field-cases" / "cases.yaml"

LATER: Final[dict[str, str]] = {}
"""
What is not tested yet, and why.

A key is the id of a case, or of a part of one that is tested otherwise:
`id:key` for a key of its `expect`, `id:calls[n]` for one of its calls,
`id:right` for what only its prose demands.
"""


@attrs.frozen
class Case:
    """One input that went wrong elsewhere, and what is right."""

    id: str
    input: dict[str, Any]
    expect: dict[str, Any]

    @property
    def parts(self) -> set[str]:
        """Names of everything that the case demands, as in the keys of `LATER`."""
        calls = {f"calls[{i}]" for i in range(len(self.expect.get("calls", ())))}
        return {"right", *self.expect, *calls}


def _read() -> dict[str, Case]:
    if not PATH.is_file():
        return {}
    rows = yaml.safe_load(PATH.read_text(encoding="utf-8"))["cases"]
    return {row["id"]: Case(row["id"], row["input"], row.get("expect", {})) for row in rows}


CASES: Final = _read()
"""All cases by id; empty where the data is not there."""

_TEXTS: Final = [file.read_text(encoding="utf-8") for file in Path(__file__).parent.glob("test_scenarios*.py")]

SCENARIOS: Final = {
    "-".join(("fc", *found))
    for text in _TEXTS
    for found in re.findall(r"^(?:async )?def test_fc_([a-z]+)_(\d+)_", text, re.MULTILINE)
}
"""Ids of the cases that are written out as scenarios."""

READ: Final = [case for case in CASES.values() if case.id not in SCENARIOS and case.id not in LATER]
"""The cases that `test_cases` reads."""
