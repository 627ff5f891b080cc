"""Compiling tools to what providers take: a table of dialects, and the export that reads it."""

from ._dialects import Dialect, dialect, known_providers
from ._export import export

__all__ = ["Dialect", "dialect", "export", "known_providers"]
