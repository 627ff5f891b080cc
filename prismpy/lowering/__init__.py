"""Compiling tools to what providers take: tables of facts, the rewriting of schemas with its inverse, the export."""

from ._changes import Change, counted
from ._dialects import Dialect, dialect, known_providers, register_dialect, strict_providers
from ._export import Strict, explain, export, lower_as_sent
from ._lower import Lowered, OnLoss, has_strict_mode, lower
from ._names import Names
from ._offer import Offer, offer
from ._subset import Limits, Request, Root, Subset

__all__ = [
    "Change",
    "Dialect",
    "Limits",
    "Lowered",
    "Names",
    "Offer",
    "OnLoss",
    "Request",
    "Root",
    "Strict",
    "Subset",
    "counted",
    "dialect",
    "explain",
    "export",
    "has_strict_mode",
    "known_providers",
    "lower",
    "lower_as_sent",
    "offer",
    "register_dialect",
    "strict_providers",
]
