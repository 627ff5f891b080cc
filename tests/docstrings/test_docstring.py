# What `read_docstring` makes of each style, of sloppy ones, and of any text at all.
# The cases named fc-schema-* come from ../shared/field-cases.
from __future__ import annotations

from collections.abc import Callable, Mapping
from textwrap import indent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prismpy.docstrings._docstring import Docstring, read_docstring

# --- Google -------------------------------------------------------------------------------------------------


def test_args_right_under_the_summary_are_read() -> None:
    """fc-schema-01: an Args block needs no blank line above it."""
    read = read_docstring(
        """Ship a parcel.
        Args:
            parcel: Parcel number.
            express: Whether to use the fast lane.
        """
    )

    assert read == Docstring("Ship a parcel.", {"parcel": "Parcel number.", "express": "Whether to use the fast lane."})


def test_keyword_args_are_read_like_args() -> None:
    """fc-schema-02: several parameter sections add up."""
    read = read_docstring(
        """Scan a folder.

        Args:
            path: Folder to scan.

        Keyword Args:
            depth: How deep to go.
        """
    )

    assert read == Docstring("Scan a folder.", {"path": "Folder to scan.", "depth": "How deep to go."})


def test_google_types_are_kept_apart() -> None:
    """fc-schema-04: a type in parentheses is no part of the name, and comes as it was written."""
    read = read_docstring(
        """Area of a box.

        Args:
            w (float): Width in metres.
            h (float, optional): Height in metres.
            scale (Dict[str: int], default: {}) : Factors (all of them): by name.
            mode ( ): Unknown.
        """
    )

    assert read == Docstring(
        "Area of a box.",
        {
            "w": "Width in metres.",
            "h": "Height in metres.",
            "scale": "Factors (all of them): by name.",
            "mode": "Unknown.",
        },
        {"w": "float", "h": "float, optional", "scale": "Dict[str: int], default: {}"},
    )


def test_bullets_inside_an_entry_are_text() -> None:
    """fc-schema-05: a list below an entry is kept line by line and describes no parameters."""
    read = read_docstring(
        """Run it.

        Args:
            mode (str): One of these:
                - "quick": shallow pass
                - full: whole tree
            tag: Free label.
        """
    )

    assert read == Docstring(
        "Run it.",
        {"mode": 'One of these:\n- "quick": shallow pass\n- full: whole tree', "tag": "Free label."},
        {"mode": "str"},
    )


def test_bullets_beside_an_entry_are_text() -> None:
    """A list indented like the entry above it still belongs to that entry."""
    read = read_docstring("Args:\n    mode: One of these:\n    - quick: shallow\n    - full: deep\n    tag: Label.")

    assert read.parameters == {"mode": "One of these:\n- quick: shallow\n- full: deep", "tag": "Label."}


def test_sections_leave_the_description() -> None:
    """fc-schema-06: the description is the prose, the result has a place of its own, errors go."""
    read = read_docstring(
        """Multiply.

        Exact for small values.

        Args:
            a: First.
            b: Second.

        Returns:
            Their product.

        Raises:
            OverflowError: Too large.
        """
    )

    assert read == Docstring(
        "Multiply.\n\nExact for small values.", {"a": "First.", "b": "Second."}, returns="Their product."
    )


def test_stars_are_no_part_of_a_name() -> None:
    """fc-schema-07: `*extra` describes `extra`, in whatever markup the stars are escaped."""
    read = read_docstring(
        r"""Total.

        Args:
            base: Start value.
            *extra: More values.
            **flags: Switches.
            \*more: Others.
            `quoted`: In backticks.
        """
    )

    assert read == Docstring(
        "Total.",
        {
            "base": "Start value.",
            "extra": "More values.",
            "flags": "Switches.",
            "more": "Others.",
            "quoted": "In backticks.",
        },
    )


def test_code_and_paragraphs_of_an_entry_are_kept() -> None:
    """An entry may run over paragraphs and code; its lines are dedented and lose nothing else."""
    read = read_docstring(
        """
        Args:
            plan:
                What to do, like

                ```python
                steps: list = [
                    1,
                ]
                ```

                and more.
            last: The end."""
    )

    assert read.parameters == {
        "plan": "What to do, like\n\n```python\nsteps: list = [\n    1,\n]\n```\n\nand more.",
        "last": "The end.",
    }


