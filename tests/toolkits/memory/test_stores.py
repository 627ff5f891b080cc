"""Stores of memories: one suite over SQLite, SQLite with sqlite-vec, PostgreSQL, and PostgreSQL with pgvector."""

import subprocess
import sys
import threading
from typing import Any

import pytest

from prismpy import StoreError, UnknownIdError
from prismpy.toolkits.memory import Change, Fact, Found, Kept, Memory, MemoryStore, Search, open_memories

from .conftest import Open, embed


def contents(found: tuple[Found, ...]) -> list[str]:
    return [one.memory.fact.content for one in found]


def remember(store: MemoryStore, *facts: str) -> list[str]:
    """Store facts, and return their ids."""
    return [kept.memory.id for kept in store.add([Fact(fact) for fact in facts])]


def test_facts_are_kept_with_all_that_is_said_of_them(reopen: Open) -> None:
    """Also for whoever opens the place later."""
    fact = Fact("Anna is the user's sister ", "Person", " Family ", ("Sister", "anna", "sister", ""))
    (kept,) = reopen().add([fact])
    time = "2024-05-06T07:00:00+00:00"

    assert kept == Kept(Memory(kept.memory.id, fact, time, time), is_new=True)
    assert (fact.content, fact.type, fact.category, fact.tags) == (
        "Anna is the user's sister",
        "person",
        "family",
        ("anna", "sister"),
    )
    assert reopen().search(Search()) == (Found(kept.memory, ()),)


def test_what_is_known_is_not_stored_again(store: MemoryStore) -> None:
    """Case, spaces and the stop at the end do not matter; any other sign does."""
    first, *others = store.add([Fact("Likes C++"), Fact("likes  c++."), Fact("Likes C"), Fact("LIKES C++", "goal")])

    assert [kept.is_new for kept in (first, *others)] == [True, False, True, False]
    assert others[0].memory == others[2].memory == first.memory
    assert contents(store.search(Search())) == ["Likes C", "Likes C++"]


def test_facts_are_stored_all_or_none(reopen: Open) -> None:
    """Here the embedding function fails on the second; the error passes through."""

    def fail(texts: Any) -> Any:
        raise ConnectionError("no answer")

    with pytest.raises(ConnectionError, match="no answer"):
        reopen(embed=fail).add([Fact("one"), Fact("two")])

    assert reopen().search(Search()) == ()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("dark mode", ["The user prefers dark mode", "Dark chocolate is a favourite"]),
        ("DÁRK", ["Dark chocolate is a favourite", "The user prefers dark mode"]),
        ("favour", ["Dark chocolate is a favourite"]),
        ("東京", ["来週は東京に行く"]),
        ("straße", ["Lives in Strasse 5"]),
        ("हिन्दी", ["बोलता है हिन्दी"]),
        ("nothing of the kind", ["The user prefers dark mode"]),
        ("zzz", []),
        ("!?*", []),
        ('"', []),
        (
            "dark* NEAR( AND 'OR\" mode) -- ; :mode %% \0",
            ["The user prefers dark mode", "Dark chocolate is a favourite"],
        ),
    ],
)
def test_words_are_found(store: MemoryStore, query: str, found: list[str]) -> None:
    """By their beginnings, in any script; nothing in a query is an operator."""
    remember(
        store,
        "The user prefers dark mode",
        "Dark chocolate is a favourite",
        "来週は東京に行く",
        "Lives in Strasse 5",
        "बोलता है हिन्दी",
    )

    assert sorted(contents(store.search(Search(query)))) == sorted(found)


def test_what_has_more_of_the_words_stands_first(store: MemoryStore) -> None:
    """Whenever it was stored."""
    remember(store, "Drinks tea", "Drinks green tea with mint", "Wears green")

    assert contents(store.search(Search("green tea, mint")))[0] == "Drinks green tea with mint"


def test_short_words_do_not_stand_for_longer_ones(store: MemoryStore) -> None:
    """Else each question would find what begins like an article."""
    remember(store, "Prefers a dark theme", "Goes to the gym")

    assert contents(store.search(Search("the"))) == ["Goes to the gym"]
    assert contents(store.search(Search("prefer"))) == ["Prefers a dark theme"]


