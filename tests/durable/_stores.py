"""
Stores as releases left them, kept as SQL in `stores/`, one for each version of the tables.

    python -m tests.durable._stores

writes the one of the version that is there now. In each, one run waits for approval, one has failed, and one is done
with a text that is kept apart. The engine makes its own tables; the rows that it had are there.
"""

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from prismpy import Agent, AssistantMessage, DurableError, Tool, ToolCall
from prismpy.codecs import Ask
from prismpy.durable import DurableRuns
from prismpy.durable._tables import MIGRATIONS
from prismpy.testing import FunctionModel

FOLDER = Path(__file__).parent / "stores"
LONG_TEXT = "la" * 10_001

_ENGINES = ("workflow_status", "workflow_input", "workflow_output", "operation_outputs")


def agents(*, disk: bool) -> list[Agent]:
    """Make agents that pay, that write to a disk, which may not be there, and that say much."""

    def once(call: ToolCall) -> FunctionModel:
        def answer(ask: Ask) -> Any:
            return "done" if any(isinstance(message, AssistantMessage) for message in ask.messages) else call

        return FunctionModel(answer)

    def write() -> str:
        if not disk:
            raise OSError("no disk")
        return "written"

    pay = Tool.as_("pay").using(lambda amount: f"paid {amount}").with_integer_parameter("amount", "How much")
    return [
        Agent("payer", once(ToolCall("c", "pay", {"amount": 5})), tools=[pay.requires_approval()]),
        Agent("writer", once(ToolCall("c", "write")), tools=[Tool.make(write).without_error_handling()]),
        Agent("singer", FunctionModel(lambda ask: LONG_TEXT)),
    ]


def fill(url: str) -> None:
    """Leave the three runs behind."""
    with DurableRuns(url, agents(disk=False), worker="old") as runs:
        for name in ("payer", "writer", "singer"):
            runs.start(name, "Go", id=name)
            with suppress(DurableError):  # of the one whose handler raises
                runs.result(name, timeout=60)


def store(version: int) -> Path:
    """Return where a store is kept."""
    return FOLDER / f"{version}.sql"


def dumped(connection: sqlite3.Connection) -> Iterator[str]:
    """Write a store as statements that both kinds of database take."""
    ours = "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name LIKE 'prismpy%' ORDER BY name"
    tables = connection.execute(ours).fetchall()
    yield from (f"{sql};" for _, sql in tables)
    for table in [*(name for name, _ in tables), *_ENGINES]:
        kinds = {name: kind for _, name, kind, *_ in connection.execute(f"PRAGMA table_info({table})")}
        for row in connection.execute(f"SELECT * FROM {table}").fetchall():
            fields = {name: value for name, value in zip(kinds, row, strict=True) if value is not None}
            values = [_literal(value, kinds[name]) for name, value in fields.items()]
            yield f"INSERT INTO {table} ({', '.join(fields)}) VALUES ({', '.join(values)});"


def _literal(value: Any, kind: str) -> str:
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return str(bool(value)).upper() if kind == "BOOLEAN" else repr(value)


def main() -> None:
    """Write the store."""
    with tempfile.TemporaryDirectory() as folder:
        fill(f"sqlite:///{folder}/runs.db")
        with closing(sqlite3.connect(f"{folder}/runs.db")) as connection:
            text = "\n".join(dumped(connection))
    FOLDER.mkdir(exist_ok=True)
    store(len(MIGRATIONS)).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
