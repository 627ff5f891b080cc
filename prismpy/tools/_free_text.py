"""Tools that take one text and nothing else."""

import attrs

from prismpy.errors import DefinitionError
from prismpy.schema import StringSchema, describe, emit

from ._spec import ToolSpec


def taking_text(spec: ToolSpec) -> ToolSpec:
    """
    Return a tool that takes one text and nothing else, held against the grammar if Python can.

    Raises:
        DefinitionError: if it takes anything but one text, or may go without.
    """
    properties, free_text = spec.parameters.properties or (), spec.free_text
    text = properties[0] if len(properties) == 1 else None
    if not isinstance(text, StringSchema) or text.nullable or text.name not in (spec.parameters.required_fields or ()):
        complaint = "takes_free_text() is for tools with one parameter, a text that is required; it takes "
        msg = f"tool {spec.name!r}: {complaint}{describe(emit(spec.parameters))}"
        raise DefinitionError(msg, tool=spec.name)
    if free_text is not None and text.pattern is None:
        text = attrs.evolve(text, pattern=free_text.pattern)
    parameters = attrs.evolve(spec.parameters, properties=(text,), allow_additional_properties=False)
    return attrs.evolve(spec, parameters=parameters)
