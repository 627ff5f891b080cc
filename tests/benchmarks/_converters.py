"""
Let a library convert schemas to OpenAI's strict mode, in whatever environment this runs.

Like `_peers`, of which it uses the environments and the clock, this is run as
a module in each peer's environment, and imports nothing else until a library
is asked for. What is made of the outcomes is `converters`' business.
"""

from __future__ import annotations

import argparse
import copy
import importlib
import importlib.metadata
import json
import subprocess
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from tests.benchmarks import _peers

Convert: TypeAlias = Callable[[Any], Any]
Converter: TypeAlias = Callable[[], tuple[Convert, tuple[type[BaseException], ...]]]
"""Imports a library; gives what converts a schema, and what that raises to refuse one."""


def _openai_agents() -> tuple[Convert, tuple[type[BaseException], ...]]:
    library: Any = importlib.import_module("agents.strict_schema")
    return library.ensure_strict_json_schema, (importlib.import_module("agents.exceptions").UserError,)


def _openai() -> tuple[Convert, tuple[type[BaseException], ...]]:
    # what `to_strict_json_schema` does with the schema of a pydantic model, and the only way in for any other
    library: Any = importlib.import_module("openai.lib._pydantic")
    return lambda schema: library._ensure_strict_json_schema(schema, path=(), root=schema), ()


def _pydantic_ai() -> tuple[Convert, tuple[type[BaseException], ...]]:
    library: Any = importlib.import_module("pydantic_ai.profiles.openai")
    errors: Any = importlib.import_module("pydantic_ai.exceptions")
    return lambda schema: library.OpenAIJsonSchemaTransformer(schema, strict=True).walk(), (errors.UserError,)


def _langchain() -> tuple[Convert, tuple[type[BaseException], ...]]:
    library: Any = importlib.import_module("langchain_core.utils.function_calling")

    def convert(schema: Any) -> Any:
        made = library.convert_to_openai_tool({"name": "t", "description": "", "parameters": schema}, strict=True)
        return made["function"]["parameters"]

    return convert, ()


CONVERTERS: Mapping[str, tuple[str, Converter]] = {
    "openai-agents": ("openai-agents", _openai_agents),
    "openai": ("openai", _openai),
    "pydantic-ai": ("pydantic-ai-slim", _pydantic_ai),
    "langchain-core": ("langchain-core", _langchain),
}
"""Name of a library to what to install for it, and what converts."""


def run(library: str, schemas: Sequence[Any], cache: Path) -> tuple[str, list[_peers.Outcome]]:
    """Give the version of a library and what becomes of each schema, in an environment of its own."""
    process = _peers.module("_converters", CONVERTERS[library][0], cache)
    asked, answered = cache / f"{library}-schemas.json", cache / f"{library}-converted.jsonl"
    asked.write_text(json.dumps(schemas), encoding="utf-8")
    process["args"] += [library, str(asked), str(answered)]
    subprocess.run(**process, stdout=subprocess.DEVNULL, check=True)
    release, *outcomes = map(json.loads, answered.read_text(encoding="utf-8").splitlines())
    return release, outcomes


def main() -> None:
    parser = argparse.ArgumentParser(description="Let one library convert schemas; `converters` starts this.")
    parser.add_argument("library", choices=CONVERTERS)
    parser.add_argument("asked", type=Path, help="a JSON list of schemas")
    parser.add_argument("answered", type=Path, help="gets an outcome a line, as JSON")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    distribution, converter = CONVERTERS[options.library]
    convert, refusals = converter()

    def sort(error: BaseException) -> str:
        return "refused" * isinstance(error, refusals)

    schemas = json.loads(options.asked.read_text(encoding="utf-8"))
    with options.answered.open("w", encoding="utf-8") as file:
        file.write(json.dumps(_peers.release(distribution)) + "\n")
        for schema in schemas:
            made = _peers.outcome(lambda schema: {"schema": convert(copy.deepcopy(schema))}, sort, schema)
            file.write(json.dumps(made) + "\n")


if __name__ == "__main__":
    main()
