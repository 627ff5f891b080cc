"""
A scripted assistant, offline: real tools, real results, a model whose words are written down here.

The tools are made in all three ways. The script holds what a model might send,
a wrong call among it; nothing else is made up.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import attrs
from rich.console import RenderableType
from rich.json import JSON
from rich.table import Table
from rich.text import Text

from prismpy.fluent import Tool, Toolbox, tool
from prismpy.messages import Artifact, ToolCall, ToolOutput, ToolResult

from ._save import save

# --- three tools, three ways --------------------------------------------------

NOTES = (
    "Oslo: bring a raincoat, the ferry to Nesodden leaves every half hour.",
    "Oslo in numbers: highs of the coming days are 14, 17, 21, 19 and 12 degrees Celsius.",
    "Bergen: the funicular opens at 7:30.",
)

# 1. a chain, as in Prism
convert = (
    Tool.as_("convert_temperature")
    .for_("Convert a temperature between Celsius and Fahrenheit")
    .with_number_parameter("degrees", "How warm it is", minimum=-500)
    .with_enum_parameter("unit", "Unit of `degrees`", ["celsius", "fahrenheit"])
    .using(lambda degrees, unit: round(degrees * 9 / 5 + 32 if unit == "celsius" else (degrees - 32) * 5 / 9, 1))
)


# 2. a plain function
@tool
def search_notes(query: str, top_k: int = 2) -> list[str]:
    """Search the user's notes.

    Args:
        query: Words to look for; a note counts if it has one of them.
        top_k: Number of notes to return at most.
    """
    words = query.casefold().split()
    return [note for note in NOTES if any(word in note.casefold() for word in words)][:top_k]


# 3. a subclass, as apps write them
class DrawChart(Tool):
    """Draws bars as an SVG picture, which goes to the app, not to the model."""

    def __init__(self) -> None:
        self.as_("draw_chart").for_("Draw a bar chart for the user").using(self)

    def __call__(self, title: str, values: list[float]) -> ToolOutput:
        """
        Draw it.

        Args:
            title: Stands above the bars.
            values: One bar each, all of them 0 or more.
        """
        picture = Artifact.from_raw(_svg(title, values).encode(), "image/svg+xml", id="chart")
        return ToolOutput({"status": "drawn", "bars": len(values)}, artifacts=[picture])


def _svg(title: str, values: list[float]) -> str:
    from xml.sax.saxutils import escape

    scale = 100 / max([*values, 1])
    bars = "".join(
        f'<rect x="{20 + 40 * i}" y="{130 - value * scale:g}" width="30" height="{value * scale:g}" fill="#4068c8"/>'
        f'<text x="{35 + 40 * i}" y="145" font-size="11" text-anchor="middle">{value:g}</text>'
        for i, value in enumerate(values)
    )
    size = f'width="{40 + 40 * len(values)}" height="160" font-family="sans-serif"'
    heading = f'<text x="20" y="20" font-size="13">{escape(title)}</text>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{heading}{bars}</svg>'


# --- what was said ------------------------------------------------------------

QUESTION = "How warm is 68 °F in Celsius? What do my notes say about Oslo? And draw me the temperatures there."


@attrs.frozen
class _Turn:
    """What the model says in one go: words, then calls."""

    words: str
    calls: tuple[ToolCall, ...] = ()


SCRIPT = (
    _Turn(
        "Let me look both up.",
        (
            ToolCall("call_1", "search_notes", '{"query": "Oslo"}'),
            ToolCall("call_2", "convert_temperature", '{"degrees": "warm", "unit": "farenheit"}'),
        ),
    ),
    _Turn(
        "The second call was wrong; once more, and the chart with it.",
        (
            ToolCall("call_3", "convert_temperature", '{"degrees": 68, "unit": "fahrenheit"}'),
            ToolCall("call_4", "draw_chart", '{"title": "Oslo, °C", "values": [14, 17, 21, 19, 12]}'),
        ),
    ),
    _Turn("68 °F are 20 °C. Take a raincoat to Oslo; the chart shows the highs of the coming days."),
)


# --- the show -----------------------------------------------------------------


def scenes(folder: Path) -> Iterator[RenderableType]:
    """
    Play the scripted conversation, one thing to show after the other.

    Args:
        folder: Where artifacts are saved; it exists.

    Raises:
        OSError: if an artifact cannot be saved.
    """
    toolbox = Toolbox([convert, search_notes, DrawChart()])
    yield _heading("Three tools: a chain, a function, a subclass")
    for spec in toolbox:
        yield _line(spec.name, spec.description)
    for provider in ("openai", "anthropic"):
        yield _heading(f"What {provider} is sent for convert_temperature")
        yield JSON(json.dumps(convert.to(provider), ensure_ascii=False))
    yield _heading("The conversation")
    yield _line("user", QUESTION)
    for turn in SCRIPT:
        yield _line("model", turn.words)
        for result in toolbox.run(turn.calls):
            yield from _told(result, folder)


def _told(result: ToolResult, folder: Path) -> Iterator[RenderableType]:
    yield _line("call", f"{result.call.name} {result.call.arguments!s}", "cyan")
    yield _line("error", result.text, "red") if result.is_error else _line("result", result.text, "green")
    for number, artifact in enumerate(result.artifacts, 1):
        path = save(artifact, number, folder)
        yield _line("app", f"saved {path} ({artifact.mime_type}, {len(artifact.raw())} bytes)")


def _heading(words: str) -> RenderableType:
    return Text(f"\n{words}", style="bold")


def _line(who: str, words: str, style: str = "") -> RenderableType:
    line = Table.grid(padding=(0, 2))
    line.add_column(min_width=8, justify="right", style="dim")
    line.add_column(overflow="fold")
    line.add_row(who, Text(words, style))
    return line
