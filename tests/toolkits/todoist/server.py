"""
A small server that speaks Todoist's API v1, as far as the tools use it, with real HTTP.

Source of the shapes: todoist-api-python 4.0, `models.py` and `api.py`, whose
reader refuses any other; of errors: Todoist, "API v1", Request limits and
Response errors (read 2026-11).
"""

import datetime
import itertools
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

import attrs

from tests.misbehaving import serving

TOKEN = "0123456789abcdef"  # noqa: S105  # no secret

TODAY = datetime.date(2024, 5, 6)
"""A Monday."""

WORDS = {
    "tomorrow": ("2024-05-07", False),
    "tomorrow at 10": ("2024-05-07T10:00:00", False),
    "tomorrow at 10:00": ("2024-05-07T10:00:00", False),
    "friday": ("2024-05-10", False),
    "2024-05-09": ("2024-05-09", False),
    "2024-05-20": ("2024-05-20", False),
    "every monday": ("2024-05-06", True),
}
"""What this server understands of what Todoist does: words to date, and whether it repeats."""


@attrs.define
class Account:
    """What the server keeps."""

    page_size: int = 2
    """Entries in a page of an answer, so few that there are several."""

    tasks: dict[str, dict[str, Any]] = attrs.Factory(dict)
    projects: dict[str, dict[str, Any]] = attrs.Factory(dict)
    requests: list[str] = attrs.Factory(list)
    numbers: Iterator[int] = attrs.Factory(lambda: itertools.count(1))

    def id(self) -> str:
        return f"6X7rM8997g3RQm{next(self.numbers):02}"

    def project(self, name: str, inbox: bool = False) -> dict[str, Any]:
        id = self.id()
        self.projects[id] = {
            "id": id,
            "name": name,
            "description": "",
            "child_order": 0,
            "color": "charcoal",
            "is_collapsed": False,
            "is_shared": False,
            "is_favorite": False,
            "is_archived": False,
            "can_assign_tasks": False,
            "view_style": "list",
            "created_at": "2024-05-06T07:00:00.000000Z",
            "updated_at": "2024-05-06T07:00:00.000000Z",
            "parent_id": None,
            "inbox_project": inbox,
        }
        return self.projects[id]

    def task(self, **fields: Any) -> dict[str, Any]:
        known = {"due": due(fields.pop("due_string"))} if "due_string" in fields else {}
        id = self.id()
        inbox = next(id for id, project in self.projects.items() if project["inbox_project"])
        self.tasks[id] = {
            "id": id,
            "content": "",
            "description": "",
            "project_id": inbox,
            "section_id": None,
            "parent_id": None,
            "labels": [],
            "priority": 1,
            "due": None,
            "deadline": None,
            "duration": None,
            "is_collapsed": False,
            "child_order": 0,
            "responsible_uid": None,
            "assigned_by_uid": None,
            "completed_at": None,
            "added_by_uid": "1",
            "added_at": "2024-05-06T07:00:00.000000Z",
            "updated_at": "2024-05-06T07:00:00.000000Z",
        }
        return self.change(id, {**fields, **known})

    def change(self, id: str, fields: dict[str, Any]) -> dict[str, Any]:
        words = fields.pop("due_string", None)
        known = {name: value for name, value in fields.items() if name in self.tasks[id]}
        if words is not None:
            known["due"] = None if words == "no date" else due(words)
        self.tasks[id].update(known)
        return self.tasks[id]

    def close(self, id: str) -> None:
        task = self.tasks[id]
        if task["due"] and task["due"]["is_recurring"]:
            task["due"]["date"] = "2024-05-13"
        else:
            task["completed_at"] = "2024-05-06T07:00:00.000000Z"


class Refusal(Exception):
    def __init__(self, status: int, error: str, tag: str, **extra: Any) -> None:
        super().__init__(error)
        self.status = status
        self.body = {"error": error, "error_code": 0, "error_extra": extra, "error_tag": tag, "http_code": status}


def due(words: str) -> dict[str, Any]:
    if words not in WORDS:
        raise Refusal(400, "Date is invalid", "INVALID_DATE")
    date, repeats = WORDS[words]
    return {"date": date, "string": words, "lang": "en", "is_recurring": repeats, "timezone": None}


@contextmanager
def todoist(account: Account) -> Iterator[str]:
    """Serve an account; give the base URL."""
    account.project("Eingang", inbox=True)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            body = json.loads(self.rfile.read(length) or b"{}")
            account.requests.append(f"{self.command} {self.path}")
            try:
                status, answer = 200, self.route(body)
            except Refusal as refusal:
                status, answer = refusal.status, refusal.body
            content = b"" if answer is None else json.dumps(answer).encode()
            self.send_response(204 if answer is None else status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def route(self, body: dict[str, Any]) -> Any:
            if self.headers["Authorization"] != f"Bearer {TOKEN}":
                raise Refusal(401, "Unauthorized", "UNAUTHORIZED")
            url = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(url.query).items()}
            match self.command, url.path.removeprefix("/api/v1/").split("/"):
                case "GET", ["tasks"]:
                    wanted = query.get("project_id")
                    tasks = [t for t in account.tasks.values() if t["completed_at"] is None]
                    return page([t for t in tasks if wanted in {None, t["project_id"]}], query, account.page_size)
                case "GET", ["projects"]:
                    return page(list(account.projects.values()), query, account.page_size)
                case "POST", ["tasks"]:
                    return account.task(**body)
                case "POST", ["projects"]:
                    return account.project(body["name"])
                case "GET", ["tasks", id] if id in account.tasks:
                    return account.tasks[id]
                case "POST", ["tasks", id] if id in account.tasks:
                    return account.change(id, body)
                case "DELETE", ["tasks", id] if id in account.tasks:
                    del account.tasks[id]
                    return None
                case "POST", ["tasks", id, "close"] if id in account.tasks:
                    return account.close(id)
                case "POST", ["tasks", id, "move"] if id in account.tasks:
                    return account.change(id, body)
            raise Refusal(404, "Task not found", "NOT_FOUND")

        do_GET = do_POST = do_DELETE = answer

        def log_message(self, *words: Any) -> None:
            """Say nothing."""

    with serving(Handler) as address:
        yield f"http://{address}"


def page(entries: list[Any], query: dict[str, str], size: int) -> dict[str, Any]:
    """Return entries from where the cursor points to."""
    start = int(re.sub(r"\D", "", query.get("cursor", "0")))
    rest = f"c{start + size}" if start + size < len(entries) else None
    return {"results": entries[start : start + size], "next_cursor": rest}
