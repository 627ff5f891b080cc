"""
Make a tool of every public callable of many packages: what is refused, what is lost, beside other libraries.

    python tests/benchmarks/callables.py                        prismpy alone
    python tests/benchmarks/callables.py --peers                and two other libraries on the same list
    python tests/benchmarks/callables.py stdlib numpy --only '^numpy:.*sort' --json out.json
    python tests/benchmarks/callables.py core                   the standard library and eleven packages, not all there are

Functions, builtins, callable objects, classes (as factories) and the methods that are bound without an instance,
each object once. Rows of the table, a column per library:

* `absent`: not there in the library's environment, or in another version since the library wants it so; `made`,
  `refused` (a `DefinitionError`, or the peer's own error), `crashed` (any other exception). A refused or crashed
  tool counts nowhere below.
* `no JSON form`: refused since a parameter is of a type that JSON has no form for, such as a connection or a
  function; `otherwise`: for any other reason. prismpy refuses for a required parameter only; the peers, which
  let pydantic read types, for an optional one too.
* `bad schema`: schemas that are not JSON, fail the metaschema of 2020-12 or refer to a definition that is missing.
* `parameters`: in the signatures of the tools made, `*args` and `**kwargs` and what is injected aside;
  `left out`: reported as left out, at their default; `lost`: neither in the schema nor reported.
* `typed`: parameters in a schema with an annotation that means something (not `Any`, `object`, a union with
  them, or a `TypeVar` without bound); `silent`: those whose schema accepts everything; `inside`: those whose
  items, values or branches do, although the annotation says what they are.
* `documented`: parameters in a schema that at least two of griffe, docstring-parser and numpydoc find a
  description of; `described`: those that have one in the schema; `same words`: one that a voter found too;
  `all documented`: in signatures, of whatever became no tool too.
* `ms per tool`: median; `seconds, all`: of all tools, those refused too; `ms, same`: of the callables that all libraries make a tool of.

For prismpy it lists what is behind the numbers; `exists` are refusals and parameters left out for an annotation
that cannot be evaluated although all its names exist in the module of the function or of its class.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import collections
import contextlib
import ctypes
import enum
import functools
import importlib
import importlib.util
import inspect
import json
import math
import os
import re
import statistics
import sys
import types
import typing
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import attrs
import jsonschema

from tests.benchmarks import _peers, docstrings
from tests.benchmarks._peers import Found, Outcome

CORE = ["stdlib", "attr", "attrs", "click", "requests", "httpx", "rich", "numpy", "pandas", "networkx"]
CORE += ["sqlalchemy", "pydantic", "sklearn"]
"""What a table of its own is about."""

# walked too where they are installed
PACKAGES_TOO = ["scipy", "anyio", "anthropic", "openai", "msgspec", "griffe", "docstring_parser", "jsonschema"]
PACKAGES_TOO += ["referencing", "typer", "urllib3", "joblib", "narwhals", "packaging", "jinja2", "babel", "dateutil"]
PACKAGES_TOO += ["markdown_it", "httpcore2", "httpx2", "pydantic_core", "typing_extensions"]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "prismpy-benchmarks"
VOTERS = ("docstring-parser", "griffe, best style", "numpydoc")


# --- What callables say about themselves --------------------------------------------------------------------


@attrs.frozen
class Said:
    """The descriptions that at least two libraries find of a parameter."""

    texts: frozenset[str] = frozenset()
    """White space aside; empty if there is none."""

    place: str = ""
    """Whose docstring has them: `own`, `__init__`."""


@attrs.frozen
class Parameter:
    """One parameter of a signature that a tool should have."""

    name: str
    annotation: str
    """As written; "" if there is none."""

    means: bool
    """Whether the annotation says something about the values."""

    means_throughout: bool
    """Whether the types within it, such as the items of a list, do so too."""

    said: Said
    """What docstrings say about it."""


@attrs.frozen
class Facts:
    """What a callable says about itself, whoever reads it."""

    found: Found
    parameters: tuple[Parameter, ...] = ()

    @property
    def where(self) -> str:
        return self.found.where


_PLAIN = {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}


def facts(found: Sequence[Found]) -> list[Facts]:
    """Read all signatures, and let the voters read all docstrings."""
    _peers.tell(f"{len(found)} callables; three libraries read their docstrings")
    signatures = [_signature(one.value) for one in found]
    votes = _votes(found)
    return [
        Facts(one, tuple(_parameter(one, p, said.get(p.name, Said())) for p in signature if _is_an_argument(one, p)))
        for one, signature, said in zip(found, signatures, votes, strict=True)
    ]


def _signature(value: Any) -> tuple[inspect.Parameter, ...]:
    with contextlib.suppress(Exception):  # runs code of the package, which may raise anything
        return tuple(inspect.signature(value).parameters.values())
    return ()


def _is_an_argument(one: Found, p: inspect.Parameter) -> bool:
    bound = one.value.keywords if isinstance(one.value, functools.partial) else {}
    injected = any("Injected" in repr(note) for note in getattr(p.annotation, "__metadata__", ()))
    return p.kind in _PLAIN and p.name not in bound and not injected


def _parameter(one: Found, p: inspect.Parameter, said: Said) -> Parameter:
    if p.annotation is p.empty:
        return Parameter(p.name, "", means=False, means_throughout=False, said=said)
    spelled = p.annotation if isinstance(p.annotation, str) else inspect.formatannotation(p.annotation)
    annotation = _evaluated(p.annotation, one.value)
    return Parameter(p.name, spelled, _means(annotation), _means_throughout(annotation), said)


def _evaluated(annotation: Any, value: Any) -> Any:
    """Evaluate an annotation with all names that can be found, also those imported for type checkers."""
    probe = types.SimpleNamespace(__annotations__={"it": annotation})
    spaces = _spaces(value)
    names = {name: item for space in spaces for name, item in space.items()}
    for _ in range(20):  # a name more each time
        try:
            return typing.get_type_hints(probe, names, include_extras=True)["it"]
        except NameError as error:
            found = _for_checkers(spaces, str(error.name))
            if error.name in names or not found:
                break
            names[str(error.name)] = found[0]
        except Exception:  # noqa: BLE001  # an expression that evaluates for no one may raise anything
            break
    return _by_members(annotation, names, spaces) if isinstance(annotation, str) else annotation


def _by_members(text: str, names: Mapping[str, Any], spaces: Sequence[Mapping[str, Any]]) -> Any:
    """Look up the members of a union that cannot be evaluated as a whole, without their arguments."""
    members = [member.strip("'\" ").partition("[")[0] for member in text.split(" | ")]
    found = [
        names[member] if member in names else next(iter(_for_checkers(spaces, member)), member) for member in members
    ]
    with contextlib.suppress(Exception):  # what is no type is in no union
        return typing.Union[tuple(found)]
    return text


def _spaces(value: Any) -> list[Mapping[str, Any]]:
    """Where names of annotations may be: builtins, the modules of a function or a class and its bases, the class."""
    function = inspect.unwrap(value) if callable(value) else value
    function = getattr(function, "func", function)
    owners = [function, getattr(function, "__self__", None), type(function)]
    classes = [base for owner in owners if inspect.isclass(owner) for base in reversed(owner.__mro__)]
    parts = [function, *classes, *(base.__dict__.get("__init__") for base in classes), getattr(function, "__func__", 0)]
    modules = [sys.modules.get(str(getattr(part, "__module__", ""))) for part in parts]
    globals_ = [getattr(part, "__globals__", {}) for part in parts]
    spaces = [vars(builtins), *(vars(module) for module in modules if module), *map(vars, classes), *globals_]
    return [space for space in spaces if isinstance(space, Mapping)]


_MEANINGLESS = re.compile(r"(typing\.|t\.)?(Any|object|Optional\[(typing\.|t\.)?Any\])")


def _means(annotation: Any) -> bool:
    """Tell whether an annotation says something: a union with `Any` does not."""
    if isinstance(annotation, typing.ForwardRef):
        return _means(annotation.__forward_arg__)
    if isinstance(annotation, str):
        return not any(_MEANINGLESS.fullmatch(part.strip("'\" ")) for part in annotation.split(" | "))
    if annotation is Any or annotation is object:
        return False
    if isinstance(annotation, TypeVar):
        default = getattr(annotation, "__default__", None)
        said = [annotation.__bound__, *annotation.__constraints__]
        said += [default] if default is not None and not repr(default).endswith("NoDefault") else []
        return any(part is not None and _means(part) for part in said)
    if "UnionType" in type(annotation).__name__ or typing.get_origin(annotation) is typing.Union:
        return all(map(_means, typing.get_args(annotation)))
    for step in ("__supertype__", "__value__"):
        if type(annotation).__name__ in {"NewType", "TypeAliasType"} and hasattr(annotation, step):
            return _means(getattr(annotation, step))
    return _means(annotation.__origin__) if typing.get_origin(annotation) is typing.Annotated else True


def _means_throughout(annotation: Any) -> bool:
    """Tell whether all types within an annotation say something: `list[Any]`, a bare `dict` and names do not."""
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if not _means(annotation) or isinstance(annotation, str | typing.ForwardRef | TypeVar):
        return False
    if origin in (typing.Literal, type, collections.abc.Callable):
        return True
    if origin is typing.Annotated:
        return _means_throughout(args[0])
    if origin is None:
        return annotation in (str, bytes) or not issubclass(type(annotation), type) or not _holds(annotation)
    return bool(args) and all(_means_throughout(arg) for arg in args if arg is not ...)


def _holds(kind: type) -> bool:
    return issubclass(kind, collections.abc.Iterable) and not issubclass(kind, str | bytes | enum.Enum)


def _votes(found: Sequence[Found]) -> list[dict[str, Said]]:
    """For each callable, the parameters that two voters describe."""
    samples = [docstrings.Sample(one.where, text, ()) for one in found for text in _docs(one.value).values()]
    samples = list({sample.text: sample for sample in samples}.values())
    read = [reading for name, reading in docstrings.readings(samples).items() if name in VOTERS]
    votes = {sample.text: [reading.texts[i] for reading in read] for i, sample in enumerate(samples)}
    return [
        {
            name: Said(frozenset(" ".join(vote[name].split()) for vote in votes[text] if name in vote), place)
            for place, text in _docs(one.value).items()
            for name, count in Counter(name for vote in votes[text] for name in vote).items()
            if count > 1
        }
        for one in found
    ]


def _docs(value: Any) -> dict[str, str]:
    """Docstrings that may describe the parameters: the callable's own, which counts more, and that of `__init__`."""
    docs: dict[str, Any] = {}
    with contextlib.suppress(Exception):
        if inspect.isclass(value) and inspect.isfunction(value.__init__):
            docs["__init__"] = inspect.getdoc(value.__init__)
        docs["own"] = inspect.getdoc(value)
    return {place: doc for place, doc in docs.items() if isinstance(doc, str) and doc.strip()}


