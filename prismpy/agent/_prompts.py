"""From what an app hands in to what a user says."""

import string
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from prismpy.errors import DefinitionError
from prismpy.messages import Content, Document, Image, Message, Text, UserMessage
from prismpy.schema import cut

Prompt: TypeAlias = str | Content | UserMessage | Iterable[str | Content] | Mapping[str, Any]
"""Words, words among pictures and files, or values for the fields of the prompt template."""


def user_message(prompt: Prompt, template: str, agent: str) -> UserMessage:
    """
    Make what the user says.

    Args:
        prompt: What is asked; a mapping fills the template, words fill a template of one field.

        template: With fields such as `{query}`; doubled braces are braces.

        agent: Name of the agent, for messages.

    Raises:
        DefinitionError: if a field has no value, words meet a template of several fields, or it is nothing to say.
    """
    if isinstance(prompt, Iterable) and not isinstance(prompt, str | Mapping):
        prompt = tuple(prompt)
    match prompt:
        case UserMessage():
            return prompt
        case Mapping():
            return UserMessage(_filled(template, prompt, agent))
        case str():
            fields = fields_of(template)
            if len(fields) > 1:
                needed = ", ".join(map(repr, fields))
                msg = f"agent {agent!r}: the prompt template has the fields {needed}; pass a mapping with them"
                raise DefinitionError(msg)
            return UserMessage(_filled(template, dict.fromkeys(fields, prompt), agent))
        case Text() | Image() | Document():
            return UserMessage(prompt)
        case tuple() if all(isinstance(each, str | Content) for each in prompt):
            return UserMessage(prompt)
        case _:
            found = cut(repr(prompt))
            msg = f"agent {agent!r}: the prompt is {found}; pass words, content, or a mapping for the template"
            raise DefinitionError(msg)


def conversation(messages: Iterable[Message], agent: str) -> tuple[Message, ...]:
    """
    Return messages.

    Raises:
        DefinitionError: for what is none, such as the JSON of a request.
    """
    given = tuple(messages)
    for index, message in enumerate(given):
        if not isinstance(message, Message):
            msg = f"agent {agent!r}: message {index} is {cut(repr(message))}; pass messages, such as response.messages"
            raise DefinitionError(msg)
    return given


def checked_template(template: str, agent: str) -> str:
    """
    Return a prompt template that can be filled.

    Raises:
        DefinitionError: if its braces do not fit, or a field has no name.
    """
    try:
        named = [name for _, name, _, _ in string.Formatter().parse(template) if name is not None]
    except ValueError as error:
        msg = f"agent {agent!r}: the prompt template cannot be read: {error}; double braces that are meant as such"
        raise DefinitionError(msg) from error
    if any(not name or name[0].isdigit() for name in named):
        msg = f"agent {agent!r}: a field of the prompt template has no name; name it, such as {{query}}"
        raise DefinitionError(msg)
    return template


def fields_of(template: str) -> tuple[str, ...]:
    """Return the names of the fields in a template, each once, in order."""
    named = (name for _, name, _, _ in string.Formatter().parse(template) if name)
    return tuple(dict.fromkeys(name.partition(".")[0].partition("[")[0] for name in named))


def _filled(template: str, values: Mapping[str, Any], agent: str) -> str:
    for name in fields_of(template):
        if name not in values:
            given = ", ".join(map(repr, values)) or "none"
            msg = f"agent {agent!r}: the prompt template needs {name!r}; given are {given}"
            raise DefinitionError(msg)
    return template.format_map(values)
