"""
Finding what a target holds: what should be a tool, under the name to type for it.

Importing is for `_imports`; whether a tool can be made of a thing is found out in `_contents`.
"""

import functools
import inspect
import types
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any, TypeAlias

import attrs

from prismpy.fluent import Tool, Toolbox
from prismpy.schema import nearest
from prismpy.tools import ToolSpec, needed_by

from ._imports import import_place, submodules
from ._listing import read_listing
from ._location import Location, location_of
from ._usage import UsageError, words


@attrs.frozen
class Found:
    """One thing that should be a tool."""

    name: str
    """What to write behind the colon to get it alone."""

    source: Any
    """What `Tool.make` takes, or the spec of a tool in a toolbox."""


@attrs.frozen
class Refused:
    """One thing that can be no tool."""

    name: str
    """Name of the tool, or where it has none, as in `Found`."""

    reason: str
    """Why, naming the parameter if it is one."""

    location: Location | None = None
    """Where its code stands; None where unknown."""

    @property
    def told(self) -> str:
        """The reason, and where the code stands."""
        return f"{self.reason} ({self.location})" if self.location else self.reason


Finding: TypeAlias = Found | Refused


@attrs.frozen
class Place:
    """A module, or a file with tools as JSON, that is opened once however often something is looked for in it."""

    name: str
    """As it was typed."""

    module: ModuleType | None
    """None for a JSON file."""

    def find(self, path: str) -> tuple[Finding, ...]:
        """
        Find what stands at a path, "" for all there is.

        Args:
            path: What stood behind the colon, which may be dotted; in a toolbox its parts are names of tools, in a list
                or tuple places, from 0.

        Returns:
            At least one, in order of definition: of a module that has tools those, of any other its public functions.

        Raises:
            UsageError: if there is no such thing, or nothing in it is meant to be a tool.
        """
        if self.module is None:
            return tuple(Found(name, tool) for name, tool in read_listing(self.name, path))
        found = tuple(_at(self.module, self.name, path.split(".")) if path else _in_module(self.module))
        if not found:
            names = submodules(self.module)
            advice = f"; look into its modules, such as {self.name}.{names[0]}" if names and not path else ""
            target = f"{self.name}:{path}" if path else self.name
            msg = f"{target} holds no tools: no Tool, no Toolbox and no public function{advice}"
            raise UsageError(msg)
        return found


def opened(target: str) -> tuple[Place, str]:
    """
    Open what a target names.

    Args:
        target: `module`, `module:object`, `file.py` or `file.py:object`; or `file.json` with tools as MCP or a request
            lists them, and `file.json:name` for one of them.

    Returns:
        The place before the colon, and what stands behind it; "" for nothing.

    Raises:
        UsageError: if the module cannot be imported.
    """
    place, path = _split(target)
    return Place(place, None if place.endswith(".json") else import_place(place)), path


def held(target: str) -> tuple[Any, ...]:
    """
    Return what a target names, whatever it is: the object behind the colon, or all that its module holds for others.

    Raises:
        UsageError: if there is no such thing.
    """
    place, path = _split(target)
    value: Any = import_place(place)
    if not path:
        return tuple(item for name, item in vars(value).items() if not name.startswith("_"))
    for part in path.split("."):
        value = _step(value, part, place)
    return (value,)


def _split(target: str) -> tuple[str, str]:
    r"""Cut a target at its last colon, unless that is the one of a drive: `C:\tools.py`."""
    place, colon, path = target.rpartition(":")
    if not colon or path.startswith(("\\", "/")):
        return target, ""
    if not place or not path:
        msg = f"{target!r} has nothing {'behind' if place else 'before'} its colon; write module:object"
        raise UsageError(msg)
    return place, path


# --- the way to an object -----------------------------------------------------


def _at(module: ModuleType, place: str, parts: list[str]) -> Iterator[Finding]:
    """Follow a dotted path from a module, and find what stands at its end."""
    value: Any = module
    for position, part in enumerate(parts):
        where = f"{place}:{'.'.join(parts[:position])}" if position else place
        owner, value = value, _step(value, part, where)
    path = ".".join(parts)
    if inspect.isclass(owner) and _needs_instance(owner, part):
        reason = f"parameter 'self': {path} needs an instance; make one in the module and name its {part}"
        yield Refused(path, reason, location_of(value))
    elif isinstance(value, ModuleType | Tool | ToolSpec | Toolbox | list | tuple) or _can_be_made(value):
        yield from _in_object(value, path)
    else:
        msg = (
            f"{place}:{path} is no tool, but of type {type(value).__name__}; name a tool, a function or a list of such"
        )
        raise UsageError(msg)


def _is(value: Any, *kinds: type) -> bool:
    """Tell whether a value is of a class without asking the value: proxies answer for what they have not loaded."""
    return issubclass(type(value), kinds)