# --- What a library made of them ----------------------------------------------------------------------------


@attrs.frozen
class Judged:
    """One callable and what a library made of it."""

    facts: Facts
    outcome: Outcome
    bad: str = ""
    """What is wrong with the schema."""

    lost: tuple[Parameter, ...] = ()
    left_out: tuple[Parameter, ...] = ()
    typed: tuple[Parameter, ...] = ()
    silent: tuple[Parameter, ...] = ()
    silent_inside: tuple[Parameter, ...] = ()
    documented: tuple[Parameter, ...] = ()
    described: tuple[Parameter, ...] = ()
    same_words: tuple[Parameter, ...] = ()

    @property
    def where(self) -> str:
        return self.facts.where

    @property
    def is_made(self) -> bool:
        return bool(self.outcome["outcome"] == "made")

    @property
    def message(self) -> str:
        return str(self.outcome.get("message", ""))


def judge(one: Facts, outcome: Outcome) -> Judged:
    """Hold a schema against what the callable says."""
    if outcome["outcome"] != "made":
        return Judged(one, outcome)
    schema = outcome["schema"]
    names = outcome["names"]
    properties = {names.get(wire, wire): part for wire, part in _properties(schema).items()}
    present = [p for p in one.parameters if p.name in properties]
    absent = [p for p in one.parameters if p.name not in properties]
    texts = {p.name: _description(properties[p.name]) for p in present}
    return Judged(
        one,
        outcome,
        bad=_fault(schema) if outcome["is_json"] else "not JSON",
        lost=tuple(p for p in absent if p.name not in outcome["omitted"]),
        left_out=tuple(p for p in absent if p.name in outcome["omitted"]),
        typed=tuple(p for p in present if p.means),
        silent=tuple(p for p in present if p.means and _is_silent(properties[p.name], schema)),
        silent_inside=tuple(p for p in present if p.means_throughout and _is_silent_inside(properties[p.name])),
        documented=tuple(p for p in present if p.said.texts),
        described=tuple(p for p in present if p.said.texts and texts[p.name]),
        same_words=tuple(p for p in present if " ".join(texts[p.name].split()) in p.said.texts),
    )


