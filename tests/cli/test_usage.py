"""How exceptions are put into one line."""

from prismpy.cli._usage import words


def test_words_names_the_class_before_the_text() -> None:
    """The class stands first, since the text of many exceptions says nothing without it."""
    assert words(KeyError("city")) == "KeyError: 'city'"


def test_words_is_one_line() -> None:
    """Line breaks in the text become blanks."""
    assert words(ValueError("first\n  second\n")) == "ValueError: first second"


def test_words_of_an_exception_without_text_is_its_class() -> None:
    """Nothing is added where there is nothing to say."""
    assert words(SystemExit()) == "SystemExit"
