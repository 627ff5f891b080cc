"""
Convert the schemas of real tools to OpenAI's strict mode: what is refused, broken or lost, beside other libraries.

    python -m tests.benchmarks.converters                        prismpy alone
    python -m tests.benchmarks.converters --peers                and four others, each in an environment of its own
    python -m tests.benchmarks.converters --peers --json out.json

Each library is asked for strictness, also where it would rather send a tool without. The schemas are those of the
corpus beside the checkout that are valid JSON Schema, the argument sets those right calls that their tool's schema
accepts. Rows of the table, a column per library:

* `refused`: by an error that the library documents; `crashed`: by any other, or after 30 seconds. None of these counts
  below, and neither do their argument sets.
* `breaks the subset`: schemas with something that the guide does not allow, by `tests/lowering/openai_subset.py`;
  `for certain`: those that do so by more than keywords about which the guide is unclear or silent, and which may do
  no harm: `minLength`, `maxLength`, `const` and annotations such as `title`.
* `optional no more`: schemas in which a property of the root is required that was not, and takes no null instead.
* `argument sets`: of the tools converted; `lost`: those that the converted schema has no way to say. Ours must get
  there by `encode` and come back by `decode` as they were. The others have no way back, so null is taken for every
  property that is left out and now required, at any depth; that is more than they promise.
* `seconds`: for all schemas, without what starting a process takes; two thirds of ours go into a check of each
  declared schema against the metaschema, which the others do not make.
"""

import argparse
import json
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from prismpy import PrismError, Tool
from prismpy.schema import canonical, follow
from tests.benchmarks import _converters
from tests.benchmarks._peers import Outcome
from tests.lowering.openai_subset import faults
from tests.shared import read_rows, tool_rows

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "prismpy-benchmarks"
UNCLEAR = {
    "minLength",
    "maxLength",
    "const",
    "title",
    "$schema",
    "$id",
    "$comment",
    "example",
    "examples",
    "deprecated",
}
ROWS = ("schemas", "refused", "crashed", "breaks the subset", "for certain", "optional no more", "argument sets")
ROWS += ("lost", "seconds")


def measure(library: str, rows: tuple[Any, ...], calls: Mapping[str, list[Any]]) -> tuple[str, dict[str, Any]]:
    """Give a library's version, and its column of the table."""
    if library == "prismpy":
        release, outcomes = "checkout", [_ours(row) for row in rows]
    else:
        release, outcomes = _converters.run(library, [row["parameters"] for row in rows], CACHE)
    column: dict[str, Any] = dict.fromkeys(ROWS, 0)
    for row, outcome in zip(rows, outcomes, strict=True):
        column["schemas"] += 1
        column["seconds"] += outcome["seconds"]
        if outcome["outcome"] != "made":
            column[outcome["outcome"]] += 1
            continue
        schema = outcome["schema"]
        column["breaks the subset"] += bool(_faults(schema))
        column["for certain"] += bool(_faults(_without(schema, UNCLEAR)))
        column["optional no more"] += _takes_away_options(row["parameters"], schema)
        sets = calls.get(row["id"], [])
        column["argument sets"] += len(sets)
        column["lost"] += sum(not _can_say(outcome, arguments) for arguments in sets)
    return release, {**column, "seconds": round(column["seconds"], 1)}


def _ours(row: Any) -> Outcome:
    start = time.perf_counter()
    try:
        lowered = Tool.from_schema(row["name"], "", row["parameters"]).lower("openai", strict=True)
    except PrismError as error:
        return {"outcome": "refused", "seconds": time.perf_counter() - start, "error": str(error)}
    seconds = time.perf_counter() - start
    return {"outcome": "made", "seconds": seconds, "schema": lowered.schema, "lowered": lowered}


# --- what is wrong ------------------------------------------------------------


def _faults(schema: Any) -> list[str]:
    try:
        return faults(schema)
    except (AttributeError, KeyError, TypeError) as error:  # of what is in the place of a schema and is none
        return [f"cannot be walked: {error!r}"]


def _without(value: Any, keywords: Iterable[str]) -> Any:
    """Leave out keywords wherever they hold no object: a property of that name holds a schema."""
    if isinstance(value, dict):
        kept = {key: item for key, item in value.items() if key not in keywords or isinstance(item, dict)}
        return {key: _without(item, keywords) for key, item in kept.items()}
    return [_without(item, keywords) for item in value] if isinstance(value, list) else value


def _takes_away_options(declared: Any, converted: Any) -> bool:
    properties = converted.get("properties", {})
    optional = declared.get("properties", {}).keys() - set(declared.get("required", ()))
    forced = optional & set(converted.get("required", ())) & properties.keys()
    return any(not _is_valid({**converted, "required": [name]}, {name: None}, name) for name in forced)


def _is_valid(schema: Any, value: Any, only: str = "") -> bool:
    """Judge a value; with a name, only what is wrong below that property."""
    try:
        errors = Draft202012Validator(schema).iter_errors(value)
        return not any(not only or list(error.absolute_path)[:1] == [only] for error in errors)
    except Exception:  # noqa: BLE001  # what a broken schema does to a validator
        return False


# --- what can be said ---------------------------------------------------------


def _can_say(outcome: Outcome, arguments: Any) -> bool:
    schema = outcome["schema"]
    if (lowered := outcome.get("lowered")) is None:
        return _is_valid(schema, arguments) or _is_valid(schema, _with_nulls(arguments, schema, schema))
    sent = lowered.encode(arguments)
    return _is_valid(schema, sent) and canonical(lowered.decode(sent)) == canonical(arguments)


def _with_nulls(value: Any, schema: Any, document: Any, depth: int = 30) -> Any:
    """Say null for every required property that is left out."""
    if not isinstance(schema, dict) or not depth:
        return value
    if isinstance(schema.get("$ref"), str):
        return _with_nulls(value, follow(document, schema["$ref"]), document, depth - 1)
    for branch in schema.get("anyOf") or ():
        said = _with_nulls(value, branch, document, depth - 1)
        if isinstance(branch, dict) and _is_valid({**branch, "$defs": document.get("$defs", {})}, said):
            return said
    if isinstance(value, dict) and isinstance(properties := schema.get("properties"), dict):
        said = {key: _with_nulls(item, properties.get(key), document, depth - 1) for key, item in value.items()}
        return said | {name: None for name in schema.get("required", ()) if name not in value}
    if isinstance(value, list):
        return [_with_nulls(item, schema.get("items"), document, depth - 1) for item in value]
    return value


# --- the table ----------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", action="store_true", help="convert with other libraries, too")
    parser.add_argument("--json", type=Path, help="write the columns there")
    options = parser.parse_args()
    CACHE.mkdir(parents=True, exist_ok=True)
    calls: dict[str, list[Any]] = {}
    for call in read_rows("corpora/calls.jsonl"):
        if call["valid"]:
            calls.setdefault(call["tool"], []).append(call["arguments"])
    libraries = ["prismpy", *(_converters.CONVERTERS if options.peers else ())]
    columns = {}
    for library in libraries:
        release, column = measure(library, tool_rows(), calls)
        columns[f"{library} {release}"] = column
    print("".ljust(20), *(name.rjust(24) for name in columns))
    for row in ROWS:
        print(row.ljust(20), *(format(column[row], ",").rjust(24) for column in columns.values()))
    if options.json:
        options.json.write_text(json.dumps(columns, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
