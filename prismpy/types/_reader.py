"""
Reading the annotations of one callable, with what earlier ones have taught.

A form is remembered for the next callable where it says all by itself: no name in it
was unknown, whatever it refers to is remembered with it, and under names that do not
depend on what else was read. So is that there is none: what a type contains, be it the
type that is being read, can only add to the reasons.
"""

import copy
import functools
import itertools
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from prismpy.errors import Problem
from prismpy.schema import JSON, RefSchema, compile_schema, emit, map_subschemas

from ._dump import dump
from ._errors import NoJSONFormError, OpaqueFormError
from ._rule import Definition, Form, Known, Memory, Rules, identity, is_lasting, load_with, type_name


class Reader:
    """
    Reads the annotations of one callable.

    Args:
        rules: The rows to look in; the first that applies wins.

    Attributes:
        definitions: JSON Schemas of the types that contain themselves, by their name under `$defs`.

        remarks: What a schema does not say of its type, and why, as sentences in the order in which they were met; the
            caller may empty it.

        defaults: What is known of defaults: some key to a form and to what was found out about the default.

        provisional: Whether a name was met that means nothing; a class may yet be defined under it.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._own: Memory[Any, Known] = Memory()
        self._failures: Memory[Any, NoJSONFormError] = Memory()
        self._being_read: set[Any] = set()
        self._later: dict[Any, Callable[[], Form]] = {}  # types that are met too deep within others
        self._defined: dict[str, Definition] = {}
        self._of_kind: dict[Any, Definition] = {}
        self._names: dict[Any, str] = {}  # also of types that are being read
        self._numbered: set[str] = set()  # names that are others' without the number
        self._reach: set[str] = set()  # names that the form that is being made refers to
        self.definitions: dict[str, JSON] = {}
        self.remarks: dict[str, None] = {}
        self.defaults = rules.defaults
        self.provisional = False

    def form(self, annotation: Any) -> Form:
        """
        Return the form of an annotation.

        Raises:
            NoJSONFormError: if no rule applies.
        """
        key = identity(annotation)
        known = self._own.found.get(key) or self._rules.known.found.get(key)
        if known is None:
            return self._read(annotation)
        if known.is_all:  # as of most types
            return known.form
        if not self._adopts(known.definitions):
            return self._read(annotation)
        self._reach |= known.names
        self.remarks |= dict.fromkeys(known.remarks)
        return known.form

    def _read(self, annotation: Any) -> Form:
        if failure := self._failures.get(annotation) or self._rules.failures.get(annotation):
            raise copy.copy(failure)  # for each place its own traceback
        around, before = (self._reach, self.remarks), (len(self._defined), len(self._names))
        self._reach, self.remarks = set(), {}
        try:
            form = self._by_rule(annotation) if self._being_read else self._whole(annotation, before)
            if not self.provisional and (self._reach or self.remarks or is_lasting(annotation)):
                self._remember(annotation, form, tuple(self._defined.values())[before[0] :])
        except NoJSONFormError as error:
            self._fail(annotation, error, before)
            self._reach, self.remarks = around
            raise
        self._reach, self.remarks = self._reach | around[0], around[1] | self.remarks
        return form

    def _whole(self, annotation: Any, before: tuple[int, int]) -> Form:
        """Read an annotation with all that was put off on the way; anew where some of it turns out to have no form."""
        while True:
            form = self._by_rule(annotation)
            try:
                while self._later:
                    kind = next(iter(self._later))
                    self._define(kind, self._within(kind, self._later[kind]))
                    del self._later[kind]
            except NoJSONFormError as error:  # what contains it did not know
                self._fail(kind, error, before)
            else:
                return form

    def _fail(self, annotation: Any, error: NoJSONFormError, before: tuple[int, int]) -> None:
        self._forget(*before)
        (self._failures if self.provisional else self._rules.failures).put(annotation, copy.copy(error))

    def _remember(self, annotation: Any, form: Form, definitions: tuple[Definition, ...]) -> None:
        names, remarks = frozenset(self._reach), tuple(self.remarks)
        self._own.put(annotation, Known(form, names=names, remarks=remarks, is_all=not (names or remarks)))
        if names <= {definition.name for definition in definitions} - self._numbered:
            is_all = not (definitions or remarks)
            self._rules.known.put(annotation, Known(form, definitions, names, remarks, is_all))

    def _forget(self, defined: int, named: int) -> None:
        """Take back what was found out on the way to a type without JSON form; the rest may refer to it."""
        for name in list(self._defined)[defined:]:
            del self.definitions[name]
            self._of_kind.pop(self._defined.pop(name).kind, None)
        for kind in list(self._names)[named:]:
            self._numbered.discard(self._names.pop(kind))
            self._later.pop(kind, None)
        self._own = Memory()

    def _by_rule(self, annotation: Any) -> Form:
        for rule in self._rules.rows:
            if rule.applies(annotation):
                return rule.form(annotation, self)
        msg = f"{type_name(annotation)} has no JSON form"
        raise OpaqueFormError(msg)

    def dump(self, value: Any) -> JSON:
        """
        Return a value as JSON.

        Raises:
            NoJSONFormError: if it has none.
        """
        return dump(value, self._rules.step_of)

    def judge(self, form: Form) -> Callable[[JSON], tuple[Problem, ...]]:
        """Prepare to hold values against a form. It compiles when first used: definitions may still be to come."""

        @functools.cache
        def compiled() -> Callable[[JSON], tuple[Problem, ...]]:
            schema = emit(form.schema)
            return compile_schema({"$defs": self.definitions, **schema} if isinstance(schema, dict) else schema)

        def problems(value: JSON) -> tuple[Problem, ...]:
            return compiled()(value)

        return problems

    # --- types that contain themselves ----------------------------------------

    def recursive(self, kind: Any, build: Callable[[], Form]) -> Form:
        """Return the form of a type that may contain itself: spelled out where it does not, else a reference."""
        if (definition := self._of_kind.get(kind)) is not None:
            self._reach.add(definition.name)
            return definition.form
        if kind in self._being_read or kind in self._later or len(self._being_read) >= _DEEPEST:
            if kind not in self._being_read:
                self._later[kind] = build
            name = self._name_of(kind)
            self._reach.add(name)
            return Form(_reference(name), lambda value: load_with(self._defined[name].form, value))
        form = self._within(kind, build)
        return self._define(kind, form) if kind in self._names else form  # a name has what was referred to

    def _within(self, kind: Any, build: Callable[[], Form]) -> Form:
        self._being_read.add(kind)
        try:
            return build()
        finally:
            self._being_read.discard(kind)

    def _define(self, kind: Any, form: Form) -> Form:
        name = self._name_of(kind)
        return self._add(Definition(name, emit(form.schema), Form(_reference(name), form.load), kind))

    def define(self, schemas: Mapping[str, JSON]) -> dict[str, str]:
        """
        Add schemas that refer to each other.

        Args:
            schemas: Names, as in `#/$defs/NAME`, to schemas.

        Returns:
            Those names to the ones they got: other ones, all of them, where one is another type's.
        """
        taken = any(self._is_taken(name) and not self._is(name, schema) for name, schema in schemas.items())
        names = {name: self._free(name) if taken else name for name in schemas}
        for name, schema in schemas.items():
            self._reach.add(names[name])
            if names[name] not in self._defined:
                self._add(Definition(names[name], renamed(schema, names), Form(_reference(names[name]))))
        return names

    def _adopts(self, definitions: tuple[Definition, ...]) -> bool:
        """Take over definitions that an earlier reader has made, unless a name among them is another type's here."""
        new = [definition for definition in definitions if self._defined.get(definition.name) is not definition]
        if any(self._is_taken(definition.name) or definition.kind in self._names for definition in new):
            return False
        for definition in new:
            self._add(definition)
        return True

    def _add(self, definition: Definition) -> Form:
        self._defined[definition.name] = definition
        self.definitions[definition.name] = definition.schema
        if definition.kind is not None:
            self._of_kind[definition.kind] = definition
            self._names[definition.kind] = definition.name
        return definition.form

    def _name_of(self, kind: Any) -> str:
        """Name a type as in `#/$defs/NAME`, distinct among the types that have a definition or are being read."""
        if kind not in self._names:
            self._names[kind] = self._free(re.sub(r"\W+", "_", type_name(kind).rpartition(".")[2]).strip("_"))
        return self._names[kind]

    def _is(self, name: str, schema: JSON) -> bool:
        return name in self._defined and self._defined[name].schema == schema

    def _is_taken(self, name: str) -> bool:
        return name in self._defined or name in self._names.values()

    def _free(self, name: str) -> str:
        if not self._is_taken(name):
            return name
        numbered = (f"{name}_{number}" for number in itertools.count(2))
        found = next(free for free in numbered if not self._is_taken(free))
        self._numbered.add(found)
        return found


_DEEPEST: Final = 12
"""Types within types that are read at once; each takes a dozen calls of Python, which allows for a thousand in all."""


def _reference(name: str) -> RefSchema:
    return RefSchema(ref=f"#/$defs/{name}")


def renamed(schema: JSON, names: Mapping[str, str]) -> JSON:
    """Return a schema whose references lead to other names under `$defs`."""
    if not isinstance(schema, dict):
        return schema
    changed = map_subschemas(schema, lambda inner, _: renamed(inner, names))
    match changed:
        case {"$ref": ref}:
            changed["$ref"] = _renamed(ref, names)
        case {"discriminator": {"mapping": mapping} as discriminator}:
            leading = {value: _renamed(ref, names) for value, ref in mapping.items()}
            changed["discriminator"] = {**discriminator, "mapping": leading}
    return changed


def _renamed(ref: str, names: Mapping[str, str]) -> str:
    name = ref.removeprefix("#/$defs/")
    return f"#/$defs/{names.get(name, name)}"
