"""What one parameter of a signature comes to: its name for the model, its schema, its default, or why it has none."""

import enum
import typing
from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple, Union

from prismpy.docstrings import Docstring, named_type
from prismpy.errors import DefinitionError, OpaqueError, UnresolvedError
from prismpy.messages import RunContext
from prismpy.schema import Schema, annotated
from prismpy.types import (
    ANY,
    NO_DEFAULT,
    NO_NOTES,
    Form,
    NoJSONFormError,
    Notes,
    OpaqueFormError,
    Reader,
    Unevaluable,
    UnresolvedFormError,
    default_of,
    is_a,
    is_annotated,
    is_class,
    is_union,
    maker_of,
    read_notes,
    with_notes,
)

from ._given import NOTHING
from ._signature import Parameter


class Inferred(NamedTuple):  # made in half the time of an attrs value, for each parameter of each tool
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
    """Makes the default for each call, where it may be changed, or has to be converted."""

    injected: type | None = None
    """Class of what the app fills in; None for what the model does."""

    reason: str = ""
    """Why there is no JSON form."""

    refusal: type[DefinitionError] = DefinitionError
    """What refuses the tool for it, if the parameter cannot be left out."""

    note: str = ""
    """What could not be settled about the type."""


def infer(p: Parameter, doc: Docstring, reader: Reader) -> Inferred:
    """Bring together what annotation, default and docstring say about a parameter."""
    notes = _notes_of(p)
    name = notes.name or p.name
    missing, default = _default_of(p, notes)
    kind = _injected_class(p.annotation, notes)
    if kind is not None:
        if missing and type(None) in _parts(p.annotation):  # it can do without, but not be left out
            missing, default = False, None
        return Inferred(p, name, required=missing, default=default, injected=kind, reason="no model can fill it")
    if reader.remarks:
        reader.remarks = {}
    try:
        annotation, note = _annotation_of(p, doc, default)
        form = reader.form(annotation)
    except NoJSONFormError as error:
        refusal = _REFUSALS.get(type(error), DefinitionError)
        fresh = notes.default or maker_of(default, reader)
        return Inferred(p, name, None, Form(ANY), missing, default, fresh, reason=str(error), refusal=refusal)
    if notes is not NO_NOTES and not is_annotated(p.annotation):
        form = with_notes(form, notes)
    told = NOTHING if _is_mark(default, p.annotation) else default
    left_out = NO_DEFAULT if told is NOTHING else default_of(told, annotation, form, reader)
    node = annotated(form.schema, name, notes.description or doc.parameters.get(p.name), left_out.json)
    note = note or "; ".join(reader.remarks)
    fresh = left_out.make if notes.default is None or left_out.converts else notes.default
    return Inferred(p, name, node, form, missing, default, fresh, note=note)


_REFUSALS: Final = {OpaqueFormError: OpaqueError, UnresolvedFormError: UnresolvedError}
"""Why a type has no JSON form to what refuses a tool for it."""


# --- defaults -----------------------------------------------------------------


def _notes_of(p: Parameter) -> Notes:
    """Read what stands beside the type, and pydantic's way to say it as the default."""
    beside = typing.get_args(p.annotation)[1:] if is_annotated(p.annotation) else ()
    if type(p.default).__name__ == "FieldInfo":
        beside = (*beside, p.default)
    return read_notes(beside) if beside else NO_NOTES


_SAYING_NOTHING: Final = frozenset({"FieldInfo", "_HAS_DEFAULT_FACTORY_CLASS", "_Nothing"})
"""Classes of defaults that stand for others: pydantic's, and marks that dataclasses and attrs have for what is made."""


def _default_of(p: Parameter, notes: Notes) -> tuple[bool, Any]:
    """Tell whether the parameter must be given, and what it is where it is not; `NOTHING` where nobody can say."""
    made = type(p.default).__name__
    if p.default is not NOTHING and made not in _SAYING_NOTHING:
        return False, p.default
    if notes.default is not None:
        return False, notes.default()
    return made in ("type", "FieldInfo") and not p.optional, NOTHING


def _is_mark(default: Any, annotation: Any) -> bool:
    """Recognise the only member of an enum that says that nothing was given: `int | Unset = Unset.TOKEN`."""
    return is_union(annotation) and is_a(default, enum.Enum) and len(type(default)) == 1


# --- types --------------------------------------------------------------------

_TELLING: Final = (bool, int, float, str, list, dict, tuple, set, frozenset)
"""Classes whose instances, as defaults, tell the type of a parameter without annotation."""


def _annotation_of(p: Parameter, doc: Docstring, default: Any) -> tuple[Any, str]:
    """Choose the type of a parameter, and say what is unknown about it."""
    if p.annotation is not NOTHING:
        return _or_none(_without_mark(p.annotation, default), default), ""
    named = named_type(doc.types.get(p.name, ""))
    if named is not NotImplemented and _admits(named, default):
        return _or_none(named, default), ""
    if type(default) in _TELLING:
        return type(default), ""
    return Any, "its type is unknown, so any value is accepted"


def _without_mark(annotation: Any, default: Any) -> Any:
    """Take a mark off a union: a model says that nothing is given by giving nothing."""
    if not _is_mark(default, annotation):
        return annotation
    rest = tuple(part for part in annotation.__args__ if part not in (type(default), Literal[default]))
    return Union[rest] if rest else annotation  # noqa: UP007  # of a tuple


def _or_none(annotation: Any, default: Any) -> Any:
    """Take `x: int = None` as what it means, not what it spells."""
    if default is not None or annotation is Any or type(None) in getattr(annotation, "__args__", ()):
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


def _injected_class(annotation: Any, notes: Notes) -> type | None:
    """Return the class of a parameter that the app fills, by its type or its mark, never by its name."""
    if is_class(annotation) and not notes.injected:
        return annotation if issubclass(annotation, RunContext) else None
    parts = _parts(annotation)
    kinds = [part for part in parts if is_class(part) and part not in (type(None), Any)]
    if notes.injected and not any(isinstance(part, Unevaluable) for part in parts):
        return kinds[0] if kinds else object
    return next((kind for kind in kinds if issubclass(kind, RunContext)), None)


def _parts(annotation: Any) -> list[Any]:
    """Take `Annotated` and unions apart, down to classes."""
    if is_class(annotation):
        return [annotation]
    if is_annotated(annotation):
        return _parts(annotation.__origin__)
    if is_union(annotation):
        return [part for member in annotation.__args__ for part in _parts(member)]
    return [getattr(annotation, "__origin__", annotation)]
