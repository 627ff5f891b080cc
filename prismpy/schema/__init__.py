"""The schema IR: nodes, the way to JSON Schema and back, and the judgement of schemas and values."""

from ._annotated import annotated
from ._changed import changed
from ._check import accepting, check, check_references, compile_schema, explaining, holds
from ._decode import TOO_DEEP, UnreadableError, decode
from ._describe import describe
from ._differences import Difference, differences
from ._emit import emit
from ._explain import nearest
from ._json import (
    JSON,
    JSON_TYPES,
    MAX_DEPTH,
    MISSING,
    Missing,
    canonical,
    copied,
    cut,
    is_deep,
    json_type,
    plain,
    step,
)
from ._keywords import compiles
from ._names import free_name
from ._nodes import (
    AnyOfSchema,
    ArraySchema,
    BooleanSchema,
    EnumSchema,
    IntegerSchema,
    NullSchema,
    NumberSchema,
    ObjectSchema,
    RawSchema,
    RefSchema,
    Schema,
    StringSchema,
)
from ._parse import parse
from ._places import Place, place_of, property_schemas
from ._pointers import pointed
from ._upgrade import upgrade
from ._walk import follow, inner_schemas, item_schemas, map_subschemas, subschemas, unescaped

__all__ = [
    "JSON",
    "JSON_TYPES",
    "MAX_DEPTH",
    "MISSING",
    "TOO_DEEP",
    "AnyOfSchema",
    "ArraySchema",
    "BooleanSchema",
    "Difference",
    "EnumSchema",
    "IntegerSchema",
    "Missing",
    "NullSchema",
    "NumberSchema",
    "ObjectSchema",
    "Place",
    "RawSchema",
    "RefSchema",
    "Schema",
    "StringSchema",
    "UnreadableError",
    "accepting",
    "annotated",
    "canonical",
    "changed",
    "check",
    "check_references",
    "compile_schema",
    "compiles",
    "copied",
    "cut",
    "decode",
    "describe",
    "differences",
    "emit",
    "explaining",
    "follow",
    "free_name",
    "holds",
    "inner_schemas",
    "is_deep",
    "item_schemas",
    "json_type",
    "map_subschemas",
    "nearest",
    "parse",
    "place_of",
    "plain",
    "pointed",
    "property_schemas",
    "step",
    "subschemas",
    "unescaped",
    "upgrade",
]