def test_blank_line_after_the_first_line_is_kept() -> None:
    """A paragraph may end with the line the entry starts on."""
    read = read_docstring("Args:\n    x: First.\n\n        Second.")

    assert read.parameters == {"x": "First.\n\nSecond."}


def test_prose_between_and_after_sections_stays() -> None:
    """Prose and sections for the reader stay in the description in their order."""
    read = read_docstring(
        """Cut.

        Args:
            x: Where.
        At once.

        Note:
            Careful.

            Args:
                no: This is an example.

        Returns:
            int: Pieces.

        Last words::

            code


            more code
        """
    )

    assert read == Docstring(
        "Cut.\n\nAt once.\n\nNote:\n    Careful.\n\n    Args:\n        no: This is an example.\n\n"
        "Last words::\n\n    code\n\n\n    more code",
        {"x": "Where."},
        returns="int: Pieces.",
    )


TITLES = "Args, Arguments, Parameters, Params, Keyword Args, Keyword Arguments, Other Parameters, Attributes, args"


@pytest.mark.parametrize("title", TITLES.split(", "))
def test_parameter_sections_have_many_titles(title: str) -> None:
    """All usual titles are read, Google's with a colon and NumPy's with an underline."""
    google = read_docstring(f"Do.\n\n{title}:\n    x: Text.\n")
    numpy = read_docstring(f"Do.\n\n{title}\n{'-' * len(title)}\nx\n    Text.\n")

    assert google == numpy == Docstring("Do.", {"x": "Text."})


def test_section_may_start_beside_the_quotes() -> None:
    """A docstring that is nothing but one section is read, though dedenting hides the indentation."""
    read = read_docstring(
        """Args:
            x: An x.

            y: A y.
        """
    )

    assert read == Docstring("", {"x": "An x.", "y": "A y."})


def test_lines_at_the_margin_of_an_entry_belong_to_it() -> None:
    """Text that isn't indented below its entry is kept; before the first entry it is nobody's."""
    read = read_docstring("Args:\n    All of them.\n    x: Long text that\n    continues at http://x.y here.\n")

    assert read == Docstring("", {"x": "Long text that\ncontinues at http://x.y here."})


def test_entries_may_be_bullets_or_dashes() -> None:
    """A section written as a list, or with dashes for colons, is read."""
    bulleted = read_docstring("Args:\n    - x (int): An x.\n      More.\n    - y: A y.\n")
    dashed = read_docstring("Args:\n    x (int) - An x.\n      More.\n    y -- A y.\n")

    assert bulleted == dashed == Docstring("", {"x": "An x.\nMore.", "y": "A y."}, {"x": "int"})


def test_list_at_the_margin_is_prose() -> None:
    """A title over lines that aren't indented is no section."""
    read = read_docstring("Do.\n\nArgs:\n- x: Text.\n")

    assert read == Docstring("Do.\n\nArgs:\n- x: Text.")


def test_sentence_may_end_with_a_title() -> None:
    """A title in lower case needs a blank line above it, or it is the end of a sentence."""
    text = "Fill in all\nparameters:\n\n    C[int]"

    assert read_docstring(text) == Docstring(text)


def test_result_on_one_line_ends_with_its_paragraph() -> None:
    """`Returns: text` is the result, also over lines; a parameter section needs its own lines."""
    read = read_docstring("Do.\n\nReturns: The sum\nof all.\n\nArgs: none.\n\nRaises: ValueError")

    assert read == Docstring("Do.\n\nArgs: none.", returns="The sum\nof all.")


def test_empty_sections_vanish() -> None:
    """A section without text leaves nothing behind."""
    read = read_docstring("Do.\n\nArgs:\n\nParameters\n----------\n\nReturns:\n")

    assert read == Docstring("Do.")


# --- NumPy --------------------------------------------------------------------------------------------------


