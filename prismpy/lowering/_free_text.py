"""
Tools that take one text, for providers that know such tools, and for those that don't.

The former send the text as it is; the object with one property that was
declared is made of it here. The latter get that object, and a grammar in words.
"""

from typing import Final

import attrs

from prismpy.schema import JSON, emit, step
from prismpy.tools import FreeText, ToolSpec

from ._changes import Change
from ._compile import Compiler
from ._lens import Lens
from ._subset import Subset

_BARE: Final = Subset()
"""A text that is sent as it is has no constraints but the grammar."""


def text_of(spec: ToolSpec, free_text: FreeText) -> tuple[Lens, tuple[Change, ...]]:
    """Say the one parameter of a tool as a text that a provider sends as it is."""
    declared = emit(spec.parameters)
    ((name, node),) = declared["properties"].items()
    if node.get("pattern") == free_text.pattern:  # the grammar says it
        node = {keyword: value for keyword, value in node.items() if keyword != "pattern"}
    compiler = Compiler({**declared, "properties": {name: node}}, _BARE)
    text = compiler.root().schema["properties"][name]

    def encode(value: JSON) -> JSON:
        return value[name] if isinstance(value, dict) and value.keys() == {name} else value

    def decode(value: JSON) -> JSON:
        return {name: value} if isinstance(value, str) else value

    return Lens(text, encode, decode), (Change("free-text", "$", declared, text), *compiler.changes)


def described(schema: JSON, free_text: FreeText) -> tuple[JSON, tuple[Change, ...]]:
    """Tell a grammar in words, unless the schema says it as a pattern."""
    if not free_text.grammar or free_text.pattern is not None:
        return schema, ()
    ((name, node),) = schema["properties"].items()
    words = f"Obey this {_NAMES[free_text.syntax]}:\n{free_text.grammar}"
    told = {**node, "description": "\n\n".join(filter(None, [node.get("description"), words]))}
    change = Change("grammar", step("$.properties", name), attrs.asdict(free_text), words, lossy=True)
    return {**schema, "properties": {name: told}}, (change,)


_NAMES: Final = {"lark": "Lark grammar", "regex": "regular expression, as a whole"}
