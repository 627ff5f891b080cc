"""The way from values to JSON, step by step, by their class."""

import collections.abc
import json
import math
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from prismpy.schema import JSON, MAX_DEPTH, cut

from ._errors import NoJSONFormError

Step: TypeAlias = Callable[[Any], Any]
"""Takes a value nearer to JSON."""


def dump(value: Any, step_of: Callable[[type], Step | None], otherwise: Callable[[Any], JSON] | None = None) -> JSON:
    """
    Turn a value into JSON, step by step, by its class.

    Args:
        value: Anything.

        step_of: Returns the step for the values of a class; None where what JSON knows tells it.

        otherwise: What to make of a value without a JSON form, NaN and the infinities among them.

    Raises:
        NoJSONFormError: for such a value, where `otherwise` is None.
    """
    if value is None or type(value) in _ATOMS:
        return value
    return _Dumper(step_of, otherwise or _refuse).dump(value)


_ATOMS: Final = frozenset({str, int, bool})
_SCALARS: Final = (str, int, float)


def _refuse(value: Any) -> JSON:
    msg = f"{cut(repr(value))} has no JSON form"
    raise NoJSONFormError(msg)


class _Dumper:
    """Dumps one value; what contains itself, or goes deeper than JSON should, has no form from there on."""

    def __init__(self, step_of: Callable[[type], Step | None], otherwise: Callable[[Any], JSON]) -> None:
        self._step_of = step_of
        self._otherwise = otherwise
        self._above: set[int] = set()  # ids of the values that the current one is in

    def dump(self, value: Any) -> JSON:
        kind = type(value)
        if value is None or kind in _ATOMS or (kind is float and math.isfinite(value)):
            return value
        if id(value) in self._above or len(self._above) > MAX_DEPTH:
            return self._otherwise(value)
        self._above.add(id(value))
        try:
            return self._dump(value, kind)
        finally:
            self._above.discard(id(value))

    def _dump(self, value: Any, kind: type) -> JSON:
        step = self._step_of(kind)
        if step is not None:
            try:
                nearer = step(value)
            except NoJSONFormError:
                if self._otherwise is _refuse:
                    raise
                return self._otherwise(value)
            return self.dump(nearer)
        # by the class, as a value may name another as its own
        if kind not in _SCALARS and (scalar := next((base for base in _SCALARS if issubclass(kind, base)), None)):
            return self.dump(scalar(value))  # a subclass without a rule of its own
        if issubclass(kind, collections.abc.Mapping):
            return {self._key(self.dump(key)): self.dump(item) for key, item in value.items()}
        if issubclass(kind, collections.abc.Set):
            return [self.dump(item) for item in in_order(value)]
        if issubclass(kind, collections.abc.Sequence) and not issubclass(kind, bytearray | memoryview):
            return [self.dump(item) for item in value]
        return self._otherwise(value)

    def _key(self, key: JSON) -> str:
        """Write a key as JSON writers do: 1 becomes "1", True "true", None "null"."""
        if isinstance(key, str):
            return key
        return json.dumps(key) if key is None or isinstance(key, bool | int | float) else str(self._otherwise(key))


def in_order(values: collections.abc.Set[Any]) -> list[Any]:
    """Sort a set where its items can be, so that equal sets give equal texts."""
    try:
        return sorted(values)
    except TypeError:
        return list(values)