def _properties(schema: Any) -> Mapping[str, Any]:
    found = schema.get("properties", {}) if isinstance(schema, dict) else {}
    return found if isinstance(found, dict) else {}


def _description(schema: Any) -> str:
    text = schema.get("description") if isinstance(schema, dict) else None
    return text if isinstance(text, str) else ""


_SAYING_NOTHING = {"title", "description", "default", "examples", "deprecated", "$comment"}


def _is_silent(schema: Any, root: Mapping[str, Any], depth: int = 20) -> bool:
    """Tell whether a schema accepts everything: `{}`, a reference to it, or a union with it."""
    if not isinstance(schema, dict) or not depth:
        return schema is True
    said = {key: part for key, part in schema.items() if key not in _SAYING_NOTHING}
    match said:
        case {"$ref": str(ref), **rest} if not rest:
            return _is_silent(_resolved(ref, root), root, depth - 1)
        case {"anyOf": list(branches), **rest} | {"oneOf": list(branches), **rest} if not rest:
            return any(_is_silent(branch, root, depth - 1) for branch in branches)
    return not said


def _is_silent_inside(schema: Any) -> bool:
    """Tell whether items, values or branches of a schema accept everything; what stands elsewhere is not looked at."""
    if not isinstance(schema, dict):
        return False
    lists = [part for key in ("anyOf", "oneOf", "allOf", "prefixItems") for part in schema.get(key, ())]
    parts = [*lists, *(schema[key] for key in ("items", "additionalProperties") if isinstance(schema.get(key), dict))]
    return any(_is_silent(part, {}) or _is_silent_inside(part) for part in parts)