def _step(owner: Any, part: str, where: str) -> Any:
    try:
        if isinstance(owner, Toolbox):
            return owner[part]
        if isinstance(owner, list | tuple) and part.isdecimal():
            return owner[int(part)]
        return getattr(owner, part)
    except (AttributeError, LookupError) as error:
        msg = f"{where} holds no {part!r}{nearest(part, _names_in(owner))}"
        raise UsageError(msg) from error
    except Exception as error:  # what a property raises, or a module that loads its names late
        msg = f"{where} does not give {part!r}: {words(error)}"
        raise UsageError(msg) from error


def _names_in(owner: Any) -> list[str]:
    if isinstance(owner, Toolbox):
        return [spec.name for spec in owner]
    return [name for name in dir(owner) if not name.startswith("_")]


def _needs_instance(owner: type, name: str) -> bool:
    """Tell whether what a class holds under a name is a method of its instances."""
    value = getattr(owner, name)
    return (
        inspect.isroutine(value)
        and not hasattr(value, "__self__")
        and not isinstance(inspect.getattr_static(owner, name, None), staticmethod)
        and "." in getattr(value, "__qualname__", "").rpartition("<locals>.")[2]
    )


def _can_be_made(value: Any) -> bool:
    return callable(value) or any(
        isinstance(getattr(value, name, None), Mapping) for name in ("inputSchema", "input_schema")
    )


def _in_object(value: Any, path: str, above: tuple[Any, ...] = ()) -> Iterator[Finding]:
    match value:
        case list() | tuple() if any(value is one for one in above):
            yield Refused(path, "the list contains itself")
        case Toolbox():
            yield from (Found(f"{path}.{spec.name}", spec) for spec in value)
        case list() | tuple():
            for position, item in enumerate(value):
                yield from _in_object(item, f"{path}.{position}", (*above, value))
        case ModuleType():
            yield from _in_module(value, f"{path}.")
        case type() if issubclass(value, Tool):
            yield _subclass(value, path)
        case _:
            yield Found(path, value)


# --- in a module --------------------------------------------------------------


def _in_module(module: ModuleType, prefix: str = "") -> Iterator[Finding]:
    exported = _exported(module)
    values, unread = _public(module, exported or ())
    tools = list(_tools(values, module))
    functions = [] if any(isinstance(one, Found) for one in tools) else _functions(values, module, exported)
    for one in (*tools, *functions, *unread):
        yield attrs.evolve(one, name=prefix + one.name)


def _exported(module: ModuleType) -> tuple[str, ...] | None:
    names = getattr(module, "__all__", None)
    return tuple(name for name in names if isinstance(name, str)) if isinstance(names, Iterable) else None


def _public(module: ModuleType, exported: Iterable[str]) -> tuple[dict[str, Any], list[Refused]]:
    """Return what a module holds for others, by name, and the names that it promises in vain."""
    values = {name: value for name, value in vars(module).items() if name in exported or not name.startswith("_")}
    unread = []
    for name in exported:
        try:
            values.setdefault(name, getattr(module, name))
        except Exception as error:  # noqa: BLE001  # what a module raises that loads its names late
            if name not in submodules(module):
                unread.append(Refused(name, f"it is listed in __all__, but not to be had: {words(error)}"))
    return values, unread


_ROUTINES = (
    type(functools.cache(len)),
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.MethodWrapperType,
    types.WrapperDescriptorType,
)


def _functions(values: Mapping[str, Any], module: ModuleType, exported: Iterable[str] | None) -> list[Found]:
    return [
        Found(name, value)
        for name, value in values.items()
        if _is(value, *_ROUTINES)
        and (getattr(value, "__module__", None) == module.__name__ if exported is None else name in exported)
    ]


def _tools(values: Mapping[str, Any], module: ModuleType) -> Iterator[Finding]:
    held = {name: list(_in_object(value, name)) for name, value in values.items() if _is(value, Tool, Toolbox)}
    made = {type(_runner(one)) for found in held.values() for one in found if isinstance(one, Found)}
    for name, value in values.items():
        if name in held:
            yield from held[name]
        elif _is(value, type) and issubclass(value, Tool) and _is_own(value, module) and value not in made:
            yield _subclass(value, name)


def _runner(one: Found) -> Any:
    """Return the tool itself, or of a tool in a toolbox its handler: of a subclass, that is mostly the tool."""
    return one.source.handler if isinstance(one.source, ToolSpec) else one.source


def _is_own(kind: type[Tool], module: ModuleType) -> bool:
    return kind.__module__ == module.__name__ and not inspect.isabstract(kind)


def _subclass(kind: type[Tool], name: str) -> Finding:
    needed = needed_by(kind)
    if not needed:
        return Found(name, kind)
    reason = f"parameter {needed[0]!r}: {kind.__name__} is not made without it; make an instance in the module"
    return Refused(name, reason, location_of(kind))
