"""
The answer to a call: what the handler returned, and what the model reads of it.

Source of names: Prism, `src/ValueObjects/{ToolOutput,ToolResult}.php` (read 2026-11).
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Self

import attrs

from prismpy.errors import Problem, StateError
from prismpy.schema import JSON, cut

from ._artifact import Artifact
from ._calls import ToolCall
from ._content import Content, Text, is_content, pieces
from ._lean import lean
from ._stored import Stored, read, told, told_item


@lean
@attrs.frozen(slots=False, init=False)
class ToolOutput(Stored):
    """What a handler returns when it has more to give than text for the model."""

    result: Any = attrs.field(hash=False)
    """For the model: text, anything that becomes JSON, or `Text`, `Image` and `Document`, one or a list of them."""

    artifacts: tuple[Artifact, ...] = ()
    """For the app, in the order given."""

    def __init__(self, result: Any, artifacts: Iterable[Artifact] = ()) -> None:
        fields = self.__dict__
        fields["result"] = result
        if artifacts != ():
            fields["artifacts"] = tuple(artifacts)

    def to_dict(self) -> dict[str, JSON]:
        """
        Return `{"result": JSON, "artifacts": [...]}`, with `content` in the place of `result` where it is no JSON.

        Raises:
            StateError: for a result that is neither JSON nor content.
        """
        if not is_content(self.result):
            return super().to_dict()
        content = pieces(self.result)
        odd = [piece for piece in content if not isinstance(piece, Content)]
        if odd:
            msg = f"{cut(repr(odd[0]))} is no content; use Text, Image, Document or a string"
            raise StateError(msg, path="content")
        return {
            "content": told_item(None, content, "content"),
            "artifacts": told_item(None, self.artifacts, "artifacts"),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the output that `to_dict` told; content comes back as a tuple."""
        if not isinstance(data, Mapping) or "content" not in data:
            return super().from_dict(data)
        rest = {name: value for name, value in data.items() if name != "content"}
        output = super().from_dict({"result": None, **rest})
        return attrs.evolve(output, result=read(tuple[Content, ...], data["content"], "content"))


@lean
@attrs.frozen(slots=False, init=False)
class ToolResult(Stored):
    """The answer to one call. Every call gets exactly one."""

    call: ToolCall
    """The call; its id is unique among the calls that were run together."""

    output: ToolOutput
    """What the handler returned; its `result` is text where the call failed."""

    text: str
    """What the model reads. Always encodable as UTF-8."""

    is_error: bool = False
    """Whether the call failed: refused before the handler ran, or failed in it."""

    problems: tuple[Problem, ...] = ()
    """What was wrong with the arguments; empty unless the call was refused for them."""

    repairs: tuple[str, ...] = ()
    """What was repaired in the arguments before the handler saw them, one sentence each."""

    parts: tuple[Content, ...] = ()
    """What the model gets, where that is more than text; `text` tells it in words."""

    retry: Literal["", "open", "spent"] = ""
    """`open` where the model did something wrong that it can set right, `spent` where it may not try again."""

    def __init__(
        self,
        call: ToolCall,
        output: ToolOutput,
        text: str,
        is_error: bool = False,
        problems: tuple[Problem, ...] = (),
        repairs: tuple[str, ...] = (),
        parts: tuple[Content, ...] = (),
        retry: Literal["", "open", "spent"] = "",
    ) -> None:
        fields = self.__dict__
        fields["call"] = call
        fields["output"] = output
        fields["text"] = text
        if is_error or problems or repairs or parts or retry:
            fields["is_error"] = is_error
            fields["problems"] = problems
            fields["repairs"] = repairs
            fields["parts"] = parts
            fields["retry"] = retry

    @property
    def content(self) -> tuple[Content, ...]:
        """What the model gets, for providers that take more than text."""
        return self.parts or (Text(self.text),)

    @property
    def artifacts(self) -> tuple[Artifact, ...]:
        """The artifacts of the output."""
        return self.output.artifacts

    def to_dict(self) -> dict[str, JSON]:
        """
        Return the fields by name. What the model reads takes the place of a result that is neither JSON nor content.

        Raises:
            StateError: for metadata of an artifact that is no JSON.
        """
        try:
            stored = super().to_dict()
        except StateError:
            stored = told(attrs.evolve(self, output=attrs.evolve(self.output, result=self.parts or self.text)))
        if stored["parts"] == stored["output"].get("content", []):  # pictures are large
            del stored["parts"]
        return stored

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the result that `to_dict` told."""
        result = super().from_dict(data)
        as_returned = "parts" not in data and is_content(result.output.result)
        return attrs.evolve(result, parts=result.output.result) if as_returned else result
