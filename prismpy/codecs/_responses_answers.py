"""
What goes back for a call, and for those items of a provider's tools that it leaves to us to run.

Everything that is to be answered has an id. `to_answer` makes a call of an item, a
`ToolResult` for that call answers it, and the type of the item decides what is written.

Source: OpenAI guides "Function calling", "Shell", "Local shell", "Apply patch", "Computer use", "Tool search", "MCP and
connectors"; openai 3.57.0, `types/responses/response_input_item_param.py` (read 2026-11).
"""

from collections.abc import Callable, Mapping
from typing import Final

import attrs

from prismpy.messages import Image, ProviderToolPart, ToolCall, ToolResult
from prismpy.schema import JSON

from ._loose import obj, word
from ._responses_content import content
from ._responses_items import CALLS, Item, kind_of


def to_answer(part: ProviderToolPart) -> ToolCall | None:
    """
    Return the call that an item of a provider's tool makes of the app; None where the provider runs it itself.

    Its name is the type of the provider's tool, such as `local_shell`; its arguments are what is asked. The result goes
    into a `ToolResultMessage` like any other. Where its output is an object of the type that the API
    expects, such as `{"type": "shell_call_output", "output": [...]}`, it is sent as it is.
    """
    raw = part.raw or {}
    id = answered_by(raw)
    if not id or kind_of(raw) in CALLS:
        return None
    kind = _KINDS[kind_of(raw)]
    asked = {key: raw[key] for key in kind.asks if key in raw} if kind.asks else dict(obj(raw.get("arguments")))
    return ToolCall(id, kind.tool, asked)


def answered_by(item: Item) -> str:
    """Return the id by which an item is to be answered; "" for one that is not."""
    match kind_of(item):
        case "function_call" | "custom_tool_call" | "local_shell_call" | "apply_patch_call" | "computer_call":
            return word(item.get("call_id"))
        case "shell_call" if obj(item.get("environment")).get("type", "local") == "local":
            return word(item.get("call_id"))
        case "tool_search_call" if item.get("execution") == "client":
            return word(item.get("call_id"))
        case "mcp_approval_request":
            return word(item.get("id"))
        case _:
            return ""


def answer(item: Item, id: str, result: ToolResult) -> JSON:
    """
    Write the answer to an item.

    Args:
        item: The call.

        id: What it is called by now, which need not be what the provider called it.

        result: What the tool answered.
    """
    kind = _KINDS[kind_of(item)]
    output = result.output.result
    own = output if isinstance(output, Mapping) and output.get("type") == kind.answer else kind.say(result)
    return {"type": kind.answer, **dict.fromkeys(kind.ids, id), **_caller(item), **own}


def _caller(item: Item) -> JSON:
    """Return what says that a program of the provider waits for the answer, as it came."""
    return {"caller": item["caller"]} if item.get("caller") else {}


def _said(result: ToolResult) -> JSON:
    return {"output": content(result.content)}


def _told(result: ToolResult) -> JSON:
    return {"output": result.text}


def _shown(result: ToolResult) -> JSON:
    """Answer with the first picture; where there is none, the API says what is wrong with that."""
    pictures = (piece for piece in result.content if isinstance(piece, Image))
    places = (
        {"file_id": each.file_id} if each.file_id is not None else {"image_url": each.address} for each in pictures
    )
    return {"output": {"type": "computer_screenshot", **next(places, {})}}


def _ran(result: ToolResult) -> JSON:
    output = result.output.result
    if isinstance(output, list):
        return {"output": output}
    outcome = {"type": "exit", "exit_code": int(result.is_error)}
    return {"output": [{"stdout": result.text, "stderr": "", "outcome": outcome}]}


def _patched(result: ToolResult) -> JSON:
    return {"status": "failed" if result.is_error else "completed", "output": result.text}


def _found(result: ToolResult) -> JSON:
    output = result.output.result
    return {"execution": "client", "status": "completed", "tools": output if isinstance(output, list) else []}


def _agreed(result: ToolResult) -> JSON:
    return {"approve": False, "reason": result.text} if result.is_error else {"approve": True}


@attrs.frozen
class _Kind:
    """One type of items that are to be answered."""

    answer: str
    """Type of the answer."""

    ids: tuple[str, ...]
    """Keys of its id."""

    say: Callable[[ToolResult], JSON]
    """What it says."""

    tool: str = ""
    """Name of the tool that answers: the type of the provider's tool. "" for calls, which say it themselves."""

    asks: tuple[str, ...] = ()
    """Keys of the item that the tool gets; none: what stands in `arguments`."""


_KINDS: Final[Mapping[str, _Kind]] = {
    "function_call": _Kind("function_call_output", ("call_id",), _said),
    "custom_tool_call": _Kind("custom_tool_call_output", ("call_id",), _said),
    # its two documents disagree on which key is the one
    "local_shell_call": _Kind("local_shell_call_output", ("id", "call_id"), _told, "local_shell", ("action",)),
    "shell_call": _Kind("shell_call_output", ("call_id",), _ran, "shell", ("action",)),
    "apply_patch_call": _Kind("apply_patch_call_output", ("call_id",), _patched, "apply_patch", ("operation",)),
    "computer_call": _Kind(
        "computer_call_output", ("call_id",), _shown, "computer", ("action", "actions", "pending_safety_checks")
    ),
    "tool_search_call": _Kind("tool_search_output", ("call_id",), _found, "tool_search"),
    "mcp_approval_request": _Kind(
        "mcp_approval_response", ("approval_request_id",), _agreed, "mcp", ("server_label", "name", "arguments")
    ),
}
"""Types of items that are to be answered."""
