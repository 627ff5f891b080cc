# What a docstring says, in whatever style: one pass cuts it into prose and sections, a pattern per style
# reads the entries. No library: docstring-parser finds as many texts (99.95 % of 25,307 that two of three
# libraries agree on; 82 µs for eight parameters, we 31) but gives only 98.5 % as written, griffe 94.1 %,
# numpydoc 63.6 %, we 99.99 %, and a thin layer can't mend what they drop: blank lines, prose after a section,
# the `{}` and `, optional` of types. The measure is tests/benchmarks/docstrings.py.
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

import attrs

_Kind: TypeAlias = Literal["prose", "parameters", "types", "attributes", "returns", "outcomes"]
_Style: TypeAlias = Literal["prose", "google", "numpy", "field"]


@attrs.frozen
class Docstring:
    """What a docstring says to its reader, taken apart."""

    description: str = ""
    """Summary and prose as written, dedented; no sections about parameters, results or errors."""

    parameters: Mapping[str, str] = attrs.field(factory=dict)
    """Parameter names, without stars, to their texts; never an empty text."""

    types: Mapping[str, str] = attrs.field(factory=dict)
    """Parameter names to the docstring's own types, as written: `"str, optional"`, `"{'C', 'F'}"`."""

    returns: str = ""
    """What is said about the result, as written, dedented."""


class _Block(NamedTuple):
    """Lines on one matter; the first is what stands beside the heading, or the underline, of a section."""

    kind: _Kind
    style: _Style
    lines: list[str]
    subject: str = ""  # of a field: `int x` in `:param int x: text`


_Entry: TypeAlias = tuple[str, str, str]
"""Names, type and text of one or more parameters described together."""


# Headings as Google and NumPy write them, lower case.
_TITLES: Mapping[str, _Kind] = {
    "args": "parameters",
    "arguments": "parameters",
    "params": "parameters",
    "parameters": "parameters",
    "keyword args": "parameters",
    "keyword arguments": "parameters",
    "other args": "parameters",
    "other arguments": "parameters",
    "other params": "parameters",
    "other parameters": "parameters",
    "attributes": "attributes",
    "return": "returns",
    "returns": "returns",
    "yield": "outcomes",
    "yields": "outcomes",
    "raise": "outcomes",
    "raises": "outcomes",
}

# Fields as Sphinx (`:param x:`) and Epytext (`@param x:`) write them.
_WORDS: Mapping[_Kind, str] = {
    "parameters": "param parameter arg argument key keyword kwarg",
    "types": "type vartype",
    "attributes": "attr attribute var ivar cvar",
    "returns": "return returns",
    "outcomes": "rtype yield yields ytype raise raises except exception",
}
_FIELDS = {word: kind for kind, words in _WORDS.items() for word in words.split()}

# Whole lines of a section; `_S` is white space within one.
_S = r"[^\S\n]"
_NAMES = rf"(?P<names>[\w.*\\`]+(?:{_S}*,{_S}*[\w.*\\`]+)*)"
_GOOGLE_ENTRY = rf"{_NAMES}(?:{_S}*\((?P<type>.*?)\))?(?:{_S}*:(?![:/])|{_S}+--?{_S}){_S}*(?P<text>.*)$"
_NUMPY_ENTRY = rf"^{_NAMES}(?:{_S}*\(.*\))?(?:{_S}*:{_S}*(?P<type>.*))?(?P<text>)$"
_ENTRIES = {"google": re.compile(f"^{_GOOGLE_ENTRY}", re.MULTILINE), "numpy": re.compile(_NUMPY_ENTRY, re.MULTILINE)}
_BULLETED_ENTRY = re.compile(rf"^[-*+]{_S}+{_GOOGLE_ENTRY}", re.MULTILINE)
_FIELD = re.compile(r"[:@](\w+)(?:\s([^:]*))?:(.*)")
_NAME = re.compile(r"\w+(?:\.\w+)*")
_UNDERLINE = re.compile(r"([-=])\1\1+\s*")
_INDENTS = re.compile(r"\n( *)\S")
_TRAILING = re.compile(rf"{_S}+$", re.MULTILINE)


def read_docstring(text: str | None) -> Docstring:
    """
    Take a docstring apart: Google, NumPy, Sphinx, Epytext, a mix of them or plain prose.

    Args:
        text: As `__doc__` has it, indented or not.

    Returns:
        What was found. Where a parameter is described twice the first text
        counts, and one about an attribute only if there is no other.

    Raises:
        Nothing.
    """
    if not text:
        return Docstring()
    blocks = _blocks(_lines(text))
    parameters: dict[str, str] = {}
    types: dict[str, str] = {}
    for names, type_, said in _entries(blocks):
        for name in [names] if names.isidentifier() else _names(names):
            if said:
                parameters.setdefault(name, said)
            if type_ := type_.strip():
                types.setdefault(name, type_)
    return Docstring(
        description=_paragraphs(_text("", "\n".join(block.lines)) for block in blocks if block.kind == "prose"),
        parameters=parameters,
        types=types,
        returns=_paragraphs(_result(block) for block in blocks if block.kind == "returns"),
    )