def _resolved(ref: str, root: Any) -> Any:
    """Follow a JSON pointer; None if it leads nowhere."""
    target = root
    for part in ref.removeprefix("#").split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        target = target.get(key) if isinstance(target, dict) else None
    return target


_METASCHEMA = jsonschema.Draft202012Validator(jsonschema.Draft202012Validator.META_SCHEMA)


def _fault(schema: Any) -> str:
    """Say what is wrong with a schema; "" if nothing is."""
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return "the root is no object"
    for name, part in [*schema.get("$defs", {}).items(), *_properties(schema).items()]:
        if fault := _part_fault(json.dumps(part)):
            return f"{name}: {fault}"
    if fault := _part_fault(
        json.dumps({key: part for key, part in schema.items() if key not in {"$defs", "properties"}})
    ):
        return fault
    missing = sorted(ref for ref in set(_references(schema)) if _resolved(ref, schema) is None)
    return f"{missing[0]} leads nowhere" if missing else ""


@functools.cache
def _part_fault(part: str) -> str:
    errors = [f"{error.json_path}: {error.message}" for error in _METASCHEMA.iter_errors(json.loads(part))]
    return min(errors, default="")[:200]


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        for key, part in schema.items():
            if key == "$ref" and isinstance(part, str) and part.startswith("#"):
                yield part
            elif key not in {"default", "enum", "const", "examples"}:
                yield from _references(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _references(part)


# --- The table ----------------------------------------------------------------------------------------------


@attrs.frozen
class Measured:
    """One library on the whole list."""

    library: str
    release: str
    judged: Sequence[Judged]


Count: TypeAlias = Callable[[Sequence[Judged]], float]


def _sum(field: str) -> Count:
    return lambda judged: sum(len(getattr(one, field)) for one in judged)


def _with(outcome: str) -> Count:
    return lambda judged: sum(one.outcome["outcome"] == outcome for one in judged)


def _refused_for(reason: str) -> Count:
    return lambda judged: sum(one.outcome.get("for") == reason for one in judged)


def _milliseconds(judged: Sequence[Judged]) -> float:
    seconds = [one.outcome["seconds"] for one in judged if one.is_made]
    return 1000 * statistics.median(seconds) if seconds else 0.0


_REFUSED = {f"- {reason}": _refused_for(reason) for reason in ("no JSON form", "otherwise")}
COUNTS: Mapping[str, Count] = {
    "callables": len,
    "absent": _with("absent"),
    "made": _with("made"),
    "refused": _with("refused"),
    **_REFUSED,
    "crashed": _with("crashed"),
    "bad schema": lambda judged: sum(bool(one.bad) for one in judged),
    "parameters": lambda judged: sum(len(one.facts.parameters) for one in judged if one.is_made),
    "left out": _sum("left_out"),
    "lost": _sum("lost"),
    "typed": _sum("typed"),
    "silent": _sum("silent"),
    "inside": _sum("silent_inside"),
    "documented": _sum("documented"),
    "described": _sum("described"),
    "same words": _sum("same_words"),
    "all documented": lambda judged: sum(bool(p.said.texts) for one in judged for p in one.facts.parameters),
    "all described": _sum("described"),
    "ms per tool": _milliseconds,
    "seconds, all": lambda judged: sum(one.outcome.get("seconds", 0.0) for one in judged),
}
PARTS = {
    **dict.fromkeys(("absent", "made", "refused", *_REFUSED, "crashed"), "callables"),
    "bad schema": "made",
    **dict.fromkeys(("left out", "lost"), "parameters"),
    **dict.fromkeys(("silent", "inside"), "typed"),
    **dict.fromkeys(("described", "same words"), "documented"),
    "all described": "all documented",
}
"""Count to the count it is a part of, for a share."""


def counts(judged: Sequence[Judged], comparable: AbstractSet[str]) -> dict[str, float]:
    """All rows of the table for one library; `comparable` are the callables that every library takes."""
    same = [one for one in judged if one.where in comparable]
    return {**{name: count(judged) for name, count in COUNTS.items()}, "ms, same": _milliseconds(same)}


def table(columns: Mapping[str, Mapping[str, float]]) -> str:
    """Counts with their shares, a column per library."""
    width = max(17, 2 + max(map(len, columns)))
    lines = [" " * 15 + "".join(f"{name:>{width}}" for name in columns)]
    rows = next(iter(columns.values()))
    lines += [f"{row:15}" + "".join(f"{_cell(row, column):>{width}}" for column in columns.values()) for row in rows]
    return "\n".join(lines)


def _cell(row: str, column: Mapping[str, float]) -> str:
    if row.startswith(("ms", "seconds")):
        return f"{column[row]:.3f}        "
    whole = column[PARTS[row]] if row in PARTS else 0
    return f"{column[row]}" + (f" {100 * column[row] / whole:6.2f}%" if whole else " " * 8 * (row in PARTS))


# --- What is behind prismpy's numbers -----------------------------------------------------------------------


@attrs.frozen
class Group:
    """Cases of one kind."""

    reason: str
    cases: tuple[str, ...]
    subjects: Mapping[str, int] = attrs.field(factory=dict)
    """What the reason is about, such as the types, to the number of cases."""


def grouped(cases: Iterable[tuple[str, str, str]]) -> list[Group]:
    """Group triples of reason, subject and case; the largest group first."""
    groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for reason, subject, case in cases:
        groups[reason].append((subject, case))
    found = [
        Group(reason, tuple(case for _, case in pairs), dict(Counter(subject for subject, _ in pairs).most_common()))
        for reason, pairs in groups.items()
    ]
    return sorted(found, key=lambda group: (-len(group.cases), group.reason))


_KINDS = (
    # what a reason comes down to, and a pattern whose group is what it is about
    ("cannot be evaluated", r"(.+?) cannot be evaluated: .*"),
    ("has a field whose type is not defined", r"(?:.*: )?(\S+ has a field whose type is not defined: .*)"),
    ("has no JSON form", r"(?:[\w.]+\.\w+: )*(.+?) has no JSON form\b.*"),
    ("has keys that are no text", r"(?:[\w.]+\.\w+: )*(.+?) has keys of type .*"),
    ("does not tell its parameters", r"(.+?) does not tell its parameters.*"),
    ("is a method and not bound", r"(.+?) is a method of .* and not bound.*"),
)


def refusals(judged: Sequence[Judged]) -> list[Group]:
    """Refusals by reason."""
    refused = [one for one in judged if one.outcome["outcome"] == "refused"]
    return grouped((*_reason(one.message, one.facts.found), _case(one)) for one in refused)


def _case(one: Judged) -> str:
    return f"{one.where}  {cut(one.message)}"


def cut(text: str) -> str:
    """Shorten a text to a line or two."""
    return text if len(text) <= 300 else f"{text[:200]} … {text[-90:]}"


def _reason(message: str, found: Found) -> tuple[str, str]:
    """What a reason comes down to, and what it is about."""
    bare = re.sub(r"^tool '[^']*': ", "", message)
    bare = re.sub(r"^parameter '[^']*': ", "", bare)
    bare = re.sub(r"; annotate it with a type that JSON knows.*$", "", bare, flags=re.DOTALL)
    for kind, pattern in _KINDS:
        if match := re.fullmatch(pattern, bare, re.DOTALL):
            about = re.sub(r"\[.*", "[…]", match[1], flags=re.DOTALL) if kind == "has no JSON form" else match[1]
            return kind, _sort_of(found) if kind == "does not tell its parameters" else cut(about)
    return cut(re.sub(r"'[^']*'|\"[^\"]*\"|\d+", "…", bare)), ""


def _sort_of(found: Found) -> str:
    if not inspect.isclass(found.value):
        return f"{found.kind}, {type(found.value).__name__}"
    return next((f"class, {base.__name__}" for base in _TELLING_BASES if issubclass(found.value, base)), "class")


_TELLING_BASES = (ast.AST, Warning, BaseException, ctypes.Structure, tuple)


def crashes(judged: Sequence[Judged]) -> list[Group]:
    """Crashes by class and place."""
    crashed = [one for one in judged if one.outcome["outcome"] == "crashed"]
    return grouped(
        (
            f"{one.outcome['error']} at {' < '.join(reversed(one.outcome['tail']))}",
            re.sub(r"'[^']*'", "…", one.message[:100]),
            _case(one),
        )
        for one in crashed
    )


def parameters(judged: Sequence[Judged], field: str) -> list[Group]:
    """Parameters of one kind, such as `silent`, by annotation."""
    return grouped((p.annotation[:120], "", f"{one.where} {p.name}") for one in judged for p in getattr(one, field))


def left_out(judged: Sequence[Judged]) -> list[Group]:
    """Parameters that are left out, by reason."""
    return grouped(
        (*_reason(one.outcome["omitted"][p.name], one.facts.found), f"{one.where} {p.name}")
        for one in judged
        for p in one.left_out
    )


def slowest(judged: Sequence[Judged]) -> list[Group]:
    """The tools that took longest, by how long."""
    timed = sorted((one for one in judged if "seconds" in one.outcome), key=lambda one: -one.outcome["seconds"])
    return grouped(
        (f"more than {10 ** _magnitude(one):g} s", "", f"{one.where}  {one.outcome['seconds']:.2f} s")
        for one in timed[:1000]
    )[::-1]


def _magnitude(one: Judged) -> int:
    return math.floor(math.log10(one.outcome["seconds"]))


def undescribed(judged: Sequence[Judged]) -> list[Group]:
    """Parameters that are documented, yet have no description, by whose docstring it is."""
    return grouped(
        (f"described in the docstring: {p.said.place}", "", f"{one.where} {p.name}")
        for one in judged
        for p in one.documented
        if p not in one.described
    )


def other_words(judged: Sequence[Judged]) -> list[Group]:
    """Parameters that are described, yet not as a voter reads it, by whose docstring that is."""
    return grouped(
        (f"a voter reads the docstring: {p.said.place}", "", f"{one.where} {p.name}")
        for one in judged
        for p in one.described
        if p not in one.same_words
    )


# --- Names that do exist ------------------------------------------------------------------------------------

_UNDEFINED = re.compile(r"name '(\w+)' is not defined|has no attribute '(\w+)'")
_UNREAD = re.compile(r"(?:^|: )ForwardRef\('([^']+)'[^)]*\) has no JSON form")


def evaluations(judged: Sequence[Judged]) -> list[Group]:
    """
    What fails since an annotation cannot be evaluated, by whether it could be.

    * `exists`: the names are in modules of the function, of its class or a base.
    * `fails`: no name is missing, but the expression raises, such as `"Schema" | None` without quotes around all of it.
    * `for type checkers`: the module imports the name under `if TYPE_CHECKING`, from a module that has it.
    * `elsewhere in the package`: none of these, yet another module of the package has the name.
    * `nowhere`: no.
    """
    cases = []
    for one in judged:
        told = {"": one.message} if one.outcome["outcome"] == "refused" else one.outcome.get("omitted", {})
        for parameter, reason in told.items():
            if "cannot be evaluated" in reason or "is not defined" in reason or _UNREAD.search(reason):
                name, whereabouts = _missing(one, reason)
                kind = f"{whereabouts}, {'left out' if parameter else 'refused'}"
                case = f"{one.where}{f' leaves out {parameter}' if parameter else ''}  {cut(reason)}"
                cases.append((kind, name, case))
    return grouped(cases)


def _missing(one: Judged, reason: str) -> tuple[str, str]:
    """Give a name that a reason misses, and where it is."""
    undefined, unread = _UNDEFINED.search(reason), _UNREAD.search(reason)
    if undefined:
        name = undefined[1] or undefined[2]
        return name, _whereabouts(one, name, reason)
    if unread is None:
        return "", "fails"
    places = {name: _whereabouts(one, name, reason) for name in _names(unread[1])}
    return next((pair for pair in places.items() if pair[1] != "exists"), (unread[1], "exists"))


def _names(annotation: str) -> list[str]:
    with contextlib.suppress(SyntaxError):
        return sorted({node.id for node in ast.walk(ast.parse(annotation)) if isinstance(node, ast.Name)})
    return []


def _whereabouts(one: Judged, name: str, reason: str) -> str:
    spaces = _spaces(one.facts.found.value) + _spaces_of_class(reason)
    if any(name in space for space in spaces):
        return "exists"
    if _for_checkers(spaces, name):
        return "for type checkers"
    root = str(getattr(one.facts.found.value, "__module__", None) or one.facts.found.package).partition(".")[0]
    inside = [module for key, module in list(sys.modules.items()) if key.partition(".")[0] == root]
    return "elsewhere in the package" if any(name in vars(module) for module in inside) else "nowhere"


def _spaces_of_class(reason: str) -> list[Mapping[str, Any]]:
    """Find the module of the class that a reason names, as in "Order has a field whose type is not defined"."""
    match = re.search(r"([\w.]+) has a field", reason)
    if match is None:
        return []
    name = match[1].partition(".")[0]
    modules = [(key, getattr(module, "__dict__", {})) for key, module in list(sys.modules.items())]
    return [space for key, space in modules if getattr(space.get(name), "__module__", "") == key]


def _for_checkers(spaces: Iterable[Mapping[str, Any]], name: str) -> list[Any]:
    """Return what modules import under a name for type checkers and what is there."""
    modules = dict.fromkeys(str(space["__name__"]) for space in spaces if "__file__" in space)
    found = [_part(*source, module) for module in modules for source in _guarded(module).get(name, [])]
    return [part for part in found if part is not None]


@functools.cache
def _guarded(module: str) -> dict[str, list[tuple[str, str]]]:
    """
    Names that a module has under `if TYPE_CHECKING`: the dotted module that each comes from, and the name there.

    The name is "" for a module itself; the module is "" for what is assigned, and the name the expression.
    """
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    with contextlib.suppress(OSError, SyntaxError, ValueError, KeyError):
        tree = ast.parse(Path(str(sys.modules[module].__file__)).read_text(encoding="utf-8"))
        guards = [node for node in tree.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)]
        for node in (inner for guard in guards for part in guard.body for inner in ast.walk(part)):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    found[alias.asname or alias.name].append(("." * node.level + (node.module or ""), alias.name))
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    found[alias.asname or alias.name.partition(".")[0]].append((alias.name, ""))
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    found[ast.unparse(target)].append(("", ast.unparse(node.value)))
    return found


