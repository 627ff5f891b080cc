"""Where two JSON values differ."""

from collections.abc import Iterator
from typing import Any

import attrs

from ._json import JSON, MISSING, Missing, canonical, step


@attrs.frozen
class Difference:
    """A place where two JSON values differ, and what stands there in each."""

    path: str
    """JSON Path."""

    before: JSON | Missing
    """`MISSING` where it came later."""

    after: JSON | Missing
    """`MISSING` where it is gone. The same as before in another order where only the order of keys differs."""


def differences(before: Any, after: Any, path: str = "$") -> Iterator[Difference]:
    """
    Find where two JSON values differ, the outermost places of those within each other.

    The order of keys counts: models read it, and caches do. Lists of unequal length differ as a whole.

    Args:
        before: JSON, or `MISSING`.

        after: JSON, or `MISSING`.

        path: JSON Path of both.
    """
    match before, after:
        case dict(), dict():
            for key in dict.fromkeys([*before, *after]):
                yield from differences(before.get(key, MISSING), after.get(key, MISSING), step(path, key))
            if before.keys() == after.keys() and list(before) != list(after):
                yield Difference(path, before, after)
        case list(), list() if len(before) == len(after):
            for position, (old, new) in enumerate(zip(before, after, strict=True)):
                yield from differences(old, new, step(path, position))
        case _ if canonical(before) != canonical(after):
            yield Difference(path, before, after)