def test_tags_and_category_are_words_too(store: MemoryStore) -> None:
    """A memory is found by how it was filed."""
    store.add([Fact("Moved in March", category="housing", tags=["Oslo"])])

    assert contents(store.search(Search("oslo"))) == contents(store.search(Search("housing"))) == ["Moved in March"]


def test_filters_must_all_hold(store: MemoryStore) -> None:
    """With a query and without; without one the latest stand first."""
    store.add(
        [Fact("Tea at five", "preference", "food", ["tea", "daily"]), Fact("Tea is hot", "fact", "food", ["tea"])]
    )
    store.add([Fact("Tea time", "preference", "home")])

    assert contents(store.search(Search("tea", category="Food", tags=["Tea"], type="preference"))) == ["Tea at five"]
    assert contents(store.search(Search(tags=["tea"]))) == ["Tea is hot", "Tea at five"]
    assert contents(store.search(Search(tags=["tea", "daily"]))) == ["Tea at five"]
    assert contents(store.search(Search(type="preference"))) == ["Tea time", "Tea at five"]
    assert contents(store.search(Search(limit=1))) == ["Tea time"]
    assert contents(store.search(Search("tea", category="work"))) == []


def test_meaning_is_found_without_the_words(reopen: Open) -> None:
    """What fits by words and by meaning stands before what fits by one; what is alien is left out."""
    store = reopen(embed=embed)
    remember(store, "Prefers a dark theme", "Drinks tea", "Coffee keeps the user awake", "Was born in May")
    found = store.search(Search("which beverage keeps the user awake?"))

    assert [(one.memory.fact.content, one.by) for one in found] == [
        ("Coffee keeps the user awake", ("words", "meaning")),
        ("Drinks tea", ("meaning",)),
    ]


def test_memories_without_a_meaning_are_found_by_words(reopen: Open) -> None:
    """They were stored before there was an embedding function; `reindex` gives them one."""
    remember(reopen(), "Drinks tea", "Was born in May")
    store = reopen(embed=embed)
    before = contents(store.search(Search("beverage")))

    assert (before, store.reindex()) == ([], 2)
    assert contents(store.search(Search("beverage"))) == ["Drinks tea"]


def test_another_embedding_function_takes_over(reopen: Open) -> None:
    """Vectors of another length are no hindrance, and nothing to compare with."""
    remember(reopen(embed=embed), "Drinks tea")
    store = reopen(embed=lambda texts: [[1.0] for _ in texts])

    assert contents(store.search(Search("beverage"))) == []
    store.reindex()
    assert contents(store.search(Search("beverage"))) == ["Drinks tea"]


@pytest.mark.parametrize(
    ("vectors", "complaint"),
    [
        ([], "gave 0 vectors of lengths \\[\\] for 1 texts"),
        ([[]], "gave 1 vectors of lengths \\[0\\] for 1 texts"),
        ([[1], [1, 2]], "gave 2 vectors of lengths \\[1, 2\\] for 1 texts"),
        ([[0, 0]], "a vector of length 0"),
        ([[float("nan"), 0]], "a vector of length nan"),
    ],
)
def test_an_embedding_function_that_gives_nonsense_is_told(reopen: Open, vectors: Any, complaint: str) -> None:
    """Nothing is stored."""
    store = reopen(embed=lambda texts: vectors)
    with pytest.raises(StoreError, match=complaint):
        remember(store, "Drinks tea")

    assert store.search(Search()) == ()


def test_what_is_given_changes_and_the_rest_stays(reopen: Open) -> None:
    """The words and the meaning follow."""
    store = reopen(embed=embed)
    (kept,) = store.add([Fact("Drinks tea", "preference", "food", ["tea"])])
    memory = store.update(kept.memory.id, Change(content="Has a dog", category=""))

    assert memory.fact == Fact("Has a dog", "preference", "", ["tea"])
    assert (memory.created, memory.updated) == ("2024-05-06T07:00:00+00:00", "2024-05-06T07:01:00+00:00")
    assert [store.search(Search(query)) for query in ("drinks", "beverage", "food")] == [(), (), ()]
    assert store.search(Search("pet")) == (Found(memory, ("meaning",)),)
    assert store.update(memory.id, Change(type="fact", tags=[])).fact == Fact("Has a dog", "fact")
    assert contents(store.search(Search("pet"))) == ["Has a dog"]
    assert store.update(memory.id, Change(content="has a dog!")).fact.content == "has a dog!"


