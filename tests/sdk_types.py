"""The parameter types of the SDKs as JSON Schema, to judge what is sent."""

from typing import Any

import pydantic
from jsonschema import Draft202012Validator


def closed(schema: Any) -> Any:
    """Refuse unknown keys wherever a type names its keys, unless it says that it takes others."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {
        key: {name: closed(one) for name, one in value.items()} if key in {"properties", "$defs"} else closed(value)
        for key, value in schema.items()
    }
    return {"additionalProperties": False, **inner} if "properties" in inner else inner


def sdk_schema(kind: Any) -> dict[str, Any]:
    """Return the JSON Schema of a parameter type of an SDK. `validate_python` would let unknown keys through."""
    schema: dict[str, Any] = closed(pydantic.TypeAdapter(kind).json_schema())
    Draft202012Validator.check_schema(schema)
    return schema
