"""Agents: the drivers of the loop, and what people type to run it."""

from ._agent import Agent, Observation
from ._engine import Engine
from ._options import AgentOptions
from ._prism import PendingRequest, Prism
from ._response import Response
from ._run import Run
from ._template import Factory, NodeTemplate, Shared
from ._web import event_stream_response

__all__ = [
    "Agent",
    "AgentOptions",
    "Engine",
    "Factory",
    "NodeTemplate",
    "Observation",
    "PendingRequest",
    "Prism",
    "Response",
    "Run",
    "Shared",
    "event_stream_response",
]
