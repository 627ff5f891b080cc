"""
What it costs to make a tool of a documented function of eight parameters, beside other libraries in the same run.

    python tests/benchmarks/building.py                   prismpy and whatever peer is installed
    python tests/benchmarks/building.py --rounds 15       more rounds, steadier medians

Each round makes, library by library, tools of functions that were written for the round and are all different, with
names, texts and schema; the figure is the median of the rounds, and a peer's ratio is prismpy's time by the peer's, in
the same round. `exported` goes on to the dict that a provider takes. The last rows tell whether the time grows with
the number of tools alone.
"""

import argparse
import gc
import importlib
import statistics
import textwrap
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, TypeAlias

from prismpy import tool

Make: TypeAlias = Callable[[Callable[..., Any]], Any]

SOURCE: Final = textwrap.dedent('''
    def search_{number}(query: str, top_k: int = 5, lang: str = "en", exact: bool = False, tags: list[str] | None = None,
                        limit: float = 1.0, page: int = 1, sort: str = "asc") -> dict[str, str]:
        """Search index {number} for documents.

        Longer text about it, on a line or two, that says when a model had better not
        use this function but another one.

        Args:
            query: What to look for in index {number}.
            top_k: How many hits to return at most.
            lang: Language code of the documents.
            exact: Whether the words must match exactly.
            tags: Only documents with one of these tags,
                any if it is left out.
            limit: Seconds to spend at most.
            page: Page of the results, from 1.
            sort: Order of the hits, `asc` or `desc`.

        Returns:
            Titles of the hits, by their id.
        """
''')


def functions(first: int, count: int) -> list[Callable[..., Any]]:
    """Write functions as a module has them, no two of them alike."""
    space: dict[str, Any] = {}
    for number in range(first, first + count):
        exec(SOURCE.format(number=number), space)  # noqa: S102  # a source of our own
    return [space[f"search_{number}"] for number in range(first, first + count)]


def _prismpy() -> Make:
    return lambda function: tool(function).spec


def _exported() -> Make:
    return lambda function: tool(function).to("openai")


def _masfactory() -> Make:
    adapter: Any = importlib.import_module("masfactory.adapters.tool_adapter").ToolAdapter
    return lambda function: adapter([function]).details


def _pydantic_ai() -> Make:
    library: Any = importlib.import_module("pydantic_ai")
    return lambda function: library.Tool(function).tool_def


def _openai_agents() -> Make:
    library: Any = importlib.import_module("agents")
    return lambda function: library.function_tool(function, strict_mode=False).params_json_schema


def _anthropic() -> Make:
    library: Any = importlib.import_module("anthropic")
    return lambda function: library.beta_tool(function).to_dict()


def _langchain() -> Make:
    library: Any = importlib.import_module("langchain_core.tools")
    convert: Any = importlib.import_module("langchain_core.utils.function_calling").convert_to_openai_tool
    return lambda function: convert(library.tool(function, parse_docstring=True))


def _fastmcp() -> Make:
    library: Any = importlib.import_module("fastmcp.tools")
    return lambda function: library.Tool.from_function(function).to_mcp_tool()


MAKERS: Final[Mapping[str, Callable[[], Make]]] = {
    "prismpy": _prismpy,
    "prismpy, exported": _exported,
    "masfactory": _masfactory,
    "pydantic-ai": _pydantic_ai,
    "openai-agents": _openai_agents,
    "anthropic": _anthropic,
    "langchain-core": _langchain,
    "fastmcp": _fastmcp,
}


def installed() -> dict[str, Make]:
    """Return the libraries that are here."""
    found: dict[str, Make] = {}
    for name, maker in MAKERS.items():
        with suppress(ImportError):
            found[name] = maker()
    return found


def seconds(make: Make, made_of: list[Callable[..., Any]]) -> float:
    """Return the seconds that a tool takes of the processor, whatever else the machine does."""
    started = time.process_time()
    for function in made_of:
        make(function)
    return (time.process_time() - started) / len(made_of)


def rounds(makers: Mapping[str, Make], count: int, each: int) -> dict[str, list[float]]:
    """Return the seconds for a tool in each round, by library."""
    found: dict[str, list[float]] = {name: [] for name in makers}
    for number in range(count + 1):  # the first one warms up
        for name, make in makers.items():
            made_of = functions(number * each, each)
            gc.collect()
            spent = seconds(make, made_of)
            found[name] += [spent] if number else []
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9, help="rounds (default: %(default)s)")
    options = parser.parse_args()
    makers = installed()
    found = rounds(makers, options.rounds, each=100)
    ours = found["prismpy"]
    for name, spent in found.items():
        ratio = statistics.median(own / other for own, other in zip(ours, spent, strict=True))
        print(f"{name:20} {1e6 * statistics.median(spent):9.1f} us a tool   prismpy takes {ratio:6.2f} of it")
    for count in (10, 100, 1000):
        spent = statistics.median(seconds(makers["prismpy"], functions(0, count)) for _ in range(3))
        print(f"{count:6} tools in a row {1e6 * spent:9.1f} us a tool")


if __name__ == "__main__":
    main()
