"""What one parameter of a signature comes to: its name for the model, its schema, its default, or why it has none."""

import types
import typing
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import attrs

from prismpy.docstrings import Docstring, named_type
from prismpy.messages import RunContext
from prismpy.schema import JSON, MISSING, Missing, Schema, annotated
from prismpy.types import (
    ANY,
    Form,
    NoJSONFormError,
    Notes,
    Reader,
    Unevaluable,
    UnresolvedFormError,
    is_annotated,
    read_notes,
    with_notes,
)

from ._signature import NOTHING, Parameter


@attrs.frozen
class Inferred:
    """A parameter as the signature and the docstring tell it."""

    parameter: Parameter
    name: str
    """As the model sees it."""

    node: Schema | None = None
    """Its schema under its name; None where its type has no JSON form, and for what the app fills in."""

    form: Form = Form(ANY)
    required: bool = False
    default: Any = NOTHING
    """What the handler gets if the parameter is left out; `NOTHING` where that is its own business."""

    fresh: Callable[[], Any] | None = None
    """Makes the default anew for each call."""

    injected: type | None = None
    """Class of what the app fills in; None for what the model does."""

    reason: str = ""
    """Why there is no JSON form."""

    unresolved: bool = False
    """Whether that is for a name that means nothing, or nothing yet."""

    note: str = ""
    """What could not be settled about the type."""


def infer(p: Parameter, doc: Docstring, reader: Reader) -> Inferred:
    """Bring together what annotation, default and docstring say about a parameter."""
    notes = _notes_of(p)
    own = _Default(p, notes)
    inferred = partial(Inferred, p, notes.name or p.name, required=own.missing, default=own.value, fresh=notes.default)
    kind = _injected_class(p.annotation, notes)
    if kind is not None:
        return inferred(injected=kind)
    reader.lost = {}
    try:
        annotation, note = _annotation_of(p, doc, own.value)
        form = reader.form(annotation)
    except NoJSONFormError as error:
        return inferred(reason=str(error), unresolved=isinstance(error, UnresolvedFormError))
    form = form if is_annotated(p.annotation) else with_notes(form, notes)
    described = notes.description or doc.parameters.get(p.name)
    node = annotated(form.schema, notes.name or p.name, described, own.json(reader))
    lost = "; ".join(f"{reason}, so it is left out of the type" for reason in reader.lost)
    return inferred(form=form, node=node, note=note or lost)


# --- defaults -----------------------------------------------------------------


def _notes_of(p: Parameter) -> Notes:
    """Read what stands beside the type, and pydantic's way to say it as the default."""
    beside = typing.get_args(p.annotation)[1:] if is_annotated(p.annotation) else ()
    return read_notes([*beside, p.default]) if type(p.default).__name__ == "FieldInfo" else read_notes(beside)


_MADE_BY_FACTORY: Final = frozenset({"_HAS_DEFAULT_FACTORY_CLASS"})
"""Classes of the marks that constructors of dataclasses have for a default that a factory makes."""


class _Default:
    """The default of a parameter, wherever it is given."""

    def __init__(self, p: Parameter, notes: Notes) -> None:
        made = p.default is attrs.NOTHING or type(p.default).__name__ in _MADE_BY_FACTORY
        given = NOTHING if made or type(p.default).__name__ == "FieldInfo" else p.default
        self.missing = given is NOTHING and notes.default is None and not p.optional and not made
        self.value = notes.default() if given is NOTHING and notes.default is not None else given

    def json(self, reader: Reader) -> JSON | Missing:
        """Return it as JSON; `MISSING` where it has no such form."""
        try:
            return MISSING if self.value is NOTHING else reader.dump(self.value)
        except NoJSONFormError:
            return MISSING


# --- types --------------------------------------------------------------------

_TELLING: Final = (bool, int, float, str, list, dict, tuple, set, frozenset)
"""Classes whose instances, as defaults, tell the type of a parameter without annotation."""


def _annotation_of(p: Parameter, doc: Docstring, default: Any) -> tuple[Any, str]:
    """Choose the type of a parameter, and say what is unknown about it."""
    if p.annotation is not NOTHING:
        return _or_none(p.annotation, default), ""
    named = named_type(doc.types.get(p.name, ""))
    if named is not NotImplemented and _admits(named, default):
        return _or_none(named, default), ""
    if type(default) in _TELLING:
        return type(default), ""
    return Any, "its type is unknown, so any value is accepted"


def _or_none(annotation: Any, default: Any) -> Any:
    """Take `x: int = None` as what it means, not what it spells."""
    if default is not None or annotation is Any or not hasattr(annotation, "__or__"):
        return annotation
    try:
        return annotation | None
    except TypeError:  # such as the arguments of a ParamSpec, which are in no union
        return annotation


def _admits(annotation: Any, default: Any) -> bool:
    """Tell whether a default is of the type that the docstring names; if not, the docstring is not to be relied on."""
    plain = isinstance(annotation, type) and annotation is not Any and typing.get_origin(annotation) is None
    if default is NOTHING or default is None or not plain:
        return default is NOTHING or default is None or default in (typing.get_args(annotation) or (default,))
    return isinstance(default, (int, float) if annotation is float else annotation)


_PLAIN: Final = [NOTHING, str, int, float, bool, Any]
"""The commonest types, none of which the app fills in."""


def _injected_class(annotation: Any, notes: Notes) -> type | None:
    """Return the class of a parameter that the app fills, by its type or its mark, never by its name."""
    if annotation in _PLAIN and not notes.injected:
        return None
    parts = _parts(annotation)
    kinds = [part for part in parts if isinstance(part, type) and part not in (type(None), Any)]
    if notes.injected and not any(isinstance(part, Unevaluable) for part in parts):
        return kinds[0] if kinds else object
    return next((kind for kind in kinds if issubclass(kind, RunContext)), None)


def _parts(annotation: Any) -> list[Any]:
    """Take `Annotated` and unions apart, down to classes."""
    if is_annotated(annotation):
        return _parts(typing.get_args(annotation)[0])
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return [part for member in typing.get_args(annotation) for part in _parts(member)]
    return [typing.get_origin(annotation) or annotation]
