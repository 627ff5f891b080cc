"""Calling the one tool of a target, with somebody at the terminal who may be asked."""

import json
import sys

import attrs

from prismpy.errors import DefinitionError, PrismError
from prismpy.execution import Approve, Runnable, Terms, run_all
from prismpy.messages import Artifact, ToolCall, ToolOutput, ToolResult
from prismpy.schema import JSON, cut, plain
from prismpy.tools import ToolSpec

from ._contents import Contents
from ._output import Output
from ._usage import UsageError, words


def check_one(contents: Contents, target: str) -> None:
    """
    Make sure that a target holds one tool, be it a refused one.

    Raises:
        UsageError: if it holds several.
    """
    names = [made.name for made in contents.tools] + [refused.name for refused in contents.refused]
    if len(names) > 1:
        msg = f"{target} holds {len(names)} tools; name one behind a colon: {cut(', '.join(names), 300)}"
        raise UsageError(msg)


def read_arguments(given: str | None) -> str | None:
    """
    Return the arguments of a call as text.

    Args:
        given: JSON text, `-` for what stands on standard input, None for no arguments.

    Raises:
        UsageError: if standard input is no UTF-8.
    """
    if given != "-":
        return given
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")  # Windows shells put a mark before it
    except UnicodeDecodeError as error:
        msg = f"standard input is no UTF-8 text: {words(error)}"
        raise UsageError(msg) from error


def approval(out: Output, agreed: bool) -> Approve:
    """Return what decides about a call that requires approval: the option `--yes`, or whoever is at the terminal."""

    def approve(call: ToolCall) -> bool:
        if agreed:
            return True
        if not sys.stdin.isatty():
            out.note(f"{call.name} needs approval, and standard input is no terminal to ask on; --yes agrees")
            return False
        shown = json.dumps(call.arguments, ensure_ascii=False, default=str) if call.arguments else "no arguments"
        return out.ask(f"Run {call.name} with {shown}?")

    return approve


def run(spec: ToolSpec, arguments: str | None, approve: Approve) -> ToolResult:
    """
    Call a tool. Whatever its handler raises becomes an error result, but for Ctrl-C.

    Raises:
        UsageError: if it has no handler, or one that is not to be called.
    """
    if spec.handler is None or spec.external:
        why = "is external" if spec.external else "has no handler"
        msg = f"{spec.name} {why}: it is described here and run elsewhere"
        raise UsageError(msg)
    call = ToolCall("", spec.name, arguments)
    telling = attrs.evolve(spec, handles_errors=True)
    try:
        return run_all({spec.name: Runnable(telling)}, [call], Terms(approve))[0]
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  # such as SystemExit, or what words failures failed itself
        text = f"{spec.name} failed: {words(error)}"
        return ToolResult(call, ToolOutput(text), text, is_error=True)


def result_as_json(result: ToolResult) -> JSON:
    """
    Return a result as JSON.

    Returns:
        `{"text", "is_error", "problems": [{"path", "rule", "message"}], "artifacts": [{"mime_type", "size", "id",
        "metadata"}]}`; sizes are in bytes, null where the artifact is broken.
    """
    return {
        "text": result.text,
        "is_error": result.is_error,
        "problems": [{"path": p.path, "rule": p.rule, "message": p.message} for p in result.problems],
        "artifacts": [
            {"mime_type": a.mime_type, "size": size_of(a), "id": a.id, "metadata": _metadata(a)}
            for a in result.artifacts
        ],
    }


def size_of(artifact: Artifact) -> int | None:
    """Return the size of an artifact in bytes, or None if its data is no base64."""
    try:
        return len(artifact.raw())
    except PrismError:
        return None


def _metadata(artifact: Artifact) -> JSON:
    try:
        return plain(dict(artifact.metadata))
    except DefinitionError:  # meant to be JSON, and is not: better in words than lost
        return {str(key): str(value) for key, value in artifact.metadata.items()}
