"""The part of the chain that says what a tool takes: a method for each kind of parameter."""

import enum
from collections.abc import Iterable, Mapping
from typing import Self, Unpack

import attrs

from prismpy.schema import (
    JSON,
    MISSING,
    AnyOfSchema,
    ArraySchema,
    BooleanSchema,
    EnumSchema,
    IntegerSchema,
    NumberSchema,
    ObjectSchema,
    Schema,
    StringSchema,
    annotated,
    canonical,
    check,
    parse,
    plain,
)
from prismpy.tools import SYNTAXES, FreeText, Syntax

from ._draft import Draft
from ._options import ArrayOptions, NumberOptions, Options, StringOptions

_ENDS = (("minimum", "maximum"), ("min_length", "max_length"), ("min_items", "max_items"))


class Inputs(Draft):
    """The methods that add parameters."""

    def with_parameter(self, parameter: Schema, required: bool = True) -> Self:
        """
        Add a parameter described by a schema node, under the node's name.

        A parameter with a default is optional, whatever `required` says.

        Raises:
            DefinitionError: if the node has no name, or the name is taken.
        """
        known = self._tool_draft.parameters
        if not getattr(parameter, "name", ""):
            raise self._mistake(f"{parameter!r} has no name; pass a schema such as StringSchema('city', 'Where')")
        if any(node.name == parameter.name for node in known.properties or ()):
            raise self._mistake(f"parameter {parameter.name!r} is declared twice; rename or remove one")
        for low, high in _ENDS:
            least, most = getattr(parameter, low, None), getattr(parameter, high, None)
            if least is not None and most is not None and least > most:
                complaint = (
                    f"parameter {parameter.name!r}: {low} {least} is more than {high} {most}, so no value is right"
                )
                raise self._mistake(complaint)
        needed = [parameter.name] if required and parameter.default is MISSING else []
        parameters = attrs.evolve(
            known,
            properties=(*(known.properties or ()), parameter),
            required_fields=(*(known.required_fields or ()), *needed) or None,
        )
        return self._tool_swap(parameters=parameters)

    def with_string_parameter(
        self, name: str, description: str = "", required: bool = True, **options: Unpack[StringOptions]
    ) -> Self:
        """
        Add a text.

        Args:
            name: Name of the parameter.

            description: For the model.

            required: Whether a call must have it; a default makes it optional.

            options: See `StringOptions`.

        Raises:
            DefinitionError: if the name is taken or an option is of the wrong kind.
        """
        return self.with_parameter(StringSchema(name, description or None, **options), required)

    def with_integer_parameter(
        self, name: str, description: str = "", required: bool = True, **options: Unpack[NumberOptions]
    ) -> Self:
        """Add a whole number; otherwise like `with_number_parameter`."""
        return self.with_parameter(IntegerSchema(name, description or None, **options), required)

    def with_number_parameter(
        self, name: str, description: str = "", required: bool = True, **options: Unpack[NumberOptions]
    ) -> Self:
        """
        Add a number.

        Args:
            name: Name of the parameter.

            description: For the model.

            required: Whether a call must have it; a default makes it optional.

            options: See `NumberOptions`.

        Raises:
            DefinitionError: if the name is taken or an option is of the wrong kind.
        """
        return self.with_parameter(NumberSchema(name, description or None, **options), required)

    def with_boolean_parameter(
        self, name: str, description: str = "", required: bool = True, **options: Unpack[Options]
    ) -> Self:
        """Add a true or false; the options are those of every parameter, see `Options`."""
        return self.with_parameter(BooleanSchema(name, description or None, **options), required)

    def with_enum_parameter(
        self, name: str, description: str, options: Iterable[JSON], required: bool = True, **more: Unpack[Options]
    ) -> Self:
        """
        Add a choice of one among several values.

        Args:
            name: Name of the parameter.

            description: For the model.

            options: Text, numbers, bools or None, or the members of an `Enum`, whose values are taken; at least one.

            required: Whether a call must have it; a default makes it optional.

            more: See `Options`.

        Raises:
            DefinitionError: if the name is taken, there are no options, or one occurs twice.
        """
        if isinstance(options, str):
            raise self._mistake(f"parameter {name!r}: options are {options!r}; pass a list of them")
        values = [option.value if isinstance(option, enum.Enum) else option for option in options]
        if len({canonical(plain(value)) for value in values}) < len(values):
            raise self._mistake(f"parameter {name!r}: options {values!r} name one twice; remove it")
        return self.with_parameter(EnumSchema(name, description or None, tuple(values), **more), required)

    def with_array_parameter(
        self, name: str, description: str, items: Schema, required: bool = True, **options: Unpack[ArrayOptions]
    ) -> Self:
        """
        Add a list.

        Args:
            name: Name of the parameter.

            description: For the model.

            items: What each item is, such as `StringSchema("day", "A weekday")`; its name is not sent.

            required: Whether a call must have it; a default makes it optional.

            options: See `ArrayOptions`.

        Raises:
            DefinitionError: if the name is taken or an option is of the wrong kind.
        """
        return self.with_parameter(ArraySchema(name, description or None, items, **options), required)

    def with_object_parameter(
        self,
        name: str,
        description: str,
        properties: Iterable[Schema],
        required_fields: Iterable[str] = (),
        allow_additional_properties: bool = False,
        required: bool = True,
        **options: Unpack[Options],
    ) -> Self:
        """
        Add an object with properties of its own.

        Args:
            name: Name of the parameter.

            description: For the model.

            properties: Schema nodes, each under its name.

            required_fields: Names of the properties that must be there.

            allow_additional_properties: Whether it may have others.

            required: Whether a call must have it; a default makes it optional.

            options: See `Options`.

        Raises:
            DefinitionError: if a name is taken, or a required field is no property.
        """
        shape = (tuple(properties), tuple(required_fields) or None, allow_additional_properties)
        node = ObjectSchema(name, description or None, *shape, **options)
        if any(not p.name for p in node.properties or ()):
            raise self._mistake(f"parameter {name!r} has a property without a name; name every schema in properties")
        unknown = set(node.required_fields or ()) - {p.name for p in node.properties or ()}
        if unknown and not allow_additional_properties:
            raise self._mistake(
                f"parameter {name!r} requires {', '.join(map(repr, sorted(unknown)))}, no property of it"
            )
        return self.with_parameter(node, required)

    def with_any_of_parameter(
        self, name: str, description: str, schemas: Iterable[Schema], required: bool = True, **options: Unpack[Options]
    ) -> Self:
        """
        Add a value that obeys at least one of several schemas.

        Args:
            name: Name of the parameter.

            description: For the model.

            schemas: At least one; their names are not sent.

            required: Whether a call must have it; a default makes it optional.

            options: See `Options`.

        Raises:
            DefinitionError: if the name is taken or there are no schemas.
        """
        return self.with_parameter(AnyOfSchema(tuple(schemas), name, description or None, **options), required)

    def with_raw_parameter(self, name: str, description: str, schema: JSON, required: bool = True) -> Self:
        """
        Add a parameter described by JSON Schema as it is.

        Args:
            name: Name of the parameter.

            description: For the model; "" keeps the schema's own.

            schema: A dict or a bool. References in it start at the parameters object, as in `#/properties/...`; a
                `$defs` in it moves there.

            required: Whether a call must have it; a default in the schema makes it optional.

        Raises:
            DefinitionError: if the name is taken, two definitions have one name, or the schema breaks the metaschema,
                whose path it names. A reference that leads nowhere is refused when the tool is first used.
        """
        where = f"$.properties.{name}"
        schema = plain(schema, where)
        check(schema, tool=self._tool_draft.name, path=where)
        if isinstance(schema, dict) and "$defs" in schema:
            self._define(schema.pop("$defs"))
        return self.with_parameter(annotated(parse(schema, name), name, description or None), required)

    def _define(self, definitions: Mapping[str, JSON]) -> None:
        parameters = self._tool_draft.parameters
        known: dict[str, JSON] = dict(parameters.extra.get("$defs", {}))
        for name, definition in definitions.items():
            if known.setdefault(name, definition) != definition:
                raise self._mistake(f"$defs has two definitions of {name!r}; rename one")
        self._tool_swap(parameters=attrs.evolve(parameters, extra={**parameters.extra, "$defs": known}))

    def takes_free_text(self, grammar: str = "", *, syntax: Syntax = "lark") -> Self:
        """
        Let the model write the tool's one parameter freely, where its provider knows such tools.

        There it writes code or a query as it is, without the escapes of JSON. Elsewhere the tool is an ordinary one:
        an object with one text.

        Args:
            grammar: What the text must obey; "" for any. A provider that knows such tools enforces it. A `regex` is
                enforced here too, and goes to all others as a `pattern`; a `lark` grammar they are told in words.

            syntax: What the grammar is written in: `lark`, or `regex`, which the whole text must match.

        Raises:
            DefinitionError: if there is no such syntax; when the tool is first used, if it takes anything but one
                required text.

        Source: OpenAI guide "Function calling", section "Custom tools" (2026-11).
        """
        if syntax not in SYNTAXES:
            raise self._mistake(f"takes_free_text() got syntax {syntax!r}; use {' or '.join(map(repr, SYNTAXES))}")
        return self._tool_swap(free_text=FreeText(grammar, syntax))
