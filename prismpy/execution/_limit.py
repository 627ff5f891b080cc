"""Results that are too long to be read at once: what is cut is kept, and can be read on."""

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Final

import attrs

from prismpy.errors import ToolError
from prismpy.messages import Artifact, Content, Text, ToolOutput, ToolResult
from prismpy.schema import IntegerSchema, ObjectSchema, StringSchema
from prismpy.tools import ToolSpec, complete

from ._text import told_in_words

READER: Final = "read_result"
"""Name of the tool that reads on."""

_KEPT: Final = 64
"""Texts that are kept; the oldest one goes when one more comes."""


def limit(result: ToolResult, characters: int, *, reads_on: bool) -> ToolResult:
    """
    Cut the text of a result, and keep all of it as an artifact. Pictures and files are left whole.

    Args:
        result: What a call came to.

        characters: How many the model may read.

        reads_on: Whether the model has a tool to read on, which the text then says.

    Returns:
        The result as it is if it is short enough.
    """
    text = "\n".join(part.text for part in result.content if isinstance(part, Text))
    if len(text) <= characters:
        return result
    content = text.encode("utf-8")
    kind = "text/plain" if result.parts or isinstance(result.output.result, str) else "application/json"
    kept = Artifact.from_raw(content, kind, {"cut_at": characters}, hashlib.sha256(content).hexdigest()[:12])
    note = f"cut after {characters} of {len(text)} characters"
    how = f"; {READER} reads on with id {kept.id!r} and start {characters}" if reads_on else ""
    output = ToolOutput(result.output.result, (*result.output.artifacts, kept))
    parts = (*_cut(result.content, characters), Text(f"[{note}{how}]"))
    return attrs.evolve(result, output=output, text=told_in_words(parts), parts=parts if result.parts else ())


def _cut(parts: Iterable[Content], characters: int) -> Iterator[Content]:
    """Leave out what goes beyond so many characters of the texts, which are joined by newlines."""
    for part in parts:
        if not isinstance(part, Text):
            yield part
            continue
        if characters > 0:
            yield Text(part.text[:characters])
        characters -= len(part.text) + 1


class Kept:
    """The texts that were cut, the latest of them."""

    def __init__(self) -> None:
        self._texts: OrderedDict[str, str] = OrderedDict()

    def keep(self, results: Iterable[ToolResult]) -> None:
        """Keep what was cut of results."""
        for artifact in (artifact for result in results for artifact in result.artifacts):
            if artifact.id is not None and "cut_at" in artifact.metadata:
                self._texts[artifact.id] = artifact.raw().decode("utf-8")
                while len(self._texts) > _KEPT:
                    self._texts.popitem(last=False)

    def read(self, id: str, start: int = 0, length: int = 4000) -> str:
        """Return a slice of a text that was cut, and say how much is left."""
        text = self._texts.get(id)
        if text is None:
            known = ", ".join(self._texts) or "none"
            msg = f"there is no result {id!r} (any more); known are {known}"
            raise ToolError(msg)
        left = max(len(text) - start - length, 0)
        return text[start : start + length] + (f"\n[{left} characters left]" if left else "")

    @property
    def reader(self) -> ToolSpec:
        """The tool that reads on."""
        parameters = ObjectSchema(
            properties=(
                StringSchema("id", "Id of the result, as its note says"),
                IntegerSchema("start", "First character to read", minimum=0, default=0),
                IntegerSchema("length", "Characters to read", minimum=1, maximum=20_000, default=4000),
            ),
            required_fields=("id",),
            allow_additional_properties=False,
        )
        description = "Read on in the result of an earlier call that was cut."
        return complete(ToolSpec(READER, description, parameters, handler=self.read))
