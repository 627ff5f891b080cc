"""
Repairing arguments that failed validation, by what the schema says and nothing else.

A value is touched only where the schema does not admit it as it is and admits
what it plainly stands for. Whether the repaired arguments are right is for the
next validation to say.
"""

import copy
import json
from typing import Final, TypeAlias

from prismpy.schema import JSON, MISSING, Place, UnreadableError, cut, decode, json_type, step

_Said: TypeAlias = list[str]
"""What was repaired so far; grows while the arguments are walked through."""


def coerce(place: Place, arguments: dict[str, JSON]) -> tuple[dict[str, JSON], tuple[str, ...]]:
    """
    Repair arguments where the schema leaves no doubt.

    * Text is taken for the number, the boolean or the container that it spells, where no text may stand. Words such as
      `"null"`, lists without brackets, cut-off JSON and text with blanks around a number are left alone.
    * 5.0 is taken for 5 where only integers may stand.
    * null for a property that may not be null is left out, or replaced by the schema's default if it is required.

    Args:
        place: What may stand in the arguments; references and unions are followed.

        arguments: What failed validation. Not touched.

    Returns:
        New arguments, and one sentence for each repair; no sentences if there was nothing to repair.
    """
    said: _Said = []
    try:
        return _repaired_object(arguments, place, "", said), tuple(said)
    except RecursionError:  # the validator has found that as well, and said so
        return arguments, ()


def _repaired(value: JSON, place: Place, path: str, said: _Said) -> JSON:
    kinds = place.kinds
    if isinstance(value, str) and "string" not in kinds:
        spelled = _spelled(value, kinds)
        if spelled is not MISSING:
            said.append(f"{path}: took the text {cut(json.dumps(value))} for the {json_type(spelled)} it spells")
            value = spelled
    elif isinstance(value, float) and value.is_integer() and "integer" in kinds and "number" not in kinds:
        said.append(f"{path}: took {value} for the integer it is")
        value = int(value)
    if isinstance(value, dict):
        return _repaired_object(value, place, path, said)
    if isinstance(value, list):
        meant = place.meant_for(value)
        return [_repaired(item, meant.item(i), step(path, i), said) for i, item in enumerate(value)]
    return value


_STARTS: Final = frozenset("-0123456789[{tTfF \t\n\r")
"""What a number, a boolean or a container begins with."""


def _spelled(text: str, kinds: frozenset[str]) -> JSON:
    """Return the value that a text spells, if it is of one of the kinds; else `MISSING`."""
    if text[:1] not in _STARTS:
        return MISSING
    if "boolean" in kinds and text.lower() in {"true", "false"}:
        return text.lower() == "true"
    try:
        value = decode(text)
    except UnreadableError:
        return MISSING
    exact = isinstance(value, dict | list) or text == text.strip()
    return value if value is not None and exact and json_type(value) in kinds else MISSING


def _repaired_object(value: dict[str, JSON], place: Place, path: str, said: _Said) -> dict[str, JSON]:
    meant = place.meant_for(value)
    repaired = {}
    for name, item in value.items():
        inner, here = meant.property(name), step(path, name)
        if item is None and "null" not in inner.kinds and meant.declares(name):
            default = meant.default(name)
            if not meant.requires(name):
                said.append(f"{here}: left out, since null is no value for it")
                continue
            if default is not MISSING:
                said.append(f"{here}: took its default, since null is no value for it")
                repaired[name] = copy.deepcopy(default)
                continue
        repaired[name] = _repaired(item, inner, here, said)
    return repaired
