"""The package as a whole: what it exports, and what importing it loads."""

import ast
import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest

import prismpy

HEAVY = {"anthropic", "openai", "jsonschema", "pydantic", "anyio", "asyncio", "typer", "rich", "referencing"}


def loaded_by(code: str) -> set[str]:
    """Run code in a fresh interpreter and return the modules it loaded."""
    script = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_import_loads_nothing_heavy() -> None:
    """`import prismpy` loads neither SDK nor jsonschema nor pydantic."""
    assert loaded_by("import prismpy") & HEAVY == set()


def test_describing_and_exporting_loads_nothing_heavy() -> None:
    """A tool can be described and exported without a validator, an event loop or an SDK."""
    code = "from prismpy import Tool, tool\ntool(lambda city: city, name='w').to('openai')"

    assert loaded_by(code) & (HEAVY - {"asyncio"}) == set()


def test_looking_at_tools_loads_no_agents() -> None:
    """A command loads what it needs: agents, models and stores are not among that."""
    loaded = loaded_by("import prismpy.cli")

    assert {name for name in loaded if name.startswith("prismpy.") and name.count(".") == 1} & {
        f"prismpy.{room}" for room in ("agent", "assistant", "codecs", "contexts", "loop", "providers", "toolkits")
    } == set()


def test_every_exported_name_is_there() -> None:
    """Each name in `__all__` can be had, and is listed by `dir`."""
    assert [name for name in prismpy.__all__ if not hasattr(prismpy, name)] == []
    assert set(prismpy.__all__) <= set(dir(prismpy))


def test_type_checkers_see_the_same_names() -> None:
    """The imports for type checkers are the exports, each from its home."""
    tree = ast.parse(Path(prismpy.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {(node.module, a.asname) for node in block.body if isinstance(node, ast.ImportFrom) for a in node.names}

    assert seen == {(room, name) for name, room in prismpy._HOME_OF.items()}


def test_the_version_is_that_of_the_installed_package() -> None:
    """It stands in one place, the package's metadata."""
    assert prismpy.__version__ == importlib.metadata.version("prismpy")


def test_an_unknown_name_is_an_attribute_error() -> None:
    """A name that is not exported fails as in any module."""
    with pytest.raises(AttributeError, match="module 'prismpy' has no attribute 'Tol'"):
        _ = prismpy.Tol
