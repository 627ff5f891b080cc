"""Vectors of meaning: of length 1, so that the cosine of two is their product; stored as 32-bit floats."""

import array
import math
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import mul
from typing import TypeAlias

from prismpy.errors import StoreError

Embed: TypeAlias = Callable[[Sequence[str]], Sequence[Sequence[float]]]
"""Gives the meaning of texts: for each a vector, all of one length, longer in the direction of similar texts."""


def vectors_of(embed: Embed, texts: Sequence[str]) -> list[list[float]]:
    """
    Return the meaning of texts as vectors of length 1.

    Raises:
        StoreError: if what the function gives is no such thing.

        Exception: what the function raises.
    """
    vectors = [list(map(float, vector)) for vector in embed(texts)]
    lengths = {len(vector) for vector in vectors}
    if len(vectors) != len(texts) or len(lengths) > 1 or 0 in lengths:
        msg = (
            f"the embedding function gave {len(vectors)} vectors of lengths {sorted(lengths)} for {len(texts)} texts; "
            "it must give one for each, all of one length"
        )
        raise StoreError(msg)
    return [_unit(vector) for vector in vectors]


def _unit(vector: list[float]) -> list[float]:
    length = math.hypot(*vector)
    if not math.isfinite(length) or length == 0:
        msg = f"the embedding function gave a vector of length {length}; it must be a number other than 0"
        raise StoreError(msg)
    return [number / length for number in vector]


def pack(vector: Sequence[float]) -> bytes:
    """Write a vector as 32-bit floats, the lowest byte first, as sqlite-vec does."""
    return _ordered(array.array("f", vector)).tobytes()


def unpack(packed: bytes) -> "array.array[float]":
    """Undo `pack`."""
    numbers = array.array("f")
    numbers.frombytes(packed)
    return _ordered(numbers)


def _ordered(numbers: "array.array[float]") -> "array.array[float]":
    if sys.byteorder == "big":  # pragma: no cover  # no such machine runs the tests
        numbers.byteswap()
    return numbers


_last = lru_cache(maxsize=1)(unpack)
"""For the vector that many others are compared with, one after the other."""


def similarity(packed: bytes, wanted: bytes) -> float:
    """Return the cosine of two packed vectors, -1 to 1."""
    product: float = sum(map(mul, unpack(packed), _last(wanted)))
    return product
