"""A look at tools before a model has one: what is refused, lost or said badly, what it costs, what has changed."""

from ._align import Row, align
from ._finding import RULES, Finding
from ._lock import changes_since, snapshot
from ._offered import Offered, offered
from ._review import Review, review
from ._size import Size, estimate_tokens

__all__ = [
    "RULES",
    "Finding",
    "Offered",
    "Review",
    "Row",
    "Size",
    "align",
    "changes_since",
    "estimate_tokens",
    "offered",
    "review",
    "snapshot",
]
