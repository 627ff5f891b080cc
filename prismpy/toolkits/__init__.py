"""
Sets of tools that a personal assistant needs, each over a store of its own.

Each set is a class whose instances are iterated into a `Toolbox`; each tool in
it is a subclass of `Tool`. Sets know nothing of each other.
"""

from prismpy.toolkits.calendar import CalDAVCalendar, Calendar, CalendarFile, CalendarTools, open_calendar
from prismpy.toolkits.images import DrawnImages, ImageTools, OpenAIImages
from prismpy.toolkits.memory import MemoryTools, PostgresMemories, SQLiteMemories, open_memories
from prismpy.toolkits.todoist import LocalTasks, TodoistTasks, TodoistTools
from prismpy.toolkits.web import WebFetch, WebTools, provider_web_tools

__all__ = [
    "CalDAVCalendar",
    "Calendar",
    "CalendarFile",
    "CalendarTools",
    "DrawnImages",
    "ImageTools",
    "LocalTasks",
    "MemoryTools",
    "OpenAIImages",
    "PostgresMemories",
    "SQLiteMemories",
    "TodoistTasks",
    "TodoistTools",
    "WebFetch",
    "WebTools",
    "open_calendar",
    "open_memories",
    "provider_web_tools",
]