def test_numpy_sections_are_read() -> None:
    """fc-schema-03 and -29: NumPy entries, their types as written, and Other Parameters."""
    read = read_docstring(
        """Temperature.

        Parameters
        ----------
        place : str
            Where.
        unit : {'C', 'F'}
            Scale.

        Other Parameters
        ----------------
        depth : int, optional
            How deep to go.

            Up to ten:

            * one
              or two
        quiet: bool
        """
    )

    assert read == Docstring(
        "Temperature.",
        {
            "place": "Where.",
            "unit": "Scale.",
            "depth": "How deep to go.\n\nUp to ten:\n\n* one\n  or two",
        },
        {"place": "str", "unit": "{'C', 'F'}", "depth": "int, optional", "quiet": "bool"},
    )


def test_numpy_entry_describes_all_its_names() -> None:
    """`x, y : int` describes both, with or without stars, types and gaps."""
    read = read_docstring(
        """
        Parameters
        ---------
        x, y : int
            Both.
        *args, **kwargs
            Rest.
        a1, ..., an (optional)
            Many.
        """
    )

    assert read == Docstring(
        "",
        {"x": "Both.", "y": "Both.", "args": "Rest.", "kwargs": "Rest.", "a1": "Many.", "an": "Many."},
        {"x": "int", "y": "int"},
    )


def test_numpy_parameters_may_be_called_like_sections() -> None:
    """Inside a NumPy section `args:` is an entry."""
    read = read_docstring("Parameters\n==========\nargs:\n    Words.\nreturns: bool\n    Whether.\n")

    assert read == Docstring("", {"args": "Words.", "returns": "Whether."}, {"returns": "bool"})


def test_numpy_prose_stays() -> None:
    """Results and errors leave; notes and prose below the entries stay, with their headings."""
    read = read_docstring(
        """Sum up.

        Parameters
        ----------
        x : int
            An x.

        The rest is easy to read.

        Returns
        -------
        int
            The sum.

        Or less than that.

        Raises
        ------
        ValueError
            Bad.

        Notes
        -----
        Quick.
        """
    )

    assert read == Docstring(
        "Sum up.\n\nThe rest is easy to read.\n\nNotes\n-----\nQuick.",
        {"x": "An x."},
        {"x": "int"},
        "int\n    The sum.\n\nOr less than that.",
    )


def test_indented_numpy_section_is_read() -> None:
    """Entries may be indented below their heading."""
    read = read_docstring("Parameters\n----------\n    x : int\n        An x.\n    y\n        A y.\n")

    assert read == Docstring("", {"x": "An x.", "y": "A y."}, {"x": "int"})


# --- Sphinx and Epytext -------------------------------------------------------------------------------------


@pytest.mark.parametrize("mark", [":", "@"])
def test_fields_are_read(mark: str) -> None:
    """Sphinx and Epytext fields differ in one character."""
    text = """Send.

        :param int x: An x
            over lines.
        :param list of str y: A y.
        :param z: A z.
        :type z: str or None
        :keyword quiet: Less.
        :return: Whether it
          went well.
        :rtype: bool
        :raises ValueError: Never.

        To :meth:`them`.
        """
    read = read_docstring(text.replace("        :", f"        {mark}"))

    assert read == Docstring(
        "Send.\n\nTo :meth:`them`.",
        {"x": "An x\nover lines.", "y": "A y.", "z": "A z.", "quiet": "Less."},
        {"x": "int", "y": "list of str", "z": "str or None"},
        "Whether it\nwent well.",
    )


def test_prose_after_fields_is_no_field() -> None:
    """A field takes careless lines below it, until a blank line ends it; roles are prose."""
    read = read_docstring(
        """
        :param x: An x
        at the margin.
        :param y: A y.

          With a second paragraph.

        :meth:`run` is better, or
        :attr:`x` or :param:`z`.

        .. seealso:: the manual
        """
    )

    assert read == Docstring(
        ":meth:`run` is better, or\n:attr:`x` or :param:`z`.\n\n.. seealso:: the manual",
        {"x": "An x\nat the margin.", "y": "A y.\n\nWith a second paragraph."},
    )


def test_field_names_lose_markup() -> None:
    """Names escaped for reST, or with their default, are names."""
    read = read_docstring(":param type\\_: A type.\n:param \\**kw: Words.\n:param raw=False: Raw.\n")

    assert read.parameters == {"type_": "A type.", "kw": "Words.", "raw": "Raw."}


