"""Options of tools held against what a provider documents, and made part of what is sent."""

import itertools
import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Final

from prismpy.errors import LoweringError, Problem
from prismpy.schema import JSON, MISSING, compile_schema, emit, follow, plain
from prismpy.tools import ToolSpec

from ._dialects import Dialect
from ._lower import Lowered, has_strict_mode
from ._option_rules import NAMESPACE, TIMES, USUAL_TIME, Rules

_STRICT: Final = {"enum": [True, False, "auto"]}
_GROUP: Final = {
    "type": "object",
    "properties": {"name": {"type": "string", "minLength": 1}, "description": {"type": "string"}},
    "required": ["name", "description"],
    "additionalProperties": False,
}


# --- on their own -------------------------------------------------------------


def checked_options(spec: ToolSpec, target: Dialect) -> dict[str, JSON]:
    """
    Return the options that a tool has for a provider; new containers.

    Raises:
        LoweringError: if the provider documents no such option, no such value, or not both of two.
    """
    rules = target.rules
    options: dict[str, JSON] = plain(dict(spec.provider_options.get(target.name, {})))
    documented = _documented(spec, target)
    for option, value in options.items():
        if option not in documented:
            known = ", ".join(sorted(documented)) or "none"
            raise _refuse(spec, target, f"{target.name} documents no tool option {option!r}; it documents {known}")
        values = {"strict": _STRICT, rules.group: _GROUP}.get(option) or rules.values.get(option, True)
        if problem := _first_problem(values, value):
            raise _refuse(spec, target, f"{target.name} does not take this {option}: {problem}")
    for one, other in (*rules.apart, *rules.apart_together):
        if options.get(one) and options.get(other):
            raise _refuse(spec, target, f"{target.name} takes {one} or {other}, not both; leave one out")
    return options


def _documented(spec: ToolSpec, target: Dialect) -> frozenset[str]:
    takes_text = spec.free_text is not None and target.wrap_text is not None
    own = target.text_options if takes_text else target.options
    group = target.rules.group
    return own | ({"strict"} if has_strict_mode(target.name) else set()) | ({group} if group else set())


def goes_strictly(options: Mapping[str, JSON], target: Dialect) -> bool:
    """Tell whether a provider takes a tool with these options in its strict mode."""
    return not any(
        option in options and _first_problem(values, options[option])
        for option, values in target.rules.strictly.items()
    )


def _first_problem(schema: JSON, value: JSON) -> str:
    return next(map(str, _compiled(json.dumps(schema))(value)), "")


@cache
def _compiled(schema: str) -> Callable[[JSON], tuple[Problem, ...]]:
    return compile_schema(json.loads(schema))


def _refuse(spec: ToolSpec, target: Dialect, complaint: str) -> LoweringError:
    return LoweringError(f"tool {spec.name!r}: {complaint}", tool=spec.name, provider=target.name)


# --- with what was lowered ----------------------------------------------------


def sent_options(spec: ToolSpec, target: Dialect, lowered: Lowered) -> dict[str, JSON]:
    """
    Return what is sent beside name, description and parameters.

    Examples are said in the words of the lowered schema. What the tool returns goes by itself where the provider has a
    place for it, unless an option says otherwise.

    Raises:
        LoweringError: as `checked_options` does; if an example does not fit the declared schema; or if the options do
            not go with strictness.
    """
    rules, options = target.rules, checked_options(spec, target)
    if lowered.strict and not goes_strictly(options, target):
        given = " or ".join(sorted(rules.strictly.keys() & options.keys()))
        complaint = f"{target.name} takes this {given} or strict, not both; leave one out"
        raise _refuse(spec, target, complaint)
    if rules.examples in options:
        options[rules.examples] = [_example(spec, target, lowered, i) for i in range(len(options[rules.examples]))]
    for ours in ("strict", rules.group, rules.behind):
        options.pop(ours, None)
    return ({"strict": True} if lowered.strict else {}) | ({} if lowered.takes_text else _output(spec, rules)) | options


def _example(spec: ToolSpec, target: Dialect, lowered: Lowered, position: int) -> JSON:
    name = target.rules.examples
    example = spec.provider_options[target.name][name][position]
    if problem := _first_problem(emit(spec.parameters), example):
        raise _refuse(spec, target, f"{name}[{position}] does not fit the parameters: {problem}")
    return lowered.encode(example)


