"""The sources that ship ready."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from prismpy import (
    Agent,
    AssistantMessage,
    CallPart,
    ContextBlock,
    DefinitionError,
    EmbeddingSource,
    HistoryMemory,
    KeywordSource,
    TextPart,
    ToolCall,
    UserMessage,
)
from prismpy.contexts._passages import MAX_CHARACTERS, Passage, passages
from prismpy.testing import ScriptedModel


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two notes and something else."""
    (tmp_path / "cats.md").write_text("# Cats\n\nThey purr.\n", encoding="utf-8")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "dogs.md").write_text("Dogs chase cats.\n", encoding="utf-8")
    (tmp_path / "data.bin").write_bytes(b"\xff\xfe")
    return tmp_path


def test_keywords_find_passages_of_files(folder: Path) -> None:
    """The best passage first, with its file and line."""
    source = KeywordSource([folder])

    first, second = source.get_blocks("which cats purr?")
    assert (first.text, first.title, first.uri) == (
        "# Cats\n\nThey purr.",
        "cats.md",
        f"{(folder / 'cats.md').as_posix()}:1",
    )
    assert second.title == "dogs.md"
    assert [block.title for block in source.get_blocks("cats", top_k=1)] == ["cats.md"]
    assert source.get_blocks("zebra") == []


def test_a_file_may_be_named_itself(folder: Path) -> None:
    """A pattern is for folders. One place needs no list."""
    file = folder / "deep" / "dogs.md"

    for places in ([file], file, str(file), folder / "deep"):
        assert [block.title for block in KeywordSource(places).get_blocks("dogs")] == ["dogs.md"]


@pytest.mark.parametrize(
    ("place", "pattern", "message"),
    [
        ("nowhere", "*.md", r"there is no file or folder '.*nowhere'; a source needs one that exists"),
        ("data.bin", "*", r"'.*data.bin' is no text in UTF-8 \(invalid start byte\); leave it out by the pattern"),
    ],
)
def test_files_that_cannot_be_read_are_named(folder: Path, place: str, pattern: str, message: str) -> None:
    """When the source is made, not when it is searched."""
    with pytest.raises(DefinitionError, match=message):
        KeywordSource([folder / place], pattern=pattern)


def letters(texts: Sequence[str]) -> list[list[float]]:
    """Mean by letters: how often a, b and c occur."""
    return [[text.count("a") + 0.001, text.count("b"), text.count("c")] for text in texts]


def test_meaning_finds_passages_of_documents() -> None:
    """Those that are like the query, the most alike first."""
    source = EmbeddingSource([("As", "aaa"), ("Bs", "bbb"), ("ABs", "aab")], letters)

    assert [block.title for block in source.get_blocks("a")] == ["As", "ABs"]
    assert [block.title for block in source.get_blocks("b", top_k=1)] == ["Bs"]
    assert source.get_blocks(" ") == []
    assert EmbeddingSource([], letters).get_blocks("a") == []
    (found,) = EmbeddingSource(["bbb", "aaa"], letters).get_blocks("a")
    assert (found.text, found.title) == ("aaa", "document 2")


def test_meaning_finds_passages_of_files(folder: Path) -> None:
    """Files are cut as for keywords."""
    source = EmbeddingSource.of_files([folder], letters, name="notes", active=True, passive=False)

    assert (source.name, source.active, source.passive) == ("notes", True, False)
    assert {block.title for block in source.get_blocks("ac")} == {"cats.md", "dogs.md"}


def test_documents_are_cut_between_paragraphs() -> None:
    """Short paragraphs stay together; each passage knows its first line."""
    long = "word " * 200

    together = list(passages(f"one\n\ntwo\ntwo\n\n\n{long}\n\nlast\n", "t", "u"))
    apart = list(passages(f"{long}\n\nlast\n\n{long}", "t", "u"))

    assert [(passage.text, passage.uri) for passage in apart] == [(f"{long}\n\nlast", "u:1"), (long, "u:5")]
    assert together == [Passage(f"one\n\ntwo\ntwo\n\n{long}\n\nlast", "t", "u:1")]


def test_long_paragraphs_are_cut_between_words() -> None:
    """And where there is no space, anywhere."""
    found = list(passages("x" * 3000 + " " + "word " * 300, "t", "u"))

    assert [len(passage.text) <= MAX_CHARACTERS for passage in found] == [True] * len(found)
    assert "".join(passage.text for passage in found).replace(" ", "") == ("x" * 3000 + "word" * 300)


def test_history_is_remembered_over_runs() -> None:
    """The next prompt has what was said; calls are left out."""
    memory = HistoryMemory(max_exchanges=2)
    agent = Agent("demo", ScriptedModel(["one", "two", "three"]), contexts=[memory])

    agent.run("1")
    assert memory.get_blocks("anything") == [ContextBlock("User: 1\nAssistant: one")]
    list(agent.stream("2"))
    agent.run("3")

    texts = [block.text for block in memory.get_blocks("", top_k=0)]
    assert texts == ["User: 2\nAssistant: two", "User: 3\nAssistant: three"]
    assert len(memory.get_blocks("", top_k=1)) == 1


def test_history_keeps_words_only() -> None:
    """What the user said, and the model's last words."""
    memory = HistoryMemory()
    memory.remember(
        [
            UserMessage("look"),
            AssistantMessage([TextPart("looking"), CallPart(ToolCall("a", "w"))]),
            AssistantMessage([TextPart("found")]),
            AssistantMessage(),
        ]
    )

    assert memory.get_blocks("") == [ContextBlock("User: look\nAssistant: found")]
    with pytest.raises(DefinitionError, match="max_exchanges is 0; pass a number more than 0"):
        HistoryMemory(max_exchanges=0)
