"""
A snapshot of what models are told, to be kept with the code, and what has changed since.

It holds what was declared, and per provider what goes out, plainly and strictly.
An export repeats most of what was declared; in the snapshot a name in angle
brackets stands for that, so that a change shows up once in a review.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from prismpy.errors import DefinitionError
from prismpy.lowering import has_strict_mode, known_providers
from prismpy.schema import JSON, MISSING, Difference, Missing, cut, differences, emit
from prismpy.tools import ToolSpec

from ._finding import Finding, merged
from ._offered import TOGETHER, Offered, offered

FORMAT: Final = 1
"""Number of the form that snapshots have."""


def snapshot(specs: Iterable[ToolSpec], providers: Iterable[str] = ()) -> JSON:
    """
    Write down what models are told of tools.

    Args:
        specs: Complete tools.

        providers: Names in the table of dialects; none for all.

    Returns:
        `{"prismpy_lock": 1, "providers": [name], "tools": {name: {"description", "parameters", "output", "exports":
        {"openai": tool, "openai strict": tool, ...}}}}`, tools and providers by name. In an export, `<name>`,
        `<description>` and `<parameters>` stand for what was declared; of a tool that a provider does not take it is
        `{"refused": why}`.

    Raises:
        UnknownProviderError: if a provider is none.

        DefinitionError: if two tools have the same name.
    """
    specs = sorted(specs, key=lambda spec: spec.name)
    asked = sorted(set(providers) or known_providers())
    offers = {key: offered(specs, provider, strict=strict) for key, provider, strict in _modes(asked)}
    tools = {spec.name: _declared(spec) | {"exports": dict(_exports(spec, offers))} for spec in specs}
    return {"prismpy_lock": FORMAT, "providers": asked, "tools": tools}


def changes_since(lock: JSON, specs: Iterable[ToolSpec]) -> tuple[Finding, ...]:
    """
    Compare tools with an earlier snapshot, for the providers that are in it.

    Args:
        lock: What `snapshot` returned.

        specs: Complete tools.

    Returns:
        What was `added`, `removed` and `changed`, by tool. Where what was declared has changed, what is exported is
        told by the names of the providers only.

    Raises:
        DefinitionError: if the lock is no snapshot, or one in another form; or as `snapshot` does.

        UnknownProviderError: if it names a provider that is none.
    """
    match lock:
        case {"prismpy_lock": 1, "providers": [*providers], "tools": dict() as before}:
            after = snapshot(specs, providers)["tools"]
        case _:
            msg = f"this is no snapshot in form {FORMAT}: {cut(json.dumps(lock))}; write a new one"
            raise DefinitionError(msg)
    return merged(
        finding
        for name in sorted(before.keys() | after.keys())
        for finding in _compared(name, before.get(name, MISSING), after.get(name, MISSING))
    )


def _declared(spec: ToolSpec) -> dict[str, JSON]:
    output = {} if spec.output is None else {"output": emit(spec.output)}
    return {"description": spec.description, "parameters": emit(spec.parameters), **output}


def _modes(providers: Iterable[str]) -> Iterator[tuple[str, str, bool]]:
    """Give key, provider and strictness of each way to tell a tool."""
    for provider in providers:
        yield provider, provider, False
        if has_strict_mode(provider):
            yield f"{provider} strict", provider, True


def _exports(spec: ToolSpec, offers: Mapping[str, Offered]) -> Iterator[tuple[str, JSON]]:
    declared = {"name": spec.name, **_declared(spec)}
    for key, offer in offers.items():
        if spec.name in offer.tools:
            yield key, _marked(offer.tools[spec.name], declared)
        else:
            yield key, {"refused": offer.refused.get(spec.name) or offer.refused[TOGETHER]}


def _marked(value: JSON, declared: Mapping[str, JSON], key: str = "") -> JSON:
    """Put marks in the place of what was declared, wherever an export repeats it."""
    for word, said in declared.items():
        if (key == word or not isinstance(said, str)) and _is_same(value, said):
            return f"<{word}>"
    if isinstance(value, list):
        return [_marked(item, declared) for item in value]
    return {name: _marked(item, declared, name) for name, item in value.items()} if isinstance(value, dict) else value


# --- what has changed ---------------------------------------------------------


def _compared(name: str, before: JSON | Missing, after: JSON | Missing) -> Iterator[Finding]:
    if before is MISSING or after is MISSING:
        yield Finding("added" if before is MISSING else "removed", name, "", "the tool")
        return
    declared = [_told(each) for each in differences(_without_exports(before), _without_exports(after))]
    for rule, path, message in declared:
        yield Finding(rule, name, path, message)
    old, new = before.get("exports", {}), after["exports"]
    different = [key for key in sorted(old.keys() | new.keys()) if not _is_same(old.get(key), new.get(key))]
    if declared and different:
        yield Finding("changed", name, "", "so did what is exported", tuple(different))
    for key in () if declared else different:
        for rule, path, message in map(_told, differences(old.get(key, MISSING), new.get(key, MISSING))):
            yield Finding(rule, name, path, message, (key,))


def _without_exports(tool: JSON) -> JSON:
    return {key: value for key, value in tool.items() if key != "exports"}


def _is_same(before: JSON, after: JSON) -> bool:
    return json.dumps(before) == json.dumps(after)  # the order of keys counts: models read it, and caches do


def _told(difference: Difference) -> tuple[str, str, str]:
    """Give rule, JSON Path and words for a difference."""
    before, after = difference.before, difference.after
    match before, after:
        case Missing(), _:
            return "added", difference.path, _shown(after)
        case _, Missing():
            return "removed", difference.path, _shown(before)
        case dict(), dict():
            return "changed", difference.path, f"the order {', '.join(before)} -> {', '.join(after)}"
        case _:
            return "changed", difference.path, f"{_shown(before)} -> {_shown(after)}"


def _shown(value: JSON) -> str:
    return cut(json.dumps(value, ensure_ascii=False))
