"""What the nodes have in common: fields, checks, and how they are shown."""

from collections.abc import Mapping
from typing import Any, ClassVar

import attrs

from prismpy.errors import DefinitionError

from ._json import JSON, MISSING, Missing, canonical, cut, plain
from ._keywords import KEYWORDS, WORDS, Keyword, fits


def refused(node: Any, keyword: str, found: Any, advice: str) -> DefinitionError:
    msg = f"{type(node).__name__} {node.name!r}: {keyword} is {cut(repr(found))}; {advice}"
    return DefinitionError(msg, path=f"$.{keyword}")


def plain_or_missing(value: JSON | Missing) -> JSON | Missing:
    return value if value is MISSING or value is None or type(value) in (str, int, bool) else plain(value)


def compact_repr(value: Any) -> str:
    """Show an attrs value by the fields that say something: set, and not at their default."""
    fields = sorted(attrs.fields(type(value)), key=lambda field: field.kw_only)
    pairs = [(field, getattr(value, field.name)) for field in fields]
    silent: tuple[Any, ...] = (None, "", MISSING, (), {})
    shown = [f"{field.name}={item!r}" for field, item in pairs if item is not field.default and item not in silent]
    return f"{type(value).__name__}({', '.join(shown)})"


@attrs.frozen(repr=False, slots=False)
class SchemaNode:
    """What all nodes but `RawSchema` share. Not a node itself: see `Schema` for the closed union."""

    TYPE: ClassVar[str] = ""
    """The word that `type` has in JSON; "" for nodes without one of their own."""

    _keywords: ClassVar[tuple[tuple[str, Keyword], ...]]
    """The fields that stand for keywords."""

    _checked: ClassVar[tuple[tuple[str, Keyword], ...]]
    """Those of them that the constructor checks."""

    default: JSON | Missing = attrs.field(default=MISSING, converter=plain_or_missing, eq=canonical, kw_only=True)
    """Value taken when the property is left out, as JSON; `MISSING` where there is none."""

    examples: JSON | Missing = attrs.field(default=MISSING, converter=plain_or_missing, eq=canonical, kw_only=True)
    """List of example values, as JSON; `MISSING` where there are none."""

    extra: Mapping[str, JSON] = attrs.field(factory=dict, converter=plain, eq=canonical, kw_only=True)
    """Keywords without a field of their own, as plain JSON: `title`, `const`, `oneOf`, `$defs`, `x-...`."""

    @classmethod
    def __attrs_init_subclass__(cls) -> None:
        fields = attrs.fields_dict(cls)
        cls._keywords = tuple((name, keyword) for name, keyword in KEYWORDS.items() if name in fields)
        cls._checked = tuple((name, keyword) for name, keyword in cls._keywords if keyword.kind in WORDS)

    def __attrs_post_init__(self) -> None:
        self._normalise()
        for attribute, keyword in self._checked:
            value = getattr(self, attribute)
            if value is not None and not fits(keyword.kind, value):
                raise refused(self, keyword.name, value, f"it must be {WORDS[keyword.kind]}")
        if "type" in self.extra and self.TYPE:
            raise refused(self, "type", self.extra["type"], "the class of the node says it; use another class")
        for attribute, keyword in self._keywords if self.extra else ():
            if keyword.name in self.extra and fits(keyword.kind, self.extra[keyword.name]):
                raise refused(self, keyword.name, self.extra[keyword.name], f"pass it as {attribute}, not in extra")

    def _normalise(self) -> None:
        """Bring fields that say the same thing in two ways into one form."""

    def __repr__(self) -> str:
        return compact_repr(self)


@attrs.frozen(repr=False, slots=False)
class NamedNode(SchemaNode):
    """A node whose arguments start with its name and description, as most do in Prism."""

    name: str = ""
    """Name of the property that the node describes; "" in nameless places."""

    description: str | None = None
    """Text for the model."""
