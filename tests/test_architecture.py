"""The house: which room may import which, and that everybody uses the doors."""

import ast
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "prismpy"

# A room may import rooms of a smaller number. Rooms of one number do not know each other.
ROOMS = {
    "errors": 0,
    "docstrings": 1,
    "extras": 1,
    "schema": 1,
    "search": 1,
    "messages": 2,
    "storage": 2,
    "artifacts": 3,
    "types": 2,
    "events": 3,
    "tools": 3,
    "codecs": 4,
    "lowering": 4,
    "execution": 5,
    "loop": 5,
    "providers": 5,
    "review": 5,
    "fluent": 6,
    "toolkits": 7,
    "contexts": 7,
    "agent": 8,
    "testing": 9,
    "assistant": 10,
    "durable": 10,
    "cli": 11,
}

# Heavy packages and the one file of this package that may import each, inside functions only.
LAZY = {
    "jsonschema": {"schema/_check.py"},
    "jsonschema_specifications": {"schema/_check.py"},
    "referencing": {"schema/_check.py"},
    "jsonschema_rs": {"schema/_check.py"},
    "anyio": {
        "assistant/_home.py",
        "assistant/_runs.py",
        "assistant/_server.py",
        "durable/_patience.py",
        "execution/_arun.py",
        "execution/_beside.py",
        "providers/_background.py",
        "providers/_sdk.py",
    },
    "pydantic": {"types/_pydantic.py"},
    "anthropic": {"providers/_anthropic_client.py"},
    "starlette": {"agent/_web.py", "assistant/_server.py"},
    "uvicorn": {"assistant/_serve.py"},
    "dbos": {"durable/_dbos.py"},
    "sqlalchemy": {"durable/_sql.py"},
    "psycopg": {"storage/_postgres.py"},
    "sqlite_vec": {"toolkits/memory/_sqlite.py"},
    "trafilatura": {"toolkits/web/_text.py"},
    "lxml": {"toolkits/web/_text.py"},
    "dateparser": {"toolkits/todoist/_due.py"},
    "httpx": {"toolkits/todoist/_todoist.py"},
    "todoist_api_python": {"toolkits/todoist/_todoist.py"},
    "caldav": {"toolkits/calendar/_caldav.py"},
    "filelock": {"storage/_lock.py"},
    "icalendar": {f"toolkits/calendar/{name}.py" for name in ("_listing", "_parts", "_writing")},
    "recurring_ical_events": {"toolkits/calendar/_listing.py"},
    "tzlocal": {"toolkits/calendar/_calendar.py"},
    "openai": {"providers/_openai_client.py", "toolkits/images/_openai.py"},
}

FILES = sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def imports(tree: ast.AST, *, top_level: bool = False) -> Iterator[ast.Import | ast.ImportFrom]:
    nodes = tree.body if top_level and isinstance(tree, ast.Module) else ast.walk(tree)
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node


def modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]


@pytest.fixture(params=FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def file(request: pytest.FixtureRequest) -> tuple[Path, ast.Module]:
    path: Path = request.param
    return path, ast.parse(path.read_text(encoding="utf-8"))


def test_every_room_has_a_place_in_the_order() -> None:
    """No room exists that the order of rooms does not name, and none is named that does not exist."""
    rooms = {room_of(path) for path in FILES} - {"__init__", "__main__"}

    assert rooms == set(ROOMS)


def test_every_room_is_on_the_page_about_the_house() -> None:
    """In the picture, where the arrows lead down, and with a row that says what lives there."""
    page = (PACKAGE.parent / "docs" / "explanation" / "house.md").read_text(encoding="utf-8")
    floors = [floor.replace(",", " ").split() for floor in page.split("```")[1].split("<-")]
    drawn = {room: height for height, floor in enumerate(floors) for room in floor}

    assert drawn.keys() == ROOMS.keys()
    assert [
        pair
        for pair in itertools.combinations(sorted(drawn, key=ROOMS.__getitem__), 2)
        if drawn[pair[0]] > drawn[pair[1]]
    ] == []
    assert {room for room in ROOMS if f"\n| `{room}` |" in page} == ROOMS.keys()


def test_arrows_point_down(file: tuple[Path, ast.Module]) -> None:
    """A file imports only rooms below its own."""
    path, tree = file
    room = room_of(path)
    found = [module for node in imports(tree) for module in modules(node) if module.startswith("prismpy.")]
    upward = [m for m in found if m.split(".")[1] != room and room in ROOMS and ROOMS[m.split(".")[1]] >= ROOMS[room]]

    assert upward == []


def test_other_rooms_are_entered_by_the_door(file: tuple[Path, ast.Module]) -> None:
    """No file imports a file behind another room's door; siblings are imported relatively, a room's own chambers are not."""
    path, tree = file
    found = [module for node in imports(tree) for module in modules(node) if module.startswith("prismpy.")]

    assert [m for m in found if m.count(".") > 1 and not m.startswith(f"prismpy.{room_of(path)}.")] == []


def test_siblings_are_imported_by_relative_name(file: tuple[Path, ast.Module]) -> None:
    """A relative import stays in its own room."""
    _, tree = file

    assert [node.module for node in imports(tree) if isinstance(node, ast.ImportFrom) and node.level > 1] == []


def test_heavy_packages_are_imported_in_one_place_and_late(file: tuple[Path, ast.Module]) -> None:
    """What takes long to import is imported inside a function of the one file that needs it."""
    path, tree = file
    name = path.relative_to(PACKAGE).as_posix()
    everywhere = {module.split(".")[0] for node in imports(tree) for module in modules(node)}
    at_the_top = {m.split(".")[0] for node in imports(tree, top_level=True) for m in modules(node)}

    assert {package for package in everywhere & set(LAZY) if name not in LAZY[package]} == set()
    assert at_the_top & set(LAZY) == set()


def test_typer_and_rich_stay_in_the_command_line(file: tuple[Path, ast.Module]) -> None:
    """The libraries of the command line load with it only."""
    path, tree = file
    found = {module.split(".")[0] for node in imports(tree) for module in modules(node)}

    assert room_of(path) == "cli" or found & {"typer", "rich"} == set()
