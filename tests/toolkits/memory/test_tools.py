"""The tools of memory, as a model uses them."""

import json
from typing import Any

import pytest

from prismpy import Toolbox, ToolCall
from prismpy.toolkits import MemoryTools
from prismpy.toolkits.memory import StoreMemory

from .conftest import Open, embed


@pytest.fixture
def toolbox(reopen: Open) -> Toolbox:
    return Toolbox(MemoryTools(reopen(embed=embed)))


def call(toolbox: Toolbox, name: str, **arguments: Any) -> Any:
    """Call a tool; return its result as JSON, or the text of an error."""
    (result,) = toolbox.run([ToolCall("1", name, json.dumps(arguments))])
    return result.text if result.is_error else json.loads(result.text)


def test_a_model_remembers_finds_corrects_and_forgets(toolbox: Toolbox) -> None:
    """Each answer has the ids that the next call needs."""
    stored = call(toolbox, "store_memory", content="User prefers dark mode", type="preference")["stored"][0]
    found = call(toolbox, "search_memory", query="how should the screen look?")
    updated = call(toolbox, "update_memory", id=stored["id"], content="User prefers light mode", tags=["UI"])
    deleted = call(toolbox, "delete_memory", id=stored["id"])

    assert stored == {
        "id": stored["id"],
        "content": "User prefers dark mode",
        "type": "preference",
        "updated": "2024-05-06T07:00:00+00:00",
    }
    assert found == {"memories": [stored]}
    assert updated == {
        "updated": {
            **stored,
            "content": "User prefers light mode",
            "tags": ["ui"],
            "updated": "2024-05-06T07:01:00+00:00",
        }
    }
    assert deleted == {"deleted": updated["updated"]}
    assert call(toolbox, "search_memory") == {"memories": []}


def test_one_call_stores_several_facts(toolbox: Toolbox) -> None:
    """Each may have a type of its own; what is known already is named."""
    call(toolbox, "store_memory", content="Drinks tea")
    told = call(
        toolbox,
        "store_memory",
        content="Has a dog",
        also=[{"content": "drinks tea."}, {"content": "Wants to run", "type": "goal", "category": "sport"}],
    )

    assert [(one["content"], one["type"]) for one in told["stored"]] == [
        ("Has a dog", "fact"),
        ("Wants to run", "goal"),
    ]
    assert [(one["content"], one["reason"]) for one in told["skipped"]] == [
        ("Drinks tea", "this was known already, and was not stored again")
    ]


@pytest.mark.parametrize(
    ("name", "arguments", "complaint"),
    [
        ("store_memory", {"content": ""}, "content: expected a text of length 1 or more, got length 0"),
        ("store_memory", {"content": " "}, "a memory without content was not stored; say what to remember"),
        ("store_memory", {"content": "x", "type": "prefrence"}, "did you mean 'preference'?"),
        ("store_memory", {"content": "x", "also": [{"type": "goal"}]}, "also[0].content: missing"),
        ("search_memory", {"limit": 0}, "limit: expected a number of at least 1, got 0"),
        ("update_memory", {"id": "m0"}, "nothing was changed; give content, type, category or tags"),
        ("update_memory", {"id": "m0", "type": "goal"}, "there is no memory 'm0'; search_memory tells the ids"),
        ("delete_memory", {"id": "m0"}, "there is no memory 'm0'; search_memory tells the ids"),
    ],
)
def test_mistakes_of_the_model_are_told(toolbox: Toolbox, name: str, arguments: Any, complaint: str) -> None:
    """In words that help it."""
    assert complaint in call(toolbox, name, **arguments)


def test_an_app_has_types_of_its_own(reopen: Open) -> None:
    """The first is the default, in Python too."""
    tool = StoreMemory(reopen(), types=["note", "idea"])

    assert tool("Drinks tea")["stored"][0]["type"] == "note"
    assert tool.to("json-schema")["properties"]["type"] == {
        "type": "string",
        "enum": ["note", "idea"],
        "description": "What kind of memory it is",
        "default": "note",
    }