def test_a_memory_does_not_become_another(store: MemoryStore) -> None:
    """Both stay as they are, and the error names the other."""
    one, two = remember(store, "Drinks tea", "Drinks coffee")
    with pytest.raises(StoreError, match=f"memory '{one}' says the same already; '{two}' was left as it is"):
        store.update(two, Change(content="drinks TEA"))

    assert sorted(contents(store.search(Search()))) == ["Drinks coffee", "Drinks tea"]


def test_a_deleted_memory_is_gone(store: MemoryStore) -> None:
    """It can be stored again."""
    (id,) = remember(store, "Drinks tea")
    forgotten = store.delete(id)

    assert forgotten.fact.content == "Drinks tea"
    assert store.search(Search("tea")) == store.search(Search()) == ()
    assert store.add([Fact("Drinks tea")])[0].is_new


@pytest.mark.parametrize("id", ["", "m0", "' OR 1 = 1 --", "\0", "%s"])
def test_an_unknown_id_is_told(store: MemoryStore, id: str) -> None:
    """Nothing else is touched."""
    remember(store, "Drinks tea")
    for use in (store.delete, lambda id: store.update(id, Change(content="x"))):
        with pytest.raises(UnknownIdError, match="search_memory tells the ids"):
            use(id)

    assert contents(store.search(Search())) == ["Drinks tea"]


def test_blank_facts_are_refused(store: MemoryStore) -> None:
    """New or changed; what was there stays."""
    (id,) = remember(store, "Drinks tea")
    with pytest.raises(StoreError, match="a memory without content was not stored; say what to remember"):
        store.update(id, Change(content=" \0"))
    with pytest.raises(StoreError, match="without content"):
        Fact("  ")

    assert contents(store.search(Search())) == ["Drinks tea"]


@pytest.mark.parametrize("text", ["</script><script>alert(1)</script>", "x" * 4000, "50% :name ::int $1 \\", "🙂"])
def test_any_text_is_kept_as_it_is(store: MemoryStore, text: str) -> None:
    """Nothing in it means anything to a database."""
    remember(store, text)

    assert contents(store.search(Search())) == [text]


def test_threads_lose_nothing(store: MemoryStore) -> None:
    """What they all store is there once."""
    work = [lambda n=n: remember(store, *(f"{n}.{i}" for i in range(5)), "common") for n in range(6)]
    threads = [threading.Thread(target=one) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(store.search(Search(limit=1000))) == 31


WRITER = """
import sys
from prismpy.toolkits.memory import Fact, open_memories
store = open_memories(sys.argv[1])
for i in range(30):
    store.add([Fact(f"common {i}"), Fact(f"{sys.argv[2]} {i}"), Fact(f"common {(i + 7) % 30}")])
"""


def test_processes_that_start_and_write_at_once_lose_nothing(reopen: Open) -> None:
    """Each makes the tables if it is the first; what both store is there once."""
    command = [sys.executable, "-c", WRITER, reopen.place]
    writers = [subprocess.Popen([*command, str(n)], stderr=subprocess.PIPE, text=True) for n in range(2)]

    assert [writer.communicate()[1] for writer in writers] == ["", ""]
    assert len(reopen().search(Search(limit=1000))) == 90


def test_a_place_is_opened_by_its_path_or_url(reopen: Open) -> None:
    """As it stands in a configuration."""
    remember(reopen(), "Drinks tea")
    opened = open_memories(reopen.place, embed=embed)
    opened.reindex()

    assert contents(opened.search(Search("beverage"))) == ["Drinks tea"]
    opened.close()


def test_meanings_are_compared_by_what_is_installed(reopen: Open, request: pytest.FixtureRequest) -> None:
    """In C where sqlite-vec or pgvector is there, else exactly and slowly."""
    store = reopen(embed=embed)
    query, expected = {
        "sqlite": ("SELECT similarity(x'0000803f', x'0000003f')", 0.5),
        "sqlite-vec": ("SELECT vec_version() LIKE 'v%'", 1),
        "postgres": ("SELECT prosrc LIKE '%unnest%' FROM pg_proc WHERE proname = 'similarity'", True),
        "pgvector": ("SELECT prosrc LIKE '%<=>%' FROM pg_proc WHERE proname = 'similarity'", True),
    }[request.node.callspec.params["reopen"]]

    assert store._database.read(query, {})[0] == (expected,)
