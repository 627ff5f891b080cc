"""
References by name, said as JSON Pointers.

Source: JSON Schema 2020-12 Core, sections 8.2.1 (`$id`), 8.2.2 (`$anchor`) and 9.2 (references).
"""

import json
from collections.abc import Iterator

from ._json import JSON, MISSING, step
from ._names import free_name
from ._scopes import NAMES, base_of, escaped, joined, settled
from ._walk import follow, inner_schemas, map_subschemas, place, unescaped


def pointed(document: JSON) -> JSON:
    """
    Say every reference of a document as `#` and a JSON Pointer, and drop the names that are not needed any more.

    Args:
        document: A schema of the newest draft, whole. It is not touched.

    Returns:
        A schema that accepts the same values. A reference that leads out of the document stays as it is.
    """
    text = json.dumps(document)
    if '"$dynamicRef"' in text:
        return settled(document)
    if not any(f'"{word}"' in text for word in ("$ref", "$id", *NAMES)):
        return document
    targets: dict[str, str] = {}
    _collect(document, "", "", targets)
    return hoisted(_pointed(document, "", targets))


def hoisted(document: JSON) -> JSON:
    """
    Copy schemas that only references find, since they stand where no keyword wants a schema, to `$defs`.

    Returns:
        A document whose references lead to where a walk by position comes; the same one where they do already.
    """
    seen = {keys for keys, _ in _positions(document)}
    names: dict[tuple[str, ...], str] = {}
    found: dict[str, JSON] = {}
    todo = [document]
    while todo:
        for _, node in _positions(todo.pop()):
            ref = node.get("$ref") if isinstance(node, dict) else None
            keys = _keys(ref)
            if keys is None or keys in seen or (target := follow(document, str(ref))) is MISSING:
                continue
            seen.add(keys)
            names[keys] = free_name(keys[-1] if keys else "root", {*document.get("$defs", ()), *found})
            found[names[keys]] = target
            todo.append(target)
    if not found:
        return document
    whole = {**document, "$defs": {**document.get("$defs", {}), **found}}
    return _renamed(whole, names)


def _positions(schema: JSON, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], JSON]]:
    """Go through a schema and all in it, each with the keys that lead there."""
    yield keys, schema
    for keyword, key, inner in inner_schemas(schema):
        yield from _positions(inner, (*keys, keyword) if key is None else (*keys, keyword, str(key)))


def _keys(ref: JSON) -> tuple[str, ...] | None:
    """Return the keys that a JSON Pointer consists of; None for what is none."""
    if not isinstance(ref, str) or not (ref == "#" or ref.startswith("#/")):
        return None
    return tuple(map(unescaped, ref.split("/")[1:]))


def _renamed(schema: JSON, names: dict[tuple[str, ...], str]) -> JSON:
    if isinstance(schema, dict) and (keys := _keys(schema.get("$ref"))) in names and keys is not None:
        schema = {**schema, "$ref": f"#/$defs/{escaped(names[keys])}"}
    return map_subschemas(schema, lambda inner, _: _renamed(inner, names))


def references(schema: JSON, base: str, path: str = "$") -> Iterator[tuple[str, str, str]]:
    """
    Go through the references of a document.

    Args:
        schema: Of the newest draft, or near enough: names stand in `$id`.

        base: The document's own name, "" where it has none.

        path: JSON Path of the schema.

    Returns:
        Each with its path, as it stands there, and by its absolute name.
    """
    if not isinstance(schema, dict):
        return
    base = base_of(schema, base)
    for keyword in ("$ref", "$dynamicRef"):
        if isinstance(ref := schema.get(keyword), str):
            yield step(path, keyword), ref, joined(base, ref)
    for keyword, key, inner in inner_schemas(schema):
        yield from references(inner, base, place(path, keyword, key))


def _collect(schema: JSON, pointer: str, base: str, targets: dict[str, str]) -> None:
    """Note the pointer of every absolute name in a schema."""
    if not isinstance(schema, dict):
        return
    if (own := base_of(schema, base)) != base or not pointer:
        base, targets[own] = own, pointer
    for keyword in NAMES:
        if isinstance(schema.get(keyword), str):
            targets[f"{base}#{schema[keyword]}"] = pointer
    for keyword, key, inner in inner_schemas(schema):
        here = f"{pointer}/{keyword}" if key is None else f"{pointer}/{keyword}/{escaped(str(key))}"
        _collect(inner, here, base, targets)


def _pointed(schema: JSON, base: str, targets: dict[str, str]) -> JSON:
    if not isinstance(schema, dict):
        return schema
    base = base_of(schema, base)
    named = {keyword: value for keyword, value in schema.items() if keyword not in {"$id", *NAMES}}
    new = map_subschemas(named, lambda inner, _: _pointed(inner, base, targets))
    if isinstance(ref := new.get("$ref"), str):
        new["$ref"] = _pointer(joined(base, ref), ref, targets)
    return new


def _pointer(name: str, ref: str, targets: dict[str, str]) -> str:
    if name in targets:
        return f"#{targets[name]}"
    url, _, fragment = name.partition("#")
    known = url in targets and (not fragment or fragment.startswith("/"))
    return f"#{targets[url]}{fragment}" if known else ref
