"""The tool sets of an assistant, over stores in one folder or over servers that the environment names."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from prismpy.artifacts import ArtifactStore
from prismpy.fluent import Tool, Toolbox
from prismpy.toolkits import (
    Calendar,
    CalendarTools,
    DrawnImages,
    ImageTools,
    LocalTasks,
    MemoryTools,
    OpenAIImages,
    TodoistTasks,
    TodoistTools,
    WebTools,
    open_calendar,
    open_memories,
)

MEMORY_URL: Final = "PRISMPY_MEMORY_URL"
"""PostgreSQL in the place of the SQLite file."""

CALENDAR_URL: Final = "PRISMPY_CALENDAR_URL"
"""A CalDAV calendar in the place of the iCalendar file."""

TODOIST_TOKEN: Final = "TODOIST_API_TOKEN"  # noqa: S105  # the name of the variable
"""Todoist in the place of the local list."""


IMAGES_KEY: Final = "OPENAI_API_KEY"
"""OpenAI's pictures in the place of those that are drawn here."""


def toolbox_of(
    folder: Path, artifacts: ArtifactStore, environment: Mapping[str, str] = os.environ, *, fetches: bool = True
) -> Toolbox:
    """
    Put the tools together. What deletes for good asks before it does.

    Args:
        folder: Where the stores lie that are not elsewhere.

        artifacts: Where pictures are kept.

        environment: Names servers; see the constants here.

        fetches: Whether pages are fetched from here; else the model's provider does.
    """
    memories = open_memories(environment.get(MEMORY_URL) or folder / "memory.db")
    calendar = Calendar(open_calendar(environment.get(CALENDAR_URL) or folder / "calendar.ics"))
    token = environment.get(TODOIST_TOKEN)
    tasks = TodoistTasks(token) if token else LocalTasks(folder / "tasks.db")
    images = OpenAIImages() if environment.get(IMAGES_KEY) else DrawnImages()
    sets: list[Iterable[Tool]] = [
        MemoryTools(memories),
        CalendarTools(calendar),
        TodoistTools(tasks),
        ImageTools(images, artifacts),
        WebTools(artifacts) if fetches else (),
    ]
    return Toolbox(_careful(tool) for tools in sets for tool in tools)


def _careful(tool: Tool) -> Tool:
    return tool.requires_approval() if tool.spec.name.startswith("delete_") else tool
