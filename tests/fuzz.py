"""
Throw at the executor what models might send, for longer than the suite does.

    python -m tests.fuzz                                100,000 mutated calls of the corpora, by hypothesis
    python -m tests.fuzz --examples 1000000             more of them
    python -m tests.fuzz --atheris --seconds 600        inputs that are bred by the lines they reach (pip install atheris)

The property is that of `tests/execution/test_fuzz.py`: no exception escapes, every refusal names a path, every call that
runs is valid. Atheris throws bytes as they are as well, at a tool with every kind of parameter. The data is read from
`../shared`. What fails is printed, and by hypothesis kept for the next run of the test.
"""

import argparse
import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any


def by_hypothesis(examples: int) -> int:
    """Run the test with so many examples; return its exit code."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/execution/test_fuzz.py"]
    return subprocess.run(command, env={**os.environ, "PRISMPY_FUZZ": str(examples)}, check=False).returncode


def by_atheris(seconds: int) -> None:
    """Breed inputs for so long; the process ends with it."""
    import atheris  # type: ignore[import-not-found]  # heavy, and not for every Python

    with atheris.instrument_imports(include=["prismpy"]):
        from prismpy import Tool
        from tests.execution.test_fuzz import test_whatever_a_model_sends_is_run_or_refused
    mutated: Callable[[bytes], Any] = test_whatever_a_model_sends_is_run_or_refused.hypothesis.fuzz_one_input
    anything = Tool.from_schema("anything", "", SCHEMA, lambda **_: "ran")

    def one(data: bytes) -> None:
        result = anything.run(data)
        assert result.text.encode()
        assert not result.is_error or result.problems
        with contextlib.suppress(UnicodeDecodeError):
            assert anything.run(data.decode()).is_error == result.is_error
        mutated(data)

    atheris.Setup([sys.argv[0], f"-max_total_time={seconds}", "-max_len=4096"], one)
    atheris.Fuzz()


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "minLength": 1, "maxLength": 9, "pattern": "^[a-z]*$"},
        "number": {"type": "number", "minimum": -5, "multipleOf": 0.5},
        "integer": {"type": "integer", "exclusiveMaximum": 100, "default": 3},
        "flag": {"type": ["boolean", "null"]},
        "choice": {"enum": ["a", 1, None, {"b": [2]}]},
        "list": {"type": "array", "items": {"$ref": "#/$defs/node"}, "uniqueItems": True, "maxItems": 3},
        "either": {"anyOf": [{"type": "integer"}, {"type": "object", "required": ["kind"]}, {"$ref": "#/$defs/node"}]},
        "tuple": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}], "items": False},
    },
    "required": ["text"],
    "patternProperties": {"^x-": {"type": "string"}},
    "additionalProperties": False,
    "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "n": {"type": "integer"}}}},
}


def main() -> None:
    """Throw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=100_000)
    parser.add_argument("--atheris", action="store_true")
    parser.add_argument("--seconds", type=int, default=600)
    options = parser.parse_args()
    if options.atheris:
        by_atheris(options.seconds)
    else:
        sys.exit(by_hypothesis(options.examples))


if __name__ == "__main__":
    main()
