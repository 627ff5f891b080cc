"""Contents as people read them, and as programs do."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import attrs
from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from prismpy.lowering import Change
from prismpy.schema import JSON, cut, describe, emit
from prismpy.tools import ToolSpec

from ._contents import Contents, Made
from ._output import Output, printable
from ._targets import Refused

NAME, TYPE, FAINT, REFUSED = "bold cyan", "green", "dim", "yellow"
"""Styles: of names, of types, of what matters less, and of what is no tool."""


def changes_as_json(changes: Iterable[Change]) -> list[dict[str, Any]]:
    """Return changes of a tool as programs read them."""
    without_tool = attrs.filters.exclude("tool")  # under whose name they are listed
    return [attrs.asdict(change, filter=without_tool) for change in changes]


def as_json(contents: Contents) -> JSON:
    """
    Return contents as JSON.

    Returns:
        `{"tools": [{"name", "description", "parameters", "omitted"}], "refused": [{"name", "reason", "file",
        "line"}]}`; `omitted` gives each parameter without JSON form its reason, `file` and `line` are null if unknown.
    """
    return {
        "tools": [
            {
                "name": made.spec.name,
                "description": made.spec.description,
                "parameters": emit(made.spec.parameters),
                "omitted": dict(made.spec.omitted),
            }
            for made in contents.tools
        ],
        "refused": [
            {
                "name": refused.name,
                "reason": refused.reason,
                "file": refused.location and refused.location.file,
                "line": refused.location and refused.location.line,
            }
            for refused in contents.refused
        ],
    }


def overview(contents: Contents) -> Iterator[RenderableType]:
    """Render contents as a table with one row a tool, the refused ones below, and how many there are of each."""
    if contents.tools:
        table = Table("name", "parameters", "description", box=box.SIMPLE_HEAD, pad_edge=False)
        for column in table.columns:
            column.overflow = "fold"
        for made in contents.tools:
            table.add_row(_text(made.spec.name, NAME), _signature(made.spec), _text(_first_line(made.spec)))
        yield table
    yield from refusals(contents.refused)
    yield Text(counts(contents))


def details(contents: Contents) -> Iterator[RenderableType]:
    """Render everything about each tool, then the refused ones."""
    for made in contents.tools:
        yield _detail(made)
    yield from refusals(contents.refused)


def refusals(refused: Iterable[Refused]) -> Iterator[Text]:
    """Render what can be no tool, one line each."""
    for one in refused:
        yield _text(refusal(one), REFUSED)


def refusal(one: Refused) -> str:
    """Say in one line what can be no tool, why, and where it stands."""
    name = f" {one.name}" if one.name else ""
    return f"refused{name}: {one.told}"


def note_refused(refused: Iterable[Refused], out: Output) -> None:
    """Say beside the answer what can be no tool."""
    for one in refused:
        out.note(refusal(one), REFUSED)


def omissions(contents: Contents) -> Iterator[str]:
    """Say in one line each which parameters are left out of tools, and why."""
    for made in contents.tools:
        for name, reason in made.spec.omitted.items():
            yield f"{made.spec.name}: parameter {name!r} is left out: {reason}"


def counts(contents: Contents) -> str:
    """Say how many tools there are, and how many refused."""
    tools = f"{len(contents.tools)} tool{'' if len(contents.tools) == 1 else 's'}"
    return f"{tools}, {len(contents.refused)} refused" if contents.refused else tools


# --- one tool -----------------------------------------------------------------


def _signature(spec: ToolSpec) -> Text:
    """Render parameters in short, one a line: `city: string`, `days?: integer`."""
    lines = []
    for name, node, required in _parameters(spec):
        lines.append(_text(f"{name}{'' if required else '?'}: ").append_text(_text(describe(node), TYPE)))
    return Text("\n").join(lines) if lines else Text("(none)", FAINT)


def _parameters(spec: ToolSpec) -> Iterator[tuple[str, JSON, bool]]:
    schema = emit(spec.parameters)
    for name, node in schema.get("properties", {}).items():
        yield name, node, name in schema.get("required", ())


def _first_line(spec: ToolSpec) -> str:
    return spec.description.partition("\n")[0]


def _detail(made: Made) -> Group:
    spec = made.spec
    title = _text(spec.name, NAME).append_text(_text(f"  {made.location}" if made.location else "", FAINT))
    parts: list[RenderableType] = [title]
    if spec.description:
        parts.append(_below(_text(spec.description)))
    parts.append(_below(_parameter_table(spec)))
    omitted = [_text(f"{name} is left out: {reason}", REFUSED) for name, reason in spec.omitted.items()]
    notes = [*_definitions(spec), *omitted, *(_text(text) for text in _behaviour(spec))]
    if notes:
        parts.append(_below(Group(*notes)))
    return Group(*parts)


def _below(part: RenderableType) -> Padding:
    return Padding(part, (0, 0, 1, 2))


def _parameter_table(spec: ToolSpec) -> RenderableType:
    table = Table.grid(padding=(0, 2, 0, 0))
    for _ in range(4):
        table.add_column(overflow="fold")
    for name, node, required in _parameters(spec):
        description = node.get("description", "") if isinstance(node, dict) else ""
        table.add_row(
            _text(name, NAME), _text(describe(node), TYPE), _text(_presence(node, required), FAINT), _text(description)
        )
    return table if table.rows else Text("no parameters", FAINT)


def _presence(node: JSON, required: bool) -> str:
    if required:
        return "required"
    return f"default {_short(node['default'])}" if isinstance(node, dict) and "default" in node else "optional"


def _definitions(spec: ToolSpec) -> Iterator[Text]:
    """Spell out the types that parameters refer to by name."""
    schema = emit(spec.parameters)
    for name, node in {**schema.get("definitions", {}), **schema.get("$defs", {})}.items():
        yield _text(f"{name} is ").append_text(_text(describe(node), TYPE))


def _behaviour(spec: ToolSpec) -> Iterator[str]:
    """Say how calls of a tool run, as far as that is not the usual way."""
    if spec.external:
        yield "is external: it is described here and run elsewhere"
    elif spec.handler is None:
        yield "has no handler: it is described here and run elsewhere"
    if spec.binding is not None and spec.binding.takes_any:
        yield "takes further arguments"
    if spec.free_text is not None:
        yield f"takes free text{f' by a {spec.free_text.syntax} grammar' if spec.free_text.grammar else ''}"
    if spec.concurrent:
        yield "runs beside other concurrent calls"
    if spec.timeout is not None:
        yield f"may take {spec.timeout:g} s"
    if spec.requires_approval:
        yield "runs only after approval"
    yield from crash(spec)
    if spec.max_retries is not None:
        yield f"may be tried again {spec.max_retries} times"
    if spec.return_direct:
        yield "its result is the answer of the run"
    if spec.on_failure is not None:
        yield "words its failures itself"
    if not spec.handles_errors:
        yield "lets its exceptions through"
    for provider, options in spec.provider_options.items():
        yield f"sends {provider} {_short(dict(options))}"


def crash(spec: ToolSpec) -> Iterator[str]:
    """Say what a crash may do to a call, as far as that is not the usual way."""
    if spec.crash_policy != "at_least_once":
        yield f"takes effect {spec.crash_policy.replace('_', ' ')} in a durable run that is killed"


def _short(value: JSON) -> str:
    return cut(json.dumps(value, ensure_ascii=False, default=str))


def _text(text: str, style: str = "") -> Text:
    return Text(printable(text), style)
