"""
The values of one tool call, from the model's request to the answer.

Source of names: Prism, `src/ValueObjects/{Artifact,ToolCall,ToolOutput,ToolResult}.php` (read 2026-11).
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal, Self, TypeVar

import attrs

from prismpy.errors import DefinitionError, PrismError, Problem, StateError
from prismpy.schema import JSON, cut, plain

from ._content import Content, Text, is_content, pieces
from ._stored import Stored, read, told, told_item

T = TypeVar("T")


@attrs.frozen
class Artifact(Stored):
    """
    Something a tool made for the app, not for the model: an image, a file.

    Build one from bytes with `Artifact.from_raw`.
    """

    data: str = attrs.field(repr=lambda data: f"<{len(data)} characters of base64>")
    """The content in base64."""

    mime_type: str
    """Such as `image/png`."""

    metadata: Mapping[str, Any] = attrs.field(factory=dict, converter=dict, hash=False)
    """Anything the app wants to know, as JSON: `{"filename": ..., "width": ...}`."""

    id: str | None = None
    """Name of the artifact within the app, if it has one."""

    @classmethod
    def from_raw(
        cls, content: bytes, mime_type: str, metadata: Mapping[str, Any] | None = None, id: str | None = None
    ) -> Self:
        """Build an artifact from bytes."""
        return cls(base64.b64encode(content).decode("ascii"), mime_type, metadata or {}, id)

    def raw(self) -> bytes:
        """
        Return the content as bytes.

        Raises:
            PrismError: if `data` is no base64.
        """
        try:
            return base64.b64decode(self.data, validate=True)
        except (binascii.Error, ValueError) as error:
            msg = (
                f"artifact {self.id!r}: data is no base64 ({error}); build artifacts from bytes with Artifact.from_raw"
            )
            raise PrismError(msg) from error


# Outputs, calls and results are made for every call, so they are written in the fastest way that still freezes them:
# into the instance's dict, and defaults not at all, since the class has them.


def _lean(cls: type[T]) -> type[T]:
    """Keep defaults in the class, for instances that do not write them."""
    fields: Any = attrs.fields(cls)  # type: ignore[arg-type]  # it is an attrs class
    for field in fields:
        if field.default is not attrs.NOTHING:
            setattr(cls, field.name, field.default)
    return cls


@_lean
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


@_lean
@attrs.frozen(slots=False, init=False)
class ToolCall(Stored):
    """A model's wish to run a tool."""

    id: str
    """The provider's id of the call; "" where it sent none."""

    name: str
    """Name of the tool, as the model wrote it."""

    arguments: str | bytes | Mapping[str, Any] | None = attrs.field(default=None, hash=False)
    """JSON text as it came, the decoded object, or None for no arguments."""

    def __init__(self, id: str, name: str, arguments: str | bytes | Mapping[str, Any] | None = None) -> None:
        fields = self.__dict__
        fields["id"] = id
        fields["name"] = name
        fields["arguments"] = arguments

    @property
    def digest(self) -> str:
        """A fingerprint of name and arguments, whatever the id: 64 hexadecimal digits, the same for equal JSON only."""
        shown = json.dumps([self.name, self.decoded], sort_keys=True, default=repr)
        return hashlib.sha256(shown.encode()).hexdigest()

    def to_dict(self) -> dict[str, JSON]:
        """
        Return `{"id", "name", "arguments"}`: the arguments as they came, object or text.

        UTF-8 becomes text, and what is no JSON becomes text that is none either.
        """
        return {"id": self.id, "name": self.name, "arguments": _storable(self.arguments)}

    @property
    def decoded(self) -> Any:
        """The arguments as JSON, however they came; text that is none stays text."""
        if not isinstance(self.arguments, str | bytes):
            return {} if self.arguments is None else self.arguments
        try:
            return json.loads(self.arguments) if self.arguments.strip() else {}
        except (ValueError, RecursionError):
            return self.arguments


def _storable(arguments: str | bytes | Mapping[str, Any] | None) -> JSON:
    if isinstance(arguments, bytes):
        return arguments.decode("utf-8", "surrogateescape")
    if arguments is None or isinstance(arguments, str):
        return arguments
    try:
        return plain(dict(arguments))
    except DefinitionError:
        return cut(repr(arguments), 10_000)


@attrs.frozen
class Decision(Stored):
    """What somebody decided about a call that requires approval."""

    agreed: bool
    """Whether the call may run."""

    reason: str = ""
    """For the model, where the call may not run."""

    arguments: Mapping[str, Any] | None = attrs.field(default=None, hash=False)
    """What to run the call with instead; None for the arguments as they are. They are checked like any others."""

    digest: str | None = None
    """`ToolCall.digest` of the call that was decided about; it holds for no other. None: for the one that was asked."""


@attrs.frozen
class Pending(Stored):
    """A call that cannot be answered before something comes from outside."""

    call: ToolCall
    """With the arguments that it would be run with; its `digest` binds a decision to them."""

    needs: Literal["approval", "answer"]
    """A decision of somebody, or what the app or its client answers in the place of a handler."""


@attrs.frozen
class RunContext:
    """
    What a handler may know about the call it answers.

    A parameter annotated with this class is filled by prismpy and left out of the schema.
    """

    call: ToolCall
    """The call, with the arguments as the model sent them."""

    provided: tuple[Any, ...] = attrs.field(default=(), converter=tuple[Any, ...], hash=False)
    """What the app gave as `provide` when it ran the tool."""

    idempotency_key: str = ""
    """
    The same for every attempt at this call in a durable run, and for no other call: hand it to services that take one,
    so that they do nothing twice. "" outside of durable runs.
    """


@attrs.frozen
class Progress:
    """What a handler that is a generator yielded, before its result."""

    call: ToolCall
    """The call it is part of."""

    value: Any = attrs.field(hash=False)
    """What was yielded, as it is."""


@_lean
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


def unique_ids(calls: Iterable[ToolCall]) -> tuple[ToolCall, ...]:
    """
    Give every call of a batch an id of its own; the first bearer of an id keeps it.

    Providers reuse ids and leave them out; histories need them to tell results apart.
    """
    calls = tuple(calls)
    if len(calls) == 1 and calls[0].id:
        return calls
    taken = {call.id for call in calls}
    seen: set[str] = set()
    renamed = []
    for position, call in enumerate(calls):
        own = call.id if call.id and call.id not in seen else _fresh(f"{call.id or 'call'}_{position}", taken)
        taken.add(own)
        seen.add(own)
        renamed.append(call if own == call.id else attrs.evolve(call, id=own))
    return tuple(renamed)


def _fresh(wanted: str, taken: set[str]) -> str:
    return wanted if wanted not in taken else _fresh(wanted + "_", taken)
