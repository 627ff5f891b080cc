"""
Tools for language models: described once, exported to every provider, run from what the model sends.

Names load when they are first used, so that importing the package costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__: str

if TYPE_CHECKING:  # _HOMES once more, for type checkers and editors; a test compares the two
    from .agent import Agent as Agent
    from .agent import AgentOptions as AgentOptions
    from .agent import Factory as Factory
    from .agent import NodeTemplate as NodeTemplate
    from .agent import Observation as Observation
    from .agent import Prism as Prism
    from .agent import Response as Response
    from .agent import Run as Run
    from .agent import Shared as Shared
    from .agent import event_stream_response as event_stream_response
    from .codecs import Reply as Reply
    from .contexts import ContextBlock as ContextBlock
    from .contexts import ContextSource as ContextSource
    from .contexts import EmbeddingSource as EmbeddingSource
    from .contexts import HistoryMemory as HistoryMemory
    from .contexts import KeywordSource as KeywordSource
    from .durable import DurableRuns as DurableRuns
    from .errors import AnsweredError as AnsweredError
    from .errors import DefinitionError as DefinitionError
    from .errors import DurableError as DurableError
    from .errors import HookError as HookError
    from .errors import LoweringError as LoweringError
    from .errors import OutputError as OutputError
    from .errors import PrismError as PrismError
    from .errors import Problem as Problem
    from .errors import ProtocolError as ProtocolError
    from .errors import ProviderError as ProviderError
    from .errors import Retry as Retry
    from .errors import StateError as StateError
    from .errors import StoreError as StoreError
    from .errors import ToolError as ToolError
    from .errors import UnknownIdError as UnknownIdError
    from .errors import UnknownProviderError as UnknownProviderError
    from .events import ArtifactEvent as ArtifactEvent
    from .events import CitationEvent as CitationEvent
    from .events import ErrorEvent as ErrorEvent
    from .events import Event as Event
    from .events import ProviderToolEvent as ProviderToolEvent
    from .events import StepFinishEvent as StepFinishEvent
    from .events import StepStartEvent as StepStartEvent
    from .events import StreamEndEvent as StreamEndEvent
    from .events import StreamEvent as StreamEvent
    from .events import StreamStartEvent as StreamStartEvent
    from .events import TextCompleteEvent as TextCompleteEvent
    from .events import TextDeltaEvent as TextDeltaEvent
    from .events import TextStartEvent as TextStartEvent
    from .events import ThinkingCompleteEvent as ThinkingCompleteEvent
    from .events import ThinkingEvent as ThinkingEvent
    from .events import ThinkingStartEvent as ThinkingStartEvent
    from .events import ToolApprovalRequestEvent as ToolApprovalRequestEvent
    from .events import ToolCallDeltaEvent as ToolCallDeltaEvent
    from .events import ToolCallEvent as ToolCallEvent
    from .events import ToolResultEvent as ToolResultEvent
    from .execution import Budget as Budget
    from .execution import Hooks as Hooks
    from .execution import log_calls as log_calls
    from .fluent import FunctionTool as FunctionTool
    from .fluent import Tool as Tool
    from .fluent import Toolbox as Toolbox
    from .fluent import tool as tool
    from .loop import Limits as Limits
    from .loop import RunState as RunState
    from .lowering import Change as Change
    from .lowering import Dialect as Dialect
    from .lowering import Lowered as Lowered
    from .lowering import Offer as Offer
    from .lowering import Subset as Subset
    from .lowering import dialect as dialect
    from .lowering import known_providers as known_providers
    from .lowering import register_dialect as register_dialect
    from .messages import Artifact as Artifact
    from .messages import AssistantMessage as AssistantMessage
    from .messages import CallPart as CallPart
    from .messages import Citation as Citation
    from .messages import Decision as Decision
    from .messages import Document as Document
    from .messages import Image as Image
    from .messages import Message as Message
    from .messages import Pending as Pending
    from .messages import Progress as Progress
    from .messages import ProviderTool as ProviderTool
    from .messages import ProviderToolPart as ProviderToolPart
    from .messages import RefusalPart as RefusalPart
    from .messages import RunContext as RunContext
    from .messages import SystemMessage as SystemMessage
    from .messages import Text as Text
    from .messages import TextPart as TextPart
    from .messages import ThinkingPart as ThinkingPart
    from .messages import ToolCall as ToolCall
    from .messages import ToolOutput as ToolOutput
    from .messages import ToolResult as ToolResult
    from .messages import ToolResultMessage as ToolResultMessage
    from .messages import Usage as Usage
    from .messages import UserMessage as UserMessage
    from .providers import AnthropicModel as AnthropicModel
    from .providers import Model as Model
    from .providers import OpenAIModel as OpenAIModel
    from .providers import OpenAIResponsesModel as OpenAIResponsesModel
    from .providers import known_servers as known_servers
    from .providers import model as model
    from .review import Finding as Finding
    from .review import Review as Review
    from .schema import MISSING as MISSING
    from .schema import AnyOfSchema as AnyOfSchema
    from .schema import ArraySchema as ArraySchema
    from .schema import BooleanSchema as BooleanSchema
    from .schema import EnumSchema as EnumSchema
    from .schema import IntegerSchema as IntegerSchema
    from .schema import NullSchema as NullSchema
    from .schema import NumberSchema as NumberSchema
    from .schema import ObjectSchema as ObjectSchema
    from .schema import RawSchema as RawSchema
    from .schema import RefSchema as RefSchema
    from .schema import Schema as Schema
    from .schema import StringSchema as StringSchema
    from .schema import emit as emit
    from .schema import parse as parse
    from .tools import ToolSpec as ToolSpec
    from .types import Form as Form
    from .types import Injected as Injected
    from .types import Param as Param
    from .types import TypeRule as TypeRule
    from .types import register as register

_HOMES = {
    "agent": (
        "Agent",
        "AgentOptions",
        "Factory",
        "NodeTemplate",
        "Observation",
        "Prism",
        "Response",
        "Run",
        "Shared",
        "event_stream_response",
    ),
    "codecs": ("Reply",),
    "contexts": ("ContextBlock", "ContextSource", "EmbeddingSource", "HistoryMemory", "KeywordSource"),
    "durable": ("DurableRuns",),
    "errors": (
        "AnsweredError",
        "DefinitionError",
        "DurableError",
        "HookError",
        "LoweringError",
        "OutputError",
        "PrismError",
        "Problem",
        "ProtocolError",
        "ProviderError",
        "Retry",
        "StateError",
        "StoreError",
        "ToolError",
        "UnknownIdError",
        "UnknownProviderError",
    ),
    "events": (
        "ArtifactEvent",
        "CitationEvent",
        "ErrorEvent",
        "Event",
        "ProviderToolEvent",
        "StepFinishEvent",
        "StepStartEvent",
        "StreamEndEvent",
        "StreamEvent",
        "StreamStartEvent",
        "TextCompleteEvent",
        "TextDeltaEvent",
        "TextStartEvent",
        "ThinkingCompleteEvent",
        "ThinkingEvent",
        "ThinkingStartEvent",
        "ToolApprovalRequestEvent",
        "ToolCallDeltaEvent",
        "ToolCallEvent",
        "ToolResultEvent",
    ),
    "execution": ("Budget", "Hooks", "log_calls"),
    "fluent": ("FunctionTool", "Tool", "Toolbox", "tool"),
    "loop": ("Limits", "RunState"),
    "lowering": ("Change", "Dialect", "Lowered", "Offer", "Subset", "dialect", "known_providers", "register_dialect"),
    "messages": (
        "Artifact",
        "AssistantMessage",
        "CallPart",
        "Citation",
        "Decision",
        "Document",
        "Image",
        "Message",
        "Pending",
        "Progress",
        "ProviderTool",
        "ProviderToolPart",
        "RefusalPart",
        "RunContext",
        "SystemMessage",
        "Text",
        "TextPart",
        "ThinkingPart",
        "ToolCall",
        "ToolOutput",
        "ToolResult",
        "ToolResultMessage",
        "Usage",
        "UserMessage",
    ),
    "providers": ("AnthropicModel", "Model", "OpenAIModel", "OpenAIResponsesModel", "known_servers", "model"),
    "review": ("Finding", "Review"),
    "schema": (
        "MISSING",
        "AnyOfSchema",
        "ArraySchema",
        "BooleanSchema",
        "EnumSchema",
        "IntegerSchema",
        "NullSchema",
        "NumberSchema",
        "ObjectSchema",
        "RawSchema",
        "RefSchema",
        "Schema",
        "StringSchema",
        "emit",
        "parse",
    ),
    "tools": ("ToolSpec",),
    "types": ("Form", "Injected", "Param", "TypeRule", "register"),
}
"""Room to the public names it is home of."""

_HOME_OF = {name: room for room, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)  # noqa: PLE0605  # a list, though not a literal one


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("prismpy")
    if name not in _HOME_OF:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    value = getattr(import_module(f".{_HOME_OF[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})
