"""Reusable partials of agents."""

import pytest

from prismpy import Agent, Factory, NodeTemplate, Shared
from prismpy.testing import ScriptedModel


def get_utc_now() -> str:
    """Get current UTC time in ISO format."""
    return "now"


def test_a_template_makes_agents_with_overrides() -> None:
    """What is given wins over what was known beforehand."""
    base = NodeTemplate(Agent, tools=[get_utc_now], instructions="Be brief.")

    one = base("one", ScriptedModel(["hi"]))
    two = base("two", object(), instructions="Be long.")

    assert (one.name, one.instructions, [tool.__name__ for tool in one.tools]) == ("one", "Be brief.", ["get_utc_now"])
    assert (two.name, two.instructions) == ("two", "Be long.")
    assert one.run("x").text == "hi"
    assert repr(base) == "NodeTemplate(Agent, tools, instructions)"


def test_a_template_can_be_derived() -> None:
    """The first one stays as it is."""
    base = NodeTemplate(Agent, tools=[get_utc_now])
    brief = base.derive(instructions="Be brief.")

    assert brief("b", object()).instructions == "Be brief."
    assert base("a", object()).instructions == ""


def test_dependencies_are_shared_or_made_afresh() -> None:
    """Containers are copied, factories called, everything else is the same object."""
    seen: list[dict[str, object]] = []
    thing = object()
    template = NodeTemplate(
        lambda **given: seen.append(given),
        shared=Shared([1]),
        fresh=Factory(list),
        listed=[thing],
        plain=thing,
    )

    template()
    template()

    first, second = seen
    assert first["shared"] is second["shared"]
    assert first["fresh"] == []
    assert first["fresh"] is not second["fresh"]
    assert first["listed"] == [thing]
    assert first["listed"] is not second["listed"]
    assert first["plain"] is second["plain"] is thing
    assert repr(template).startswith("NodeTemplate(")


def test_wrong_arguments_are_the_classes_own_mistake() -> None:
    """A template adds no rules of its own."""
    with pytest.raises(TypeError, match="unexpected option 'temprature'"):
        NodeTemplate(Agent, temprature=1)("a", object())
