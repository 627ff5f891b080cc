"""JSON files as targets: what an MCP server lists, or the tools of a request."""

import json
from pathlib import Path
from typing import Any

from prismpy.schema import cut, nearest

from ._usage import UsageError, words


def read_listing(place: str, name: str) -> list[tuple[str, Any]]:
    """
    Read the tools of a JSON file.

    Args:
        place: The file. It holds a list of tools, an object with such a list under `tools`, as MCP and requests have
            it, the same under `result`, as MCP answers, or one tool.

        name: Of the only tool wanted; "" for all.

    Returns:
        Each with its name; with its place, from 0, where it has none.

    Raises:
        UsageError: if the file cannot be read, holds no tools, or none of that name.
    """
    named = [(_name_of(tool) or str(position), tool) for position, tool in enumerate(_tools_in(_read(place), place))]
    if not name:
        return named
    found = [one for one in named if one[0] == name]
    if not found:
        msg = f"{place} holds no tool {name!r}{nearest(name, [known for known, _ in named])}"
        raise UsageError(msg)
    return found


def _read(place: str) -> Any:
    try:
        return json.loads(Path(place).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        msg = f"{place} cannot be read: {words(error)}"
        raise UsageError(msg) from error


def _tools_in(content: Any, place: str) -> list[Any]:
    match content:
        case [_, *_] as tools:
            return list(tools)
        case {"tools": [*tools]} | {"result": {"tools": [*tools]}} if tools:
            return list(tools)
        case {"name": str()} | {"type": "function"}:
            return [content]
        case _:
            shown = cut(json.dumps(content, ensure_ascii=False), 60)
            msg = f'{place} holds no tools, but {shown}; it should hold a list of them, or {{"tools": [...]}}'
            raise UsageError(msg)


def _name_of(tool: Any) -> str:
    match tool:
        case {"name": str(name)} | {"function": {"name": str(name)}}:
            return name
        case _:
            return ""
