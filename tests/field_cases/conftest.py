"""Fixtures of the field cases."""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from .cases import Case


@pytest.fixture
def module_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Case], ModuleType]:
    """Return a function that imports the code of a case as a real module, so that its annotations can be resolved."""

    def load(case: Case) -> ModuleType:
        name = f"field_case_{case.id.replace('-', '_')}"
        path = tmp_path / f"{name}.py"
        path.write_text(case.input["code"], encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
        return module

    return load


@pytest.fixture(
    params=[
        "asyncio",
        pytest.param("trio", marks=pytest.mark.skipif(not importlib.util.find_spec("trio"), reason="trio is missing")),
    ]
)
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Run async tests on each event loop that is installed."""
    backend: str = request.param
    return backend