def _output(spec: ToolSpec, rules: Rules) -> dict[str, JSON]:
    schema = None if spec.output is None or not rules.output else emit(spec.output)
    if not isinstance(schema, dict):
        return {}
    if rules.output_kind == "object":
        return {rules.output: schema} if schema.get("type") == "object" else {}
    # a result that is cut is no JSON text
    return {rules.output: schema} if spec.result_limit is None and _has_no_text(schema, schema) else {}


def _has_no_text(schema: JSON, document: JSON, depth: int = 20) -> bool:
    """Tell whether a value of a schema is surely no text, as far as types say so."""
    match schema:
        case {"type": str() as word}:
            return word != "string"
        case {"type": [*words]}:
            return "string" not in words
        case {"anyOf": [*branches]} | {"oneOf": [*branches]} if depth:
            return all(_has_no_text(branch, document, depth - 1) for branch in branches)
        case {"$ref": str() as ref} if depth and (target := follow(document, ref)) is not MISSING:
            return _has_no_text(target, document, depth - 1)
        case _:
            return False


# --- over all tools of a request ----------------------------------------------


def in_group(tool: JSON, spec: ToolSpec, target: Dialect) -> JSON:
    """Put a tool into the group that its options name, if they do."""
    group = _option(spec, target, target.rules.group)
    return tool if group is None else {"type": NAMESPACE, **group, "tools": [tool]}


def grouped(tools: Iterable[JSON]) -> tuple[JSON, ...]:
    """Put groups of one name together, where the first of them stands; other tools stay as they are."""
    kept: dict[object, JSON] = {}
    for position, tool in enumerate(tools):
        is_group = isinstance(tool, dict) and tool.get("type") == NAMESPACE
        known = kept.setdefault(tool["name"] if is_group else position, tool)
        if known is not tool:
            known["tools"] += tool["tools"]
    return tuple(kept.values())


def behind(spec: ToolSpec, target: Dialect) -> tuple[JSON, ...]:
    """Return the elements that follow a tool because of its options; new containers."""
    option = target.rules.behind
    value = _option(spec, target, option)
    return () if value is None else ({option: plain(value)},)


def _option(spec: ToolSpec, target: Dialect, option: str) -> JSON:
    return spec.provider_options.get(target.name, {}).get(option)


def check_together(specs: Iterable[ToolSpec], target: Dialect) -> None:
    """
    Hold the options of all tools of a request beside each other.

    Raises:
        LoweringError: if more tools have one than the provider takes, two have such as it does not take together, one
            lasts longer than another before it, or a group is described in two ways.
    """
    specs = tuple(specs)
    groups: dict[str, JSON] = {}
    for spec in specs:
        group = _option(spec, target, target.rules.group)
        if group is not None and groups.setdefault(group["name"], group) != group:
            complaint = f"another tool describes the {NAMESPACE} {group['name']!r} otherwise; describe it in one way"
            raise _refuse(spec, target, complaint)
    for option, most in target.rules.most.items():
        having = _having(specs, target, option)
        if len(having) > most:
            counted = f"{target.name} takes {option} on {most} tools of a request, {len(having)} have it"
            msg = f"{counted}: {', '.join(spec.name for spec in having)}; remove it from some"
            raise LoweringError(msg, tool=having[most].name, provider=target.name)
    for (one, other), advice in target.rules.apart_together.items():
        left, right = _having(specs, target, one), _having(specs, target, other)
        if left and right:
            complaint = (
                f"{target.name} does not take {one} in a request where tools have {other}, as {right[0].name!r} has"
            )
            raise _refuse(left[0], target, f"{complaint}; {advice}")
    for option, key in target.rules.lasting.items():
        _check_times(_having(specs, target, option), target, option, key)


def _having(specs: Iterable[ToolSpec], target: Dialect, option: str) -> list[ToolSpec]:
    return [spec for spec in specs if _option(spec, target, option) not in (None, False)]


def _check_times(specs: list[ToolSpec], target: Dialect, option: str, key: str) -> None:
    times = [TIMES.index(_option(spec, target, option).get(key, USUAL_TIME)) for spec in specs]
    for (before, time), (spec, next_) in itertools.pairwise(zip(specs, times, strict=True)):
        if next_ < time:
            complaint = f"its {option} holds for {TIMES[next_]}, longer than that of {before.name!r} before it"
            raise _refuse(
                spec, target, f"{complaint}, which {target.name} does not take; offer it first, or give both one {key}"
            )
