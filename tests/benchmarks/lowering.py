"""
How lowering grows, with the number of tools and with the size of one.

    python -m tests.benchmarks.lowering

The first table takes 250 real tools of all sizes, twice, four and eight times as many (each time with another comment in
the schema, so that none is in the cache), and all of them once more, which the cache answers. The second takes one
schema: a thousand properties, options, branches, references, and half as many. A cell is seconds of the processor, the
best of three rounds, and the ratio to half as much: 2 is linear. The garbage collector is off, whose own work grows
with all that is alive.
"""

import gc
import itertools
import json
import time
from collections.abc import Callable
from typing import Any

from prismpy.lowering import dialect
from prismpy.lowering._lower import _lower
from tests.lowering.forms import COMPILED, DISTINCT, Form
from tests.shared import tool_rows

TOOLS, TIMES, ROUNDS = 250, (1, 2, 4, 8), 3


def seconds(work: Callable[[], Any]) -> float:
    """Return the processor time of some work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def lowering(documents: list[str], form: Form) -> tuple[float, float]:
    """Return how long lowering takes at first, and again, the best of some rounds."""
    target = dialect(form.provider)

    def once() -> None:
        for document in documents:
            _lower(document, target, form.strict)

    first, again = [], []
    for _ in range(ROUNDS):
        _lower.cache_clear()
        first.append(seconds(once))
        again.append(seconds(once))
    return min(first), min(again)


def row(title: str, times: list[float], *more: float) -> None:
    """Print a row: times, each with its ratio to the one before."""
    cells = [f"{times[0]:>9.3f}s       "]
    cells += [f"{now:>9.3f}s{now / before:>7.2f}" for before, now in itertools.pairwise(times)]
    print(f"{title:34}" + "".join(cells) + "".join(f"{each:>9.3f}s" for each in more))


def many() -> None:
    """Print how lowering grows with the number of tools."""
    rows = sorted((json.dumps(each["parameters"]) for each in tool_rows()), key=len)
    some = [json.loads(text) for text in rows[:: len(rows) // TOOLS][:TOOLS]]
    documents = [json.dumps({**schema, "$comment": str(i)}) for i in range(TIMES[-1]) for schema in some]
    print(f"{'tools':34}" + "".join(f"{TOOLS * times:>10}  ratio" for times in TIMES) + f"{'again':>10}")
    for form in DISTINCT:
        measured = [lowering(documents[: TOOLS * times], form) for times in TIMES]
        row(str(form), [first for first, _ in measured], measured[-1][1])


def an_object(properties: Any, **more: Any) -> Any:
    return {"type": "object", "properties": properties, "additionalProperties": False, **more}


SHAPES: dict[str, Callable[[int], Any]] = {
    "properties": lambda n: an_object({f"p{i}": {"type": "string", "maxLength": 9} for i in range(n)}),
    "options": lambda n: an_object({"x": {"enum": [f"o{i}" for i in range(n)]}}),
    "branches": lambda n: an_object(
        {"x": {"anyOf": [an_object({"k": {"const": f"k{i}"}}, required=["k"]) for i in range(n)]}}
    ),
    "references": lambda n: an_object(
        {f"p{i}": {"$ref": f"#/$defs/D{i}"} for i in range(n)}, **{"$defs": {f"D{i}": an_object({}) for i in range(n)}}
    ),
}


def large() -> None:
    """Print how lowering grows with the size of one schema."""
    sizes = (125, 250, 500, 1000)
    print(f"\n{'one schema':34}" + "".join(f"{size:>10}  ratio" for size in sizes))
    for name, shape in SHAPES.items():
        for form in COMPILED:
            if form in DISTINCT:
                row(f"{name}, {form}", [lowering([json.dumps(shape(size))], form)[0] for size in sizes])


if __name__ == "__main__":
    gc.disable()
    many()
    large()
