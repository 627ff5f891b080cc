"""Compiling tools to what providers take: tables of facts, the rewriting of schemas with its inverse, the export."""

from ._changes import Change, counted
from ._dialects import Dialect, dialect, known_providers
from ._export import Strict, export
from ._lower import Lowered, OnLoss, has_strict_mode, lower
from ._offer import Offer, offer

__all__ = [
    "Change",
    "Dialect",
    "Lowered",
    "Offer",
    "OnLoss",
    "Strict",
    "counted",
    "dialect",
    "export",
    "has_strict_mode",
    "known_providers",
    "lower",
    "offer",
]
