"""The sets of tools together, as an assistant has them."""

from pathlib import Path

import pytest

from prismpy import Tool, Toolbox
from prismpy.artifacts import FolderArtifacts
from prismpy.toolkits import (
    Calendar,
    CalendarTools,
    DrawnImages,
    ImageTools,
    LocalTasks,
    MemoryTools,
    TodoistTools,
    WebTools,
    open_calendar,
    open_memories,
)
from tests.test_package import loaded_by

LIBRARIES = {
    "caldav",
    "dateparser",
    "filelock",
    "httpx",
    "icalendar",
    "lxml",
    "openai",
    "psycopg",
    "recurring_ical_events",
    "sqlite_vec",
    "todoist_api_python",
    "trafilatura",
    "tzlocal",
}


@pytest.fixture
def toolbox(tmp_path: Path) -> Toolbox:
    """Everything on its embedded default, in one folder."""
    artifacts = FolderArtifacts(tmp_path / "artifacts")
    return Toolbox(
        [
            *MemoryTools(open_memories(tmp_path / "assistant.db")),
            *CalendarTools(Calendar(open_calendar(tmp_path / "calendar.ics"))),
            *TodoistTools(LocalTasks(tmp_path / "assistant.db")),
            *ImageTools(DrawnImages(), artifacts),
            *WebTools(artifacts),
        ]
    )


def test_importing_and_describing_them_loads_no_library(tmp_path: Path) -> None:
    """Each loads when it is first used; who uses one set needs no other's."""
    code = (
        "from datetime import UTC\n"
        "from prismpy import Toolbox\n"
        "from prismpy.artifacts import SQLiteArtifacts\n"
        "from prismpy.toolkits import *\n"
        "kept = SQLiteArtifacts(':memory:')\n"
        "sets = [MemoryTools(open_memories('postgresql://x')), TodoistTools(TodoistTasks('x')), WebTools(kept)]\n"
        f"sets += [CalendarTools(Calendar(open_calendar({str(tmp_path)!r}), zone=UTC)), ImageTools(OpenAIImages(), kept)]\n"
        "Toolbox([tool for tools in sets for tool in tools]).to('openai')"
    )

    assert loaded_by(code) & LIBRARIES == set()


def test_they_go_into_one_toolbox(toolbox: Toolbox) -> None:
    """Under names of their own."""
    assert [spec.name for spec in toolbox] == [
        "store_memory",
        "search_memory",
        "update_memory",
        "delete_memory",
        "list_calendar_events",
        "create_calendar_event",
        "update_calendar_event",
        "delete_calendar_event",
        "list_todoist_tasks",
        "create_todoist_task",
        "update_todoist_task",
        "complete_todoist_task",
        "delete_todoist_task",
        "generate_image",
        "web_fetch",
        "read_result",
    ]


def test_each_is_a_subclass_that_describes_itself(toolbox: Toolbox) -> None:
    """As tools are meant to be written."""
    handlers = [spec.handler for spec in toolbox if spec.name != "read_result"]

    assert all(isinstance(handler, Tool) and type(handler) is not Tool for handler in handlers)


@pytest.mark.parametrize("provider", ["openai", "openai-responses", "anthropic"])
def test_providers_are_told_all_there_is_to_know(toolbox: Toolbox, provider: str) -> None:
    """Nothing is without a description, and nothing is lost where a provider enforces the schema."""
    assert list(toolbox.check(provider).findings) == []
    assert len(toolbox.to(provider, strict=True)) == 16
