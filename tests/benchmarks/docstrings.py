"""
Measure how much of real docstrings prismpy reads, beside griffe, docstring-parser and numpydoc.

    python tests/benchmarks/docstrings.py stdlib numpy pandas networkx sklearn sqlalchemy

walks the packages, takes every public callable with a docstring and a signature, and looks at the
parameters that at least two of the three libraries describe with the same words, white space aside. Columns
of the table:

* `words`: the share a parser describes with these words.
* `letter`: the share it describes as written: lines kept, dedented, and without prose at the margin after a
  blank line, which belongs to the docstring and not to its last entry. The reference is cut from the source.
* `any`: the share it describes at all.
* `µs`: mean time per docstring; `µs, 8`: for a Google docstring with eight parameters.

A library that is not installed is left out; with fewer than two there is nothing to agree on.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import inspect
import io
import pkgutil
import re
import sys
import textwrap
import timeit
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import ModuleType
from typing import Any, TypeAlias

import attrs

from prismpy.docstrings._docstring import read_docstring

Texts: TypeAlias = dict[str, str]
Read: TypeAlias = Callable[[str], Texts]

PACKAGES = ["stdlib", "numpy", "pandas", "networkx", "sklearn", "sqlalchemy", "requests", "httpx2", "rich"]
PACKAGES += ["click", "attr", "pydantic", "openai", "anthropic"]
SKIPPED = {"conftest", "__main__", "antigravity", "this", "idlelib", "lib2to3", "turtledemo", "_vendor"}
SKIPPED |= {"externals"}
EIGHT = """Book a table in a restaurant.

Looks the restaurant up, holds a table for ten minutes and sends the guest a message.

Args:
    restaurant (str): Name of the restaurant, as guests say it.
    day: Day of the visit.
    hour: Hour of the visit, 0 to 23.
    guests: How many come, at most 12.
    outside: Whether to sit outside when
        the weather allows it.
    tags: Free labels for the booking.
    note: What the kitchen should know,
        such as allergies.
    phone: Number to send the message to.

Returns:
    Number of the booking.
"""


@attrs.frozen
class Sample:
    """One docstring of a callable, and the parameters its signature has."""

    where: str
    text: str
    parameters: tuple[str, ...]


@attrs.frozen
class Reading:
    """What one parser made of all samples, in their order, and its times in µs."""

    texts: Sequence[Texts]
    mean: float
    eight: float


# --- What to read -------------------------------------------------------------------------------------------


def samples(packages: Sequence[str]) -> list[Sample]:
    """Public callables of the packages; the same docstring with the same parameters counts once."""
    found: dict[tuple[str, tuple[str, ...]], Sample] = {}
    for package in packages:
        for module in _modules(_roots(package)):
            for where, value in _callables(module):
                if sample := _sample(where, value):
                    found.setdefault((sample.text, sample.parameters), sample)
    return list(found.values())


def _roots(package: str) -> list[str]:
    if package != "stdlib":
        return [package]
    return sorted(name for name in sys.stdlib_module_names if not name.startswith("_") and name not in SKIPPED)


def _modules(names: Sequence[str]) -> Iterator[ModuleType]:
    """Import modules and, if they are packages, everything inside; what can't be imported is skipped."""
    for name in names:
        if module := _imported(name):
            yield module
            inner = pkgutil.iter_modules(getattr(module, "__path__", []))
            yield from _modules([f"{name}.{info.name}" for info in inner if not _is_skipped(info.name)])


def _imported(name: str) -> ModuleType | None:
    with contextlib.suppress(Exception, SystemExit), contextlib.redirect_stdout(io.StringIO()):
        return importlib.import_module(name)
    return None


def _is_skipped(name: str) -> bool:
    return name in SKIPPED or name.startswith(("test", "_test"))


