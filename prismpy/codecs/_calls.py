"""Ids and arguments of calls, where providers send or take them in odd ways."""

import json
from hashlib import sha256

from prismpy.schema import UnreadableError, decode

_LONGEST_ID = 64
"""Characters. Source: OpenAI API description 2.3.0, `FunctionCallOutputItemParam.call_id` (read 2026-11)."""


def own_id(sent: object, slot: int, taken: set[str]) -> str:
    """
    Return an id for a call that no earlier call of its turn bears. A stream knows no more than those.

    Args:
        sent: What the provider sent; kept where it is text that is not taken.

        slot: Place of the call among the pieces of its turn, so that a stream and a whole answer give one id.

        taken: The ids of the calls before; the new one is added.
    """
    known = sent if isinstance(sent, str) else ""
    return _free(known if known and known not in taken else f"{known or 'call'}_{slot}", taken)


def sent_id(id: str, taken: set[str]) -> str:
    """
    Return what to call a call in a request: its id, where it is of a length that is taken and names no earlier call.

    Args:
        id: Of the call in the history.

        taken: What calls before it in the request are called; the new one is added.
    """
    return _free(id if 0 < len(id) <= _LONGEST_ID else f"call_{sha256(id.encode()).hexdigest()[:32]}", taken)


def _free(wanted: str, taken: set[str]) -> str:
    own, number = wanted, 1
    while own in taken:
        number += 1
        own = f"{wanted[: _LONGEST_ID - 8]}_{number}"
    taken.add(own)
    return own


def is_object(text: str) -> bool:
    """Tell whether a text is a JSON object that everybody reads alike."""
    try:
        return isinstance(decode(text), dict)
    except UnreadableError:
        return False


def json_arguments(text: str) -> str:
    """Return arguments as the text of an object: as they are, `{}` for none, and what is no object wrapped in one."""
    if is_object(text):
        return text
    return json.dumps({"INVALID_JSON": text}, ensure_ascii=False) if text.strip() else "{}"