@functools.cache
def _part(source: str, part: str, module: str) -> Any:
    with contextlib.suppress(Exception):  # importing a module, as any expression, may raise anything
        if not source:
            return eval(part, {**vars(typing), **vars(sys.modules[module])})  # noqa: S307
        package = getattr(sys.modules[module], "__package__", None) or module
        found = importlib.import_module(importlib.util.resolve_name(source, package))
        return getattr(found, part) if part else found
    return None


# --- All together -------------------------------------------------------------------------------------------


def measure(library: str, packages: Sequence[str], only: str, known: Sequence[Facts], cache: Path) -> Measured:
    """Let a library make all tools, and judge them."""
    release, made = _peers.run(library, packages, only, cache)
    by_where = {outcome["where"]: outcome for outcome in made}
    absent = {"outcome": "absent"}
    return Measured(library, release, [judge(one, by_where.get(one.where, absent)) for one in known])


def details(judged: Sequence[Judged]) -> dict[str, list[Group]]:
    """Everything behind the numbers of a library, by heading."""
    bad = grouped((re.sub(r"^[^:]*: ", "", one.bad), "", f"{one.where}  {one.bad}") for one in judged if one.bad)
    return {
        "refused, by reason": refusals(judged),
        "crashed, by place": crashes(judged),
        "bad schemas": bad,
        "silent, by annotation": parameters(judged, "silent"),
        "silent inside, by annotation": parameters(judged, "silent_inside"),
        "lost, by annotation": parameters(judged, "lost"),
        "left out, by reason": left_out(judged),
        "documented, yet not described": undescribed(judged),
        "described in other words": other_words(judged),
        "annotations that cannot be evaluated": evaluations(judged),
        "slowest": slowest(judged),
    }