def _lines(text: str) -> Sequence[str]:
    """Dedent a docstring, but not what stands below a title that is beside the quotes."""
    text = text.expandtabs().rstrip()
    if " \n" in text:
        text = _TRAILING.sub("", text)
    first, _, rest = text.partition("\n")
    lines = f"{first.strip()}\n{_dedented(rest)}".strip("\n").split("\n")
    if lines[1:] and _titled(lines[0], "", "") and not _titled(lines[0], "", lines[1]):
        return [lines[0], *(f" {line}" for line in lines[1:])]
    return lines


def _paragraphs(texts: Iterable[str]) -> str:
    return "\n\n".join(text for text in texts if text)


def _blocks(lines: Sequence[str]) -> list[_Block]:
    """Cut lines into prose and sections; only a line that isn't indented can start a block."""
    block = _Block("prose", "prose", [])
    blocks = [block]
    for line, before, after in zip(lines, ("", *lines), (*lines[1:], ""), strict=False):
        opened = _opening(line, before, after, block) if line[:1].strip() else None
        if opened is None:
            block.lines.append(line)
        else:
            block = opened
            blocks.append(block)
    return blocks


def _opening(line: str, before: str, after: str, current: _Block) -> _Block | None:
    """Give the block that starts with this line, or nothing if the current one goes on."""
    if _UNDERLINE.fullmatch(after):
        return _underlined(line)
    if line[0] in ":@" and (field := _field(line)):
        return field
    if current.style != "numpy" and (section := _titled(line, before, after)):  # NumPy entries may be called `args`
        return section
    return _Block("prose", "prose", [line]) if _ends(current, line, before) else None


def _ends(current: _Block, line: str, before: str) -> bool:
    """Whether a line at the margin, no heading, is prose after the current section."""
    if current.style == "numpy":
        entry = current.kind in ("returns", "outcomes") or _ENTRIES["numpy"].fullmatch(line)
        return not before.strip() and not entry
    if current.style == "field":  # careless writers go on at the margin
        return not before.strip()
    return current.style == "google"


def _underlined(line: str) -> _Block:
    """Open a NumPy section, whose first line will be the underline; `Notes` and others are prose."""
    kind = _TITLES.get(line.rstrip(": ").lower())
    return _Block(kind, "numpy", []) if kind else _Block("prose", "prose", [line])


def _field(line: str) -> _Block | None:
    """Open a field; `:attr:` and `:keyword:` without a name are roles, as in ":attr:`x` is one"."""
    match = _FIELD.fullmatch(line)
    kind = _FIELDS.get(match[1]) if match else None
    if match is None or kind is None or not (match[2] or kind in ("returns", "outcomes")):
        return None
    return _Block(kind, "field", [match[3]], match[2] or "")


def _titled(line: str, before: str, after: str) -> _Block | None:
    """Open a Google section. `Returns: text` on one line is read as a field: it ends with the paragraph."""
    title, colon, rest = line.partition(":")
    kind = _TITLES.get(title.lower()) if colon else None
    if kind is None or (before.strip() and title.islower()):  # the end of a sentence: "takes these\nparameters:"
        return None
    if rest.strip():
        return _Block(kind, "field", [rest]) if kind in ("returns", "outcomes") else None
    return None if after[:1].strip() else _Block(kind, "google", [""])


def _entries(blocks: Sequence[_Block]) -> Iterator[_Entry]:
    """Give what is said about parameters, what counts more first."""
    for kind in ("parameters", "types", "attributes"):
        for block in blocks:
            if block.kind == kind:
                yield from [_field_entry(block)] if block.style == "field" else _section_entries(block)


def _field_entry(block: _Block) -> _Entry:
    type_, _, name = block.subject.strip().rpartition(" ")
    text = _text(block.lines[0], "\n".join(block.lines[1:]))
    return (name, text, "") if block.kind == "types" else (name, type_, text)


def _section_entries(block: _Block) -> Iterator[_Entry]:
    """Read a Google or NumPy section; a line that starts no entry belongs to the one before."""
    text = _dedented("\n".join(block.lines[1:]))
    bulleted = text.lstrip("\n")[:2] in ("- ", "* ", "+ ")
    pattern = _BULLETED_ENTRY if bulleted else _ENTRIES[block.style]
    _, *parts = pattern.split(text)
    for names, type_, first, rest in zip(parts[::4], parts[1::4], parts[2::4], parts[3::4], strict=True):
        yield names, type_ or "", first.strip() if rest in ("", "\n") else _text(first, rest[1:])


def _names(names: str) -> Iterator[str]:
    r"""Give the names in `x, *y`, or in reST's `type\_`, `raw=False`, as Python spells them."""
    for part in names.replace("\\", "").split(","):
        if match := _NAME.search(part):
            yield match[0]


def _result(block: _Block) -> str:
    return _text("" if block.style == "numpy" else block.lines[0], "\n".join(block.lines[1:]))


def _text(first: str, rest: str) -> str:
    """Join the text beside a name and the lines below it, which are dedented by themselves."""
    return f"{first.strip()}\n{_dedented(rest)}".strip("\n") if rest else first.strip()


def _dedented(text: str) -> str:
    if text[:1].strip():  # it starts at the margin
        return text
    text = f"\n{text}"
    margin = min(_INDENTS.findall(text), default="")  # the shortest, as all are of spaces
    return (text.replace(f"\n{margin}", "\n") if margin else text)[1:]