# --- All styles ---------------------------------------------------------------------------------------------


def test_first_text_counts_and_attributes_last() -> None:
    """Attributes never override a parameter, but describe what nothing else does."""
    read = read_docstring(
        """
        Attributes:
            x (str): Attribute x.
            y (str): Attribute y.

        Parameters
        ----------
        x : int
            Parameter x.
        x : bool
            Again.

        :param y:
        :ivar z: Attribute z.
        """
    )

    assert read == Docstring(
        "",
        {"x": "Parameter x.", "y": "Attribute y.", "z": "Attribute z."},
        {"x": "int", "y": "str"},
    )


def test_prose_is_dedented_and_otherwise_as_written() -> None:
    """A docstring without sections is its own description."""
    text = "Say: hello.\n\n    Example:\n        >>> say()  # now\n\n\n        'hello'\n\n    - x\n    "

    assert read_docstring(text) == Docstring("Say: hello.\n\nExample:\n    >>> say()  # now\n\n\n    'hello'\n\n- x")


@pytest.mark.parametrize("text", [None, "", "  \n\t\n"])
def test_nothing_says_nothing(text: str | None) -> None:
    """No docstring and a blank one are the same."""
    assert read_docstring(text) == Docstring()


# --- Any text -----------------------------------------------------------------------------------------------

PIECES = [
    "Args:",
    "Parameters",
    "----------",
    "Returns:",
    "Notes",
    ":param int x:",
    "@type x: ",
    ":",
    "*",
    "x : int",
]
PIECES += ["\n", "\n\n", "    ", "\t", "x", ", ", "(", ")", "- ", "`", "\\", "\r", "\x0c", "\ud800", "é"]
texts = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=60).map("".join))


@given(texts)
def test_any_text_is_read(text: str) -> None:
    """Reading never fails, and never gives an empty text, name or type."""
    read = read_docstring(text)

    assert all(name and entry.strip() for name, entry in [*read.parameters.items(), *read.types.items()])


WORDS = st.text("abcXYZ019 _-+=:;.,()[]{}<>*`'\"\\/@#é", min_size=1, max_size=30)
LINES = WORDS.map(str.strip).filter(bool)
BELOW = st.one_of(LINES, st.just(""), LINES.map("    {}".format))


@st.composite
def described(draw: st.DrawFn) -> str:
    """Texts of one line or more, with blank and indented lines among them."""
    first, below, last = draw(LINES), draw(st.lists(BELOW, max_size=4)), draw(LINES)
    return "\n".join([first, *below, last]) if below else first


NAMES = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True)
PARAMETERS = st.dictionaries(NAMES, described(), min_size=1, max_size=5)


def google(parameters: Mapping[str, str]) -> str:
    entries = [indent(f"{name} (int, optional): {text}", " " * 8)[4:] for name, text in parameters.items()]
    return "Args:\n" + "\n".join(entries)


def numpy(parameters: Mapping[str, str]) -> str:
    entries = [f"{name} : int, optional\n{indent(text, '    ')}" for name, text in parameters.items()]
    return "Parameters\n----------\n" + "\n".join(entries)


def sphinx(parameters: Mapping[str, str]) -> str:
    entries = [indent(f":param {name}: {text}", "    ")[4:] for name, text in parameters.items()]
    return "\n".join([*entries, *(f":type {name}: int, optional" for name in parameters)])


def epytext(parameters: Mapping[str, str]) -> str:
    entries = [indent(f"@param {name}: {text}", "    ")[4:] for name, text in parameters.items()]
    return "\n".join([*entries, *(f"@type {name}: int, optional" for name in parameters)])


@pytest.mark.parametrize("write", [google, numpy, sphinx, epytext])
@given(parameters=PARAMETERS, margin=st.sampled_from(["", "    "]))
def test_what_is_written_is_read(
    write: Callable[[Mapping[str, str]], str], parameters: Mapping[str, str], margin: str
) -> None:
    """Names, texts and types written in any style come back as they were."""
    text = indent(f"Do it.\n\nWith care.\n\n{write(parameters)}\n", margin).lstrip()

    assert read_docstring(text) == Docstring(
        "Do it.\n\nWith care.", parameters, dict.fromkeys(parameters, "int, optional")
    )
