"""Every form in which a provider may be told a schema, each with an independent judge of what it takes."""

import json
from collections.abc import Callable
from typing import Any

import attrs
from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for

from prismpy.lowering import dialect, known_providers
from prismpy.schema import canonical, plain
from tests.lowering import anthropic_subset, gemini_subset, openai_subset


def answers(translate: Callable[[Any], Any], value: Any) -> bool:
    """Tell whether a translator makes JSON of a value, and leaves the value itself as it is."""
    before = canonical(value)
    after = translate(value)
    return canonical(value) == before and canonical(plain(after)) == canonical(after)


def nothing(_: Any) -> list[str]:
    return []


def root_faults(schema: Any) -> list[str]:
    """Name what OpenAI and Anthropic refuse in an outermost schema, whatever the mode."""
    return sorted(schema.keys() & {"oneOf", "anyOf", "allOf"})


JUDGES: dict[tuple[str, bool], Callable[[Any], list[str]]] = {
    ("openai", False): root_faults,
    ("openai", True): openai_subset.faults,
    ("openai-responses", False): root_faults,
    ("openai-responses", True): openai_subset.faults,
    ("openai-compatible", False): root_faults,
    ("openai-compatible", True): openai_subset.faults,
    ("openai-responses-compatible", False): root_faults,
    ("openai-responses-compatible", True): openai_subset.faults,
    ("anthropic", False): root_faults,
    ("anthropic", True): anthropic_subset.faults,
    ("bedrock", False): root_faults,
    ("bedrock", True): anthropic_subset.faults,
    ("mistral", False): nothing,
    ("mistral", True): openai_subset.faults,
    ("gemini", False): gemini_subset.openapi_faults,
    ("gemini-json-schema", False): gemini_subset.json_faults,
    ("ollama", False): nothing,
    ("mcp", False): nothing,
    ("json-schema", False): nothing,
}
"""Provider, and whether it is its strict mode, to a judge of its schemas."""


@attrs.frozen
class Form:
    """One way to say a schema."""

    provider: str
    strict: bool

    def __str__(self) -> str:
        return f"{self.provider} strict" if self.strict else self.provider

    @property
    def enforces_all(self) -> bool:
        """Whether every property is required."""
        strict = dialect(self.provider).strict
        return self.strict and strict is not None and strict.all_required

    @property
    def is_exact(self) -> bool:
        """Whether nothing gets through that its schemas do not name, so that what is no loss is enforced."""
        subset = dialect(self.provider).strict if self.strict else dialect(self.provider).plain
        return subset is not None and bool(subset.closing)

    @property
    def faults(self) -> Callable[[Any], list[str]]:
        """Names what the provider would refuse of a schema."""
        return JUDGES[self.provider, self.strict]


FORMS = [
    Form(provider, strict)
    for provider in known_providers()
    for strict in (False, True)
    if not strict or dialect(provider).strict is not None
]

COMPILED = [form for form in FORMS if form.strict or dialect(form.provider).plain is not None]
"""The forms that are not as declared, but for the outermost schema."""


_ALIKE = {"openai-compatible", "openai-responses", "openai-responses-compatible", "bedrock", "mcp", "json-schema"}

DISTINCT = [form for form in FORMS if form.provider not in _ALIKE]
"""Those whose facts no other has: what is long need not run for the others."""


def readable(schema: Any) -> Any:
    """Return a schema, told in OpenAPI's words or not, for those who read JSON Schema."""
    if isinstance(schema, list):
        return [readable(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("nullable") is True:
        rest = {word: value for word, value in schema.items() if word != "nullable"}
        return {"anyOf": [readable(rest), {"type": "null"}]}
    inner = ("properties", "$defs", "definitions", "patternProperties", "dependentSchemas", "dependencies")
    return {
        word: {name: readable(node) for name, node in value.items()}
        if word in inner
        else value
        if word in {"enum", "const", "default", "examples", "dependentRequired"}
        else readable(value)
        for word, value in schema.items()
    }


def is_schema(schema: Any) -> bool:
    """Tell whether something is a schema of the draft that it names, the newest where it names none."""
    validator = validator_for(schema, default=Draft202012Validator)
    return validator(validator.META_SCHEMA).is_valid(schema)


def names_collide(sent: Any, back: Any) -> bool:
    """Tell whether entries have a name twice, or one that is declared, too, which no schema can forbid."""
    return _has_twins(sent) or "additional_properties" in json.dumps(back)


def _has_twins(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_twins, value.values()))
    if not isinstance(value, list):
        return False
    names = [item["name"] for item in value if isinstance(item, dict) and isinstance(item.get("name"), str)]
    return len(set(names)) < len(names) or any(map(_has_twins, value))


def without_nulls(value: Any) -> Any:
    """Take a null property and one that is left out as the same."""
    if isinstance(value, dict):
        return {name: without_nulls(item) for name, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value