def as_data(measured: Measured, comparable: AbstractSet[str]) -> dict[str, Any]:
    """All of a library's numbers and cases, as JSON."""
    judged = measured.judged
    return {
        "library": measured.library,
        "release": measured.release,
        "counts": counts(judged, comparable),
        "core": counts([one for one in judged if one.facts.found.package in CORE], comparable),
        "functions": counts([one for one in judged if one.facts.found.kind in {"function", "method"}], comparable),
        "packages": {name: counts(part, comparable) for name, part in _by_package(judged).items()},
        "details": {heading: [attrs.asdict(group) for group in groups] for heading, groups in details(judged).items()},
    }


def _by_package(judged: Sequence[Judged]) -> dict[str, list[Judged]]:
    parts: dict[str, list[Judged]] = defaultdict(list)
    for one in judged:
        parts[one.facts.found.package].append(one)
    return dict(parts)


def report(data: Sequence[Mapping[str, Any]], shown: int) -> Iterator[str]:
    """The table, the same for parts of it, and what is behind prismpy's column."""
    yield table({f"{one['library']} {one['release']}": one["counts"] for one in data})
    for part, title in (("core", f"{', '.join(CORE)} only"), ("functions", "functions and methods only")):
        if any(one[part] != one["counts"] for one in data):
            yield f"\n{title}"
            yield table({one["library"]: one[part] for one in data})
    ours = data[0]
    yield f"\n{'prismpy, by package':20}" + "".join(f"{row:>16}" for row in _BY_PACKAGE)
    for package, column in ours["packages"].items():
        yield f"{package:20}" + "".join(f"{column[row]:16}" for row in _BY_PACKAGE)
    for heading, groups in ours["details"].items():
        yield f"\n{heading}: {sum(len(group['cases']) for group in groups)}"
        for group in groups[: 8 * shown]:
            yield from _lines(group, shown)


