"""OpenAI's description of its requests, as a judge of those that we write."""

from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from tests.shared import read_json


def openai_body(name: str, *, strict: bool = True) -> dict[str, Any]:
    """Return the schema of a request; the strict one refuses keys that the description does not have."""
    file = "openai-requests-strict" if strict else "openai-requests"
    return {**read_json(f"recordings/openapi/{file}.json"), "$ref": f"#/$defs/{name}"}


@cache
def _judge(name: str, strict: bool) -> Draft202012Validator:
    return Draft202012Validator(openai_body(name, strict=strict))


def complaints(body: Any, name: str, *, strict: bool = True) -> list[str]:
    """Return what the description has against a body: path and, cut, what is wrong there."""
    return [f"{error.json_path}: {error.message[:200]}" for error in _judge(name, strict).iter_errors(body)]
