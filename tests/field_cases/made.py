"""From a case to tools, and from a call to its results, every way there is to make it."""

import copy
import functools
import json
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import anyio
import attrs

from prismpy import Tool, ToolResult

from .cases import Case


@attrs.frozen
class Made:
    """The tools of a case."""

    tools: dict[str, Tool]
    """By the name of their subject, in the order of the case."""

    received: list[dict[str, Any]]
    """The keyword arguments that handlers got so far, if the case asks for them."""

    @property
    def tool(self) -> Tool:
        """The only tool, or the first of several."""
        return next(iter(self.tools.values()))

    @property
    def schema(self) -> dict[str, Any]:
        """The parameters of the tool, as they are exported."""
        schema: dict[str, Any] = self.tool.to("json-schema")
        return schema

    @property
    def properties(self) -> dict[str, Any]:
        """The schemas of the parameters, by name."""
        properties: dict[str, Any] = self.schema["properties"]
        return properties


def make(case: Case, module_of: Callable[[Case], ModuleType]) -> Made:
    """
    Make the tools of a case.

    Raises:
        DefinitionError: if one cannot be made.
    """
    if "schema" in case.input:
        return Made({"tool": Tool.from_schema("tool", "", case.input["schema"], lambda **_: "ok")}, [])
    module = module_of(case)
    received: list[dict[str, Any]] = []
    recorded = any("received" in call for call in case.expect.get("calls", ()))
    tools = {}
    for name in case.input.get("subjects") or [case.input["subject"]]:
        handler = getattr(module, name)
        tools[name] = Tool.make(_recording(handler, received) if recorded else handler)
    return Made(tools, received)


def _recording(function: Callable[..., Any], received: list[dict[str, Any]]) -> Callable[..., Any]:
    @functools.wraps(function)
    def recorded(**kwargs: Any) -> Any:
        received.append(kwargs)
        return function(**kwargs)

    return recorded


def outcomes(tool: Tool, *forms: Any) -> Iterator[ToolResult]:
    """Run a call, sync and async, with each form of its arguments."""
    for form in forms:
        yield tool.run(copy.deepcopy(form))
        yield anyio.run(tool.arun, copy.deepcopy(form))


def forms_of(call: dict[str, Any]) -> tuple[Any, ...]:
    """Give the arguments of a call as they may come: as the text that is given, else decoded and as JSON text."""
    if "arguments_text" in call:
        return (call["arguments_text"],)
    return call["arguments"], json.dumps(call["arguments"])