def _callables(module: ModuleType) -> Iterator[tuple[str, Any]]:
    for name, value in list(vars(module).items()):
        if name.startswith("_") or getattr(value, "__module__", None) != module.__name__ or not callable(value):
            continue
        yield f"{module.__name__}:{name}", value
        if inspect.isclass(value):
            for part, method in list(vars(value).items()):
                function = getattr(method, "__func__", method)
                if callable(function) and (part == "__init__" or not part.startswith("_")):
                    yield f"{module.__name__}:{name}.{part}", function


def _sample(where: str, value: Any) -> Sample | None:
    text = getattr(value, "__doc__", None)
    if not isinstance(text, str) or not text.strip():
        return None
    with contextlib.suppress(Exception):  # signatures run code of the package, which may raise anything
        return Sample(where, text, tuple(inspect.signature(value).parameters))
    return None


# --- Who reads it -------------------------------------------------------------------------------------------


def _ours() -> Read:
    return lambda text: dict(read_docstring(text).parameters)


def _griffe_auto() -> Read:
    griffe: Any = importlib.import_module("griffe")
    options = {style: {"warnings": False} for style in ("google", "numpy", "sphinx")}
    return lambda text: _sections(griffe.parse_auto(griffe.Docstring(text), per_style_options=options))


def _griffe_best() -> Read:
    """Griffe with a better guess of the style: the one that describes most parameters."""
    griffe: Any = importlib.import_module("griffe")

    def read(text: str) -> Texts:
        docstring = griffe.Docstring(text)
        parsers = (griffe.parse_google, griffe.parse_numpy, griffe.parse_sphinx)
        return max((_sections(parse(docstring, warnings=False)) for parse in parsers), key=len)

    return read


def _sections(sections: Any) -> Texts:
    kinds = ("parameters", "other parameters", "attributes")
    items = [
        (section.kind.value, item) for section in sections if section.kind.value in kinds for item in section.value
    ]
    items.sort(key=lambda pair: pair[0] == "attributes")
    return _named((item.name, item.description) for _, item in items)


def _docstring_parser() -> Read:
    library: Any = importlib.import_module("docstring_parser")

    def read(text: str) -> Texts:
        parameters = sorted(library.parse(text).params, key=lambda item: item.args[0] == "attribute")
        return _named((item.arg_name, item.description) for item in parameters)

    return read


def _numpydoc() -> Read:
    library: Any = importlib.import_module("numpydoc.docscrape")

    def read(text: str) -> Texts:
        parsed = library.NumpyDocString(inspect.cleandoc(text))
        sections = [parsed[title] for title in ("Parameters", "Other Parameters", "Attributes")]
        return _named((item.name, "\n".join(item.desc)) for section in sections for item in section)

    return read


def _named(pairs: Iterator[tuple[str, str | None]]) -> Texts:
    """Spare the libraries what a thin layer can do: several names at once, stars, quotes."""
    texts: Texts = {}
    for names, text in pairs:
        for name in names.split(","):
            if text and text.strip():
                texts.setdefault(name.strip("*`\\ "), text)
    return texts


PARSERS: Mapping[str, Callable[[], Read]] = {
    "prismpy": _ours,
    "docstring-parser": _docstring_parser,
    "griffe, best style": _griffe_best,
    "griffe, auto": _griffe_auto,
    "numpydoc": _numpydoc,
}
VOTERS = ("docstring-parser", "griffe, best style", "numpydoc")


def readings(found: Sequence[Sample]) -> dict[str, Reading]:
    """Let every parser that is installed read all samples."""
    result = {}
    for parser, load in PARSERS.items():
        try:
            read = load()
        except ImportError:
            continue
        start = timeit.default_timer()
        texts = [_tried(read, sample.text) for sample in found]
        mean = (timeit.default_timer() - start) / max(len(found), 1)
        eight = min(timeit.repeat(partial(_tried, read, EIGHT), number=100, repeat=5)) / 100
        result[parser] = Reading(texts, mean * 1e6, eight * 1e6)
    return result


