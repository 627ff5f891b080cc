"""
Answers of a demanded form.

The form is a tool that nobody calls: its parameters are what the model must
answer, and running it turns the answer into a value. So everything that holds
for arguments holds for answers: strict subsets, the way back, repairs, the words
for what is wrong.
"""

import inspect
from collections.abc import Mapping
from typing import Any, Final

import attrs

from prismpy.codecs import OutputForm
from prismpy.fluent import Tool, tool
from prismpy.lowering import Offer, has_strict_mode, offer
from prismpy.schema import JSON, Schema, emit

_NAME: Final = "answer"
_WRAPPED: Final = "value"
"""The one property of an answer whose form is no object, since providers take objects only."""


@attrs.frozen
class Output:
    """What an answer must look like, in one provider's words, and how it becomes a value."""

    tool: Tool
    offer: Offer

    @property
    def form(self) -> OutputForm:
        """What the provider is asked for."""
        spec = self.tool.spec
        lowered = self.offer.lowered[spec.name]
        return OutputForm(spec.name, lowered.schema, lowered.strict, spec.description)

    def read(self, text: str) -> tuple[Any, str]:
        """
        Turn an answer into a value.

        Returns:
            The value, and what is wrong with the answer, for the model; "" if nothing is.
        """
        result = self.tool.run(text, offer=self.offer)
        if not result.is_error:
            return result.output.result, ""
        return None, "; ".join(map(str, result.problems)) or result.text


def output_for(wanted: Any, dialect: str) -> Output:
    """
    Describe answers in a provider's words: in its strict subset, where it has one.

    Args:
        wanted: A JSON Schema, a schema node, a class whose fields are wanted, or any annotation.

        dialect: As in `tool.to(...)`.

    Raises:
        DefinitionError: if it has no JSON form.
    """
    form = _tool_of(wanted)
    return Output(form, offer([form.spec], dialect, strict=has_strict_mode(dialect)))


def _tool_of(wanted: Any) -> Tool:
    if isinstance(wanted, Tool):
        return wanted
    if isinstance(wanted, Schema):
        wanted = emit(wanted)
    if isinstance(wanted, Mapping):
        return _by_schema(dict(wanted))
    if inspect.isclass(wanted) and _has_fields(wanted):
        return tool(wanted).as_(_NAME)
    return _by_annotation(wanted)


def _by_schema(schema: dict[str, JSON]) -> Tool:
    description = schema.get("description", "")
    if schema.get("type") == "object" or "properties" in schema:
        return Tool.from_schema(_NAME, description, schema, lambda **fields: fields)
    wrapped = {"type": "object", "properties": {_WRAPPED: schema}, "required": [_WRAPPED]}
    return Tool.from_schema(_NAME, description, wrapped, lambda value: value)


_RECORDS: Final = ("__attrs_attrs__", "__dataclass_fields__", "_fields", "__pydantic_fields__", "__struct_fields__")
"""What classes have whose constructor takes their fields: attrs, dataclasses, named tuples, pydantic, msgspec."""


def _has_fields(kind: type) -> bool:
    return any(hasattr(kind, mark) for mark in _RECORDS) and not getattr(kind, "__pydantic_root_model__", False)


def _by_annotation(annotation: Any) -> Tool:
    def answer(value: Any) -> Any:
        return value

    answer.__annotations__ = {_WRAPPED: annotation}
    return tool(answer, description="The answer.")