_BY_PACKAGE = ("callables", "refused", *_REFUSED, "crashed", "bad schema", "left out", "lost", "silent")


def _lines(group: Mapping[str, Any], shown: int) -> Iterator[str]:
    yield f"  {len(group['cases']):6}  {group['reason']}"
    subjects = [f"{subject} ({count})" for subject, count in group["subjects"].items() if subject]
    if subjects:
        yield f"          {', '.join(subjects[: 8 * shown])}"
    yield from (f"          - {case}" for case in group["cases"][:shown])


def _there(name: str) -> list[str]:
    """Spell out `core`; leave out, and say so, what is not installed."""
    parts = CORE if name == "core" else [name]
    absent = [part for part in parts if part != "stdlib" and importlib.util.find_spec(part) is None]
    if absent:
        _peers.tell(f"not installed: {', '.join(absent)}")
    return [part for part in parts if part not in absent]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", help="import names, `stdlib`, `core`; by default all that are known")
    parser.add_argument("--peers", action="store_true", help="other libraries too, in environments made for them")
    parser.add_argument("--only", default="", metavar="REGEX", help="only callables whose `module:name` matches")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where environments are built (default: %(default)s)")
    parser.add_argument("--shown", type=int, default=3, metavar="N", help="examples per group (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything as data")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    packages = [part for name in options.packages or ["core", *PACKAGES_TOO] for part in _there(name)]
    options.cache.mkdir(parents=True, exist_ok=True)
    known = facts(_peers.walk(packages, options.only))
    libraries = list(_peers.MAKERS) if options.peers else ["prismpy"]
    measured = [measure(library, packages, options.only, known, options.cache) for library in libraries]
    comparable = set.intersection(*({one.where for one in each.judged if one.is_made} for each in measured))
    data = [as_data(each, comparable) for each in measured]
    if options.json:
        options.json.write_text(json.dumps(data, indent=1), encoding="utf-8")
    print(*report(data, options.shown), sep="\n")


if __name__ == "__main__":
    main()