def _tried(read: Read, text: str) -> Texts:
    with contextlib.suppress(Exception):  # a parser that fails has read nothing
        return read(text)
    return {}


# --- How well -----------------------------------------------------------------------------------------------


@attrs.frozen
class Agreed:
    """A parameter of a sample, by its position, that two libraries describe alike."""

    index: int
    parameter: str
    words: str
    as_written: str


def agreed(found: Sequence[Sample], votes: Sequence[Reading]) -> list[Agreed]:
    result = []
    for index, sample in enumerate(found):
        for parameter in sample.parameters:
            counts = Counter(filter(None, (_words(vote.texts[index].get(parameter)) for vote in votes)))
            for words, count in counts.most_common(1):
                if count > 1:
                    result.append(Agreed(index, parameter, words, _as_written(sample.text, parameter, words)))
    return result


def _words(text: str | None) -> str:
    return " ".join((text or "").split())


def _as_written(text: str, parameter: str, words: str) -> str:
    """Find a description in its docstring, and dedent the lines below the one it starts on."""
    source = inspect.cleandoc(text)
    pattern = re.compile(r"\s+".join(map(re.escape, words.split())))
    name = re.search(rf"(?<!\w){re.escape(parameter)}\b", source)
    match = pattern.search(source, name.end() if name else 0) or pattern.search(source)
    if match is None:
        return words
    first, *rest = _without_foreign_prose(match.group().split("\n"))
    before = source[source.rfind("\n", 0, match.start()) + 1 : match.start()]
    if before.strip():
        return _trimmed("\n".join([first, textwrap.dedent("\n".join(rest))]))
    return _trimmed(textwrap.dedent("\n".join([before + first, *rest])))


def _without_foreign_prose(lines: list[str]) -> list[str]:
    for number in range(1, len(lines)):
        if not lines[number - 1].strip() and lines[number][:1].strip():
            return lines[: number - 1]
    return lines


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")


def table(parameters: Sequence[Agreed], read: Mapping[str, Reading]) -> str:
    """Shares in percent and times in µs, a line per parser."""
    lines = [f"{'':20}{'words':>9}{'letter':>9}{'any':>9}{'µs':>8}{'µs, 8':>8}"]
    for parser, reading in read.items():
        texts = [(reading.texts[entry.index].get(entry.parameter, ""), entry) for entry in parameters]
        words = sum(_words(text) == entry.words for text, entry in texts)
        letter = sum(_trimmed(text) == entry.as_written for text, entry in texts)
        described = sum(bool(text) for text, _ in texts)
        shares = "".join(f"{100 * count / len(texts):8.2f}%" for count in (words, letter, described))
        lines.append(f"{parser:20}{shares}{reading.mean:8.1f}{reading.eight:8.1f}")
    return "\n".join(lines)


def misses(found: Sequence[Sample], parameters: Sequence[Agreed], ours: Reading) -> Iterator[str]:
    """What we don't read to the letter."""
    for entry in parameters:
        text = ours.texts[entry.index].get(entry.parameter, "")
        if _trimmed(text) != entry.as_written:
            where = f"{found[entry.index].where} {entry.parameter}"
            yield f"{where}\n  ours   {text!r}\n  source {entry.as_written!r}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", default=PACKAGES, help=f"default: {' '.join(PACKAGES)}")
    parser.add_argument("--misses", type=int, default=0, metavar="N", help="show N texts of ours that are not right")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    found = samples(options.packages)
    read = readings(found)
    parameters = agreed(found, [read[name] for name in VOTERS if name in read])
    print(f"{len(found)} docstrings, {len(parameters)} parameters agreed on")
    if parameters:
        print(table(parameters, read))
    for miss, _ in zip(misses(found, parameters, read["prismpy"]), range(options.misses), strict=False):
        print(miss)


if __name__ == "__main__":
    main()
