"""Enums whose members are not all JSON, their aliases, and flags."""

import datetime
import enum
from typing import Any, Literal

import pytest

from prismpy import emit, tool
from prismpy.types import NoJSONFormError, load_with, read, to_json


class Mixed(enum.Enum):
    """Members of all kinds."""

    TEXT = "t"
    ALIAS = "t"  # noqa: PIE796  # an alias
    PAIR = (1, 2)
    DAY = datetime.date(2024, 1, 2)
    TWIN = "2024-01-02"
    NONE = None
    HALF = 0.5
    NAN = float("nan")
    BYTES = b"ab"


class Rights(enum.IntFlag):
    READ = 1
    WRITE = 2
    BOTH = 3
    NOTHING = 0


LEFT_OUT = (
    "Mixed has the choice (1, 2), which JSON does not know",
    "Mixed has the choice '2024-01-02', which looks like another in JSON",
    "Mixed has the choice nan, which JSON does not know",
)


@pytest.mark.parametrize(
    ("annotation", "options", "left_out"),
    [
        (Mixed, ["t", "2024-01-02", None, 0.5, "YWI="], LEFT_OUT),
        (Literal["a", Mixed.DAY, 1, True], ["a", "2024-01-02", 1, True], ()),
        (
            Literal["a", Mixed.PAIR],
            ["a"],
            (f"{Literal['a', Mixed.PAIR]} has the choice (1, 2), which JSON does not know",),
        ),
    ],
)
def test_members_without_json_are_left_out_and_named(annotation: Any, options: Any, left_out: Any) -> None:
    """The others remain; a value with a JSON form of its own is offered in that."""
    reader = read()
    node: Any = emit(reader.form(annotation).schema)

    assert (node["enum"], [*reader.remarks]) == (options, [f"{one}, so it is left out of the type" for one in left_out])


@pytest.mark.parametrize("member", [Mixed.TEXT, Mixed.ALIAS, Mixed.DAY, Mixed.NONE, Mixed.HALF, Mixed.BYTES])
def test_a_member_survives_the_way_to_json_and_back(member: Mixed) -> None:
    """An alias is the member that it stands for."""
    assert load_with(read().form(Mixed), to_json(member)) is member


def test_a_tool_says_what_is_left_out() -> None:
    """Also within other types."""

    def pick(mixed: list[Mixed]) -> None: ...

    assert tool(pick).spec.notes == (
        "parameter 'mixed': " + "; ".join(f"{reason}, so it is left out of the type" for reason in LEFT_OUT),
    )


@pytest.mark.parametrize(
    ("value", "names"),
    [(Rights.BOTH, ["READ", "WRITE"]), (Rights.READ, ["READ"]), (Rights.NOTHING, []), (Rights(0), [])],
)
def test_flags_are_the_names_of_their_bits(value: Rights, names: list[str]) -> None:
    """A name for several, or for none, is none of them."""
    form = read().form(Rights)

    assert emit(form.schema) == {"type": "array", "items": {"type": "string", "enum": ["READ", "WRITE"]}}
    assert (to_json(value), load_with(form, names)) == (names, value)


def test_a_bit_without_a_name_is_not_lost() -> None:
    """The value has no JSON form, and so is no default of a schema."""

    def grant(rights: Rights = Rights(8)) -> None: ...

    with pytest.raises(NoJSONFormError, match="has flags without a name"):
        to_json(Rights.READ | 8)
    assert "default" not in tool(grant).to("json-schema")["properties"]["rights"]
