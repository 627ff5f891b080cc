"""Reading what authors wrote for people: docstrings in every common style, and the texts of the fields of a class."""

from ._docstring import Docstring, read_docstring
from ._fields import field_docs, written_doc
from ._types import named_type

__all__ = ["Docstring", "field_docs", "named_type", "read_docstring", "written_doc"]
