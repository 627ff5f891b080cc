"""
What stands behind an object that answers for what it does not have: a proxy, or a mock of `unittest.mock`.

Of a mock only that is known which it keeps of its spec: a signature, or the function that it spies on.
"""

import inspect
import sys
from typing import Any

from prismpy.types import attribute, is_a, is_made_up


def behind(handler: Any) -> Any:
    """Return what such an object passes calls on to; None if that is nobody knows what, and for all other objects."""
    if not is_made_up(handler):
        return None
    wrapped = attribute(handler, "__wrapped__")
    return attribute(handler, "_mock_wraps") if wrapped is None and is_mock(handler) else wrapped


def is_mock(handler: Any) -> bool:
    """Recognise the objects of `unittest.mock`, whose class says nothing about them."""
    mock = sys.modules.get("unittest.mock")
    return mock is not None and is_a(handler, mock.NonCallableMock)


def own_signature(handler: Any) -> inspect.Signature | None:
    """Return the signature that such an object keeps, of a mock that of its spec."""
    kept = [attribute(handler, "__signature__")]
    kept += [attribute(handler, "_spec_signature")] if is_mock(handler) else []
    return next((signature for signature in kept if is_a(signature, inspect.Signature)), None)


def own_name(handler: Any) -> str:
    """Return what such an object is called, "" if it has no name of its own."""
    named = [attribute(handler, "__name__")]
    if is_mock(handler):  # an AsyncMock is called by its class unless it is renamed
        named = [*(name for name in named if name != type(handler).__name__), attribute(handler, "_mock_name")]
    return next((name for name in named if is_a(name, str)), "")
