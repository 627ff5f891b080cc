"""
A run of ten tools with side effects, killed at its points and gone on with in a new process.

By default some points of each kind of run are tried, spread over all of it; with
`PRISMPY_KILL=all` in the environment every one is, which takes some ten minutes.
"""

import itertools
import os
from collections import Counter
from pathlib import Path
from typing import Any

import attrs
import pytest

from ._scene import TOOLS, Scene, played
from .conftest import NewDatabase

SHARES = 6
"""How many points are tried by default, each at the end of its sixth of the run."""

MODELS = ["model 0", "model 1", "model 2"]


@pytest.fixture(params=[False, True], ids=["sequential", "concurrent"], scope="module")
def concurrent(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(scope="module")
def whole(new_database: NewDatabase, concurrent: bool, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the run comes to if nobody kills it."""
    told = played(Scene(new_database(), str(tmp_path_factory.mktemp("whole") / "effects"), concurrent))
    assert told is not None
    return told


def test_a_run_that_nobody_kills_takes_effect_once(whole: dict[str, Any]) -> None:
    """Each tool runs once, whatever its policy, and the answer comes."""
    assert whole["calls"] == [[name, "done", 1] for name in TOOLS]
    assert (whole["text"], whole["faults"]) == ("done", [])
    assert {f"{when} {name}" for when in ("before", "after") for name in TOOLS} <= set(whole["points"])


@pytest.mark.parametrize("share", range(SHARES))
def test_a_killed_run_goes_on_as_its_policies_say(
    whole: dict[str, Any], new_database: NewDatabase, concurrent: bool, tmp_path: Path, share: int
) -> None:
    """Killed in this part of the run, and resumed: effects, model calls, history and events are as they must be."""
    names, size = whole["points"], len(whole["points"]) / SHARES
    points = names[round(share * size) : round((share + 1) * size)]
    for number, point in enumerate(points if os.environ.get("PRISMPY_KILL") == "all" else points[-1:]):
        scene = Scene(new_database(), str(tmp_path / f"effects_{number}"), concurrent, point)
        killed = played(scene)
        resumed = played(attrs.evolve(scene, kill_at=None))

        assert killed is None, point
        assert resumed is not None, point
        assert wrong(whole, resumed, scene.said()) == [], point


def wrong(whole: dict[str, Any], resumed: dict[str, Any], said: list[str]) -> list[str]:
    """List what is not as it must be."""
    outside = Counter(line.split()[0] for line in said if not line.startswith("model"))
    inside = Counter(resumed["effects"])
    asked = [word for word, _ in itertools.groupby(line for line in said if line.startswith("model"))]
    again = [line for line, group in itertools.groupby(said) if line.startswith("model") and len(list(group)) > 2]
    states = {tool: state for tool, state, _ in resumed["calls"]}
    unknown = [name for name, state in states.items() if state == "unknown"]
    facts = {
        "at least once": all(outside[name] >= 1 for name, policy in TOOLS.items() if policy == "at_least_once"),
        "at most once": all(outside[name] <= 1 for name, policy in TOOLS.items() if policy == "at_most_once"),
        "once, or told that it is unknown": all(
            outside[name] == 1 or name in unknown for name, policy in TOOLS.items() if policy == "at_most_once"
        ),
        "exactly once": all(inside[name] == 1 for name, policy in TOOLS.items() if policy == "exactly_once"),
        "nothing else is unknown": all(TOOLS[name] == "at_most_once" for name in unknown),
        "the model hears that it is unknown": all(
            "not known" in text
            for (tool, _, _), text in zip(resumed["calls"], resumed["results"], strict=True)
            if tool in unknown
        ),
        "one key a call": len({line for line in said if not line.startswith("model")}) == len(outside),
        "answers are not asked for again": asked == MODELS and not again and adjacent(said),
        "the history is valid": resumed["faults"] == [],
        "the events are those of the whole run": resumed["before"] + resumed["after"] == whole["after"],
        "the answer": resumed["text"] == "done",
    }
    return [fact for fact, holds in facts.items() if not holds]


def adjacent(said: list[str]) -> bool:
    """Tell whether nothing happened between two questions of the same turn, so that the first had no answer."""
    runs = [line for line, _ in itertools.groupby(said)]
    return all(runs.count(model) == 1 for model in MODELS)
