"""
The row for pydantic models: pydantic writes the schema and does the loading.

Nothing here imports pydantic before the user has: a model cannot exist without it.
"""

import inspect
import sys
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, Final

from prismpy.docstrings import field_docs
from prismpy.schema import JSON, Schema, cut, parse, step, subschemas

from ._errors import ConversionError, NoJSONFormError, by_users_code
from ._reader import Reader, renamed
from ._rule import Form, TypeRule


def _is_model(annotation: Any) -> bool:
    pydantic = sys.modules.get("pydantic")
    if pydantic is None or not isinstance(annotation, type) or annotation is pydantic.BaseModel:
        return False
    return issubclass(annotation, pydantic.BaseModel)


def model_texts(kind: Any) -> Mapping[str, str]:
    """Return what is said about the fields of a model, by the names that its constructor takes; empty for others."""
    if not _is_model(kind):
        return {}
    docs, fields = field_docs(kind), kind.model_fields.items()
    texts = {field.alias or name: field.description or docs.get(name, "") for name, field in fields}
    return {name: text for name, text in texts.items() if text}


def root_of_model(kind: Any) -> Any:
    """Return the annotation of what a pydantic `RootModel` is made of; None for all else."""
    root = kind.model_fields.get("root") if _is_model(kind) and kind.__pydantic_root_model__ else None
    return None if root is None else root.annotation


def _model_form(model: Any, reader: Reader) -> Form:
    from pydantic.errors import PydanticUserError

    try:
        schema = model.model_json_schema(schema_generator=_untitled())
    except PydanticUserError as error:
        msg = f"pydantic cannot write the schema of {model.__name__}: {cut(str(error).splitlines()[0], 200)}"
        raise NoJSONFormError(msg) from error
    return Form(_with_definitions(schema, reader), partial(_load_by, model.model_validate))


@cache
def _untitled() -> Any:
    """
    Derive a schema generator without the titles that only repeat a name.

    A model that ignores what it does not know is closed, so that nothing a model sends is dropped silently.
    """
    from pydantic.json_schema import GenerateJsonSchema

    class Untitled(GenerateJsonSchema):
        def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002  # pydantic's signature
            return False

        def model_schema(self, schema: Any) -> JSON:
            model = schema["cls"]
            written = super().model_schema(schema)
            if written.get("title") == model.__name__:
                del written["title"]
            for name, docs in field_docs(model).items():
                written.get("properties", {}).get(name, {"description": ""}).setdefault("description", docs)
            if model.model_config.get("extra", "ignore") == "ignore" and written.get("type") == "object":
                written["additionalProperties"] = False
            return written

    return Untitled


def _load_by(validate: Callable[[JSON], Any], value: JSON) -> Any:
    from pydantic import ValidationError

    try:
        with by_users_code("a validator refused it"):
            return validate(value)
    except ConversionError as error:
        failed = error.__cause__
        if not isinstance(failed, ValidationError):
            raise
        first = failed.errors(include_url=False, include_context=False)[0]
        path = ""
        for key in first["loc"]:
            path = step(path, key)
        msg = f"{cut(first['msg'], 200)}, got {cut(repr(first['input']))}"
        raise ConversionError(msg, path) from failed


def _model_values(value: Any) -> JSON:
    return value.model_dump(mode="json", by_alias=True)


def adapter_form(annotation: Any, reader: Reader) -> Form:
    """
    Let pydantic read an annotation of any kind, and load its values.

    Raises:
        NoJSONFormError: if pydantic cannot.
    """
    from pydantic import TypeAdapter

    try:
        adapter = TypeAdapter(annotation)
        schema = adapter.json_schema(schema_generator=_untitled())
    except Exception as error:  # pydantic's own, or whatever the hooks of a class raise
        msg = f"pydantic cannot read {annotation}: {cut(str(error), 200)}"
        raise NoJSONFormError(msg) from error
    return Form(_with_definitions(schema, reader), partial(_load_by, adapter.validate_python))


def _with_definitions(schema: JSON, reader: Reader) -> Schema:
    if any(isinstance(node, dict) and node.get("anyOf") == [] for _, node in subschemas(schema)):
        msg = "pydantic finds no member of a union that JSON knows"
        raise NoJSONFormError(msg)
    names = reader.define(schema.pop("$defs", {}))
    return parse(renamed(schema, names))


def _tells_pydantic(annotation: Any) -> bool:
    """Recognise classes such as `HttpUrl`, which tell pydantic how they are read."""
    if not isinstance(annotation, type) or "pydantic" not in sys.modules:
        return False
    return isinstance(inspect.getattr_static(annotation, _HOOK, None), classmethod | staticmethod)


_HOOK: Final = "__get_pydantic_core_schema__"


def _written(value: Any) -> JSON:
    from pydantic import TypeAdapter
    from pydantic_core import PydanticSerializationError

    try:
        return TypeAdapter(type(value)).dump_python(value, mode="json")
    except PydanticSerializationError as error:
        msg = f"pydantic cannot write a {type(value).__name__}: {cut(str(error), 200)}"
        raise NoJSONFormError(msg) from error


PYDANTIC_RULES: Final = (
    TypeRule(_is_model, _model_form, _model_values),
    TypeRule(_tells_pydantic, adapter_form, _written),
)
