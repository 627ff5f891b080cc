"""Agents: the drivers of the loop, and what people type to run it."""

from ._agent import Agent, Observation
from ._options import AgentOptions
from ._response import Response
from ._run import Run

__all__ = ["Agent", "AgentOptions", "Observation", "Response", "Run"]
