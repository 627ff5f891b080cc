"""Texts that are found by their words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prismpy.search import WordIndex


def found(index: WordIndex, query: str, limit: int = 0) -> list[int]:
    return [number for number, _ in index.find(query, limit)]


def test_the_best_comes_first() -> None:
    """A text with more of the words, or in the column that counts more, is better."""
    index = WordIndex(5.0, 1.0)
    index.add([("Cats", "They purr."), ("Dogs", "They chase cats."), ("Birds", "They sing.")])

    assert found(index, "cats") == [0, 1]
    assert found(index, "cats that purr and sing") == [0, 2, 1]
    assert found(index, "cats", 1) == [0]
    scores = [score for _, score in index.find("cats")]
    assert scores == sorted(scores, reverse=True)


def test_case_accents_and_endings_do_not_count() -> None:
    """Long words find longer ones that begin so; short ones only themselves."""
    index = WordIndex()
    index.add([("Le café résumé",), ("A theme park",)])

    assert found(index, "CAFE resume") == [0]
    assert found(index, "them") == [1]
    assert found(index, "the") == []


def test_numbers_go_on_where_texts_are_added_later() -> None:
    """The first text of the second lot has the next number."""
    index = WordIndex()
    index.add([("one",), ("two",)])
    index.add([("two more",)])

    assert sorted(found(index, "two")) == [1, 2]
    index.close()


@given(st.text(max_size=30))
def test_no_query_is_an_operator(query: str) -> None:
    """Whatever is asked, nothing breaks."""
    index = WordIndex()
    index.add([("some words",)])

    assert found(index, query) in ([], [0])


@pytest.mark.parametrize("query", ["", " ", '"', "-- ; *"])
def test_a_query_without_words_finds_nothing(query: str) -> None:
    """There is nothing to look for."""
    index = WordIndex()
    index.add([("some words",)])

    assert index.find(query) == []
