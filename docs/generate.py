"""
Write the pages of `docs/reference/` that state what stands in tables of the code.

    python docs/generate.py

A test holds the pages against what this would write.
"""

import ast
import inspect
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

from prismpy.lowering import Dialect, Names, Request, Root, Subset, dialect, known_providers
from prismpy.review import RULES
from prismpy.schema import describe

REFERENCE = Path(__file__).parent / "reference"
HINT = "<!-- written by `python docs/generate.py`; change the tables of the code instead -->"


def pages() -> dict[Path, str]:
    """Return the path of each page, and its text."""
    return {REFERENCE / "providers.md": _page(_providers()), REFERENCE / "findings.md": _page(_findings())}


def _page(lines: Iterator[str]) -> str:
    return "\n".join([HINT, "", *lines]) + "\n"


# --- providers ----------------------------------------------------------------


def _providers() -> Iterator[str]:
    yield "# What each provider takes"
    yield ""
    yield "The facts that exports are made by, from the tables in `prismpy/lowering`."
    yield "Sources are named with each provider; all were read in November 2026."
    yield "What they mean for a tool of yours, `prismpy explain`, `diff` and `check` tell."
    yield ""
    yield "| provider | names of tools | strict mode | free text | search of its own | options |"
    yield "|---|---|---|---|---|---|"
    for name in known_providers():
        one = dialect(name)
        facts = (one.strict is not None, one.wrap_text, one.search)
        strict, text, search = (_shown(bool(known)) for known in facts)
        link = f"[`{name}`](#{name})"
        yield f"| {link} | {_names(one.names)} | {strict} | {text} | {search} | {len(list(_options(one))) or 'none'} |"
    for name in known_providers():
        yield ""
        yield from _provider(dialect(name))


def _provider(one: Dialect) -> Iterator[str]:
    yield f"## {one.name}"
    yield ""
    yield f"Source: {one.source}."
    for title, row, kind in (
        ("What it takes of JSON Schema", one.plain, Subset),
        ("In the strict mode", one.strict, Subset),
        ("In the outermost schema", None if one.root == Root() else one.root, Root),
        ("In one request", None if one.request == Request() else one.request, Request),
    ):
        if row is not None:
            yield ""
            yield f"### {title}"
            yield ""
            yield from _facts(row, kind)
    if options := list(_options(one)):
        yield ""
        yield "### Options of tools"
        yield ""
        yield "| option | values | besides |"
        yield "|---|---|---|"
        yield from options


def _names(names: Names | None) -> str:
    return "any" if names is None else f"`{names.pattern}`"


def _options(one: Dialect) -> Iterator[str]:
    rules = one.rules
    own = {"strict": {"enum": [True, False, "auto"]}} if one.strict is not None else {}
    values = {**rules.values, **own}
    for option in sorted(values):
        yield f"| `{option}` | {_code(describe(values[option]))} | {'; '.join(_besides(one, option))} |"
    if rules.group:
        yield f"| `{rules.group}` | {_code('{name: string, description: string}')} | groups tools of one name |"


def _besides(one: Dialect, option: str) -> Iterator[str]:
    rules = one.rules
    for pair in rules.apart:
        yield from (f"not with `{other}`" for other in pair if option in pair and other != option)
    for pair in rules.apart_together:
        yield from (f"in no request with `{other}`" for other in pair if option in pair and other != option)
    if option == rules.behind:
        yield "an element of its own, behind the tool"
    if option in rules.lasting:
        yield "no longer one behind a shorter one"
    if option in rules.most:
        yield f"on {rules.most[option]} tools of a request at most"
    if option in rules.strictly:
        yield f"with the strict mode only {_code(describe(rules.strictly[option]))}"
    if option == rules.examples:
        yield "held against the parameters"
    if option == rules.output:
        result = "an object" if rules.output_kind == "object" else "sent as JSON text"
        yield f"what the tool returns goes there by itself, if it is {result}"
    if option == "strict":
        yield "the choice of the tool, before that of the export"


# --- findings -----------------------------------------------------------------


def _findings() -> Iterator[str]:
    yield "# What `prismpy check` finds"
    yield ""
    yield "The rules, as `--ignore` and `Finding.rule` name them."
    yield ""
    yield "| rule | found if |"
    yield "|---|---|"
    for rule, meaning in RULES.items():
        yield f"| `{rule}` | {meaning} |"


# --- any table ----------------------------------------------------------------


def _facts(row: Any, kind: type) -> Iterator[str]:
    """Write a row as a table of its own: what its class says of a field, and what the row says there."""
    yield "| fact | |"
    yield "|---|---|"
    for name, words in _words_of(kind).items():
        yield f"| {words} | {_shown(getattr(row, name))} |"


def _words_of(kind: type) -> dict[str, str]:
    """Return the text below each field of a class, without its full stop."""
    body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(body, ast.ClassDef)  # noqa: S101  # the source of a class is one
    fields = [each.name for each in attrs.fields(kind)]
    said = {}
    for field, text in zip(body.body, body.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(text, ast.Expr):
            said[field.target.id] = " ".join(ast.literal_eval(text.value).split()).removesuffix(".")
    return {name: said.get(name, name.replace("_", " ")) for name in fields}


def _shown(value: Any) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case None:
            return "none"
        case Names():
            return _code(value.pattern)
        case frozenset() | set() | tuple() | list():
            items = sorted(value) if isinstance(value, frozenset | set) else value
            return ", ".join(f"`{item}`" for item in items) or "none"
        case _ if attrs.has(type(value)):
            return _shown({name.replace("_", " "): item for name, item in attrs.asdict(value, recurse=False).items()})
        case dict():
            return "; ".join(f"{key}: {_shown(item)}" for key, item in value.items()) or "none"
        case _:
            return _code(str(value))


def _code(text: str) -> str:
    escaped = text.replace("|", "\\|")
    return f"`{escaped}`"


if __name__ == "__main__":
    REFERENCE.mkdir(exist_ok=True)
    for page, text in pages().items():
        page.write_text(text, encoding="utf-8", newline="\n")
