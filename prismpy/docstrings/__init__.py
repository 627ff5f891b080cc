"""Reading what authors wrote for people: docstrings in every common style, and the texts of the fields of a class."""

from ._docstring import Docstring, read_docstring
from ._fields import field_docs

__all__ = ["Docstring", "field_docs", "read_docstring"]
