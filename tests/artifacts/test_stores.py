"""Both stores of artifacts, by one suite; then what is particular to each."""

import datetime
import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

import pytest

from prismpy import Artifact, StoreError, UnknownIdError
from prismpy.artifacts import ArtifactStore, FolderArtifacts, SQLiteArtifacts, StoredArtifact
from tests.limits import full_disk

PICTURE = Artifact.from_raw(b"\x89PNG...", "image/png", {"filename": "../a cat?.png", "width": 3})
KINDS: dict[str, Any] = {"folder": FolderArtifacts, "sqlite": SQLiteArtifacts}
FIRST = datetime.datetime(2024, 5, 6, 7, 8, tzinfo=datetime.UTC)


def make(kind: str, place: Path, **options: Any) -> Any:
    """Make a store whose clock goes on by a minute each time it is asked."""
    times = iter(FIRST + datetime.timedelta(minutes=n) for n in range(1000))
    return KINDS[kind](place / "artifacts.db", clock=lambda: next(times), **options)


def closed(store: Any) -> Any:
    return closing(store) if isinstance(store, SQLiteArtifacts) else nullcontext(store)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def store(kind: str, tmp_path: Path) -> Iterator[ArtifactStore]:
    with closed(made := make(kind, tmp_path)):
        yield made


def test_what_is_put_can_be_had(store: ArtifactStore) -> None:
    """The same content, type and metadata, under the id that the store gave."""
    stored = store.put(PICTURE)

    assert stored == StoredArtifact(
        id=stored.id,
        sha256=hashlib.sha256(b"\x89PNG...").hexdigest(),
        mime_type="image/png",
        size=7,
        filename="a cat_.png",
        created=FIRST,
        metadata={"filename": "../a cat?.png", "width": 3},
    )
    assert store.get(stored.id) == Artifact(PICTURE.data, "image/png", PICTURE.metadata, stored.id)
    assert store.describe(stored.id) == stored


def test_ids_are_made_of_what_an_artifact_is(tmp_path: Path) -> None:
    """Every store gives the same, and another description is another artifact."""
    with closed(make("folder", tmp_path / "1")) as one, closed(make("sqlite", tmp_path / "2")) as two:
        ids = {s.put(PICTURE).id for s in (one, two)}
        other = one.put(Artifact(PICTURE.data, "image/jpeg")).id

    assert len(ids) == 1
    assert other not in ids


def test_the_same_artifact_is_kept_once(store: ArtifactStore) -> None:
    """The first stays, its time too."""
    first = store.put(PICTURE)

    assert store.put(PICTURE) == first
    assert store.list() == (first,)


def test_artifacts_are_listed_oldest_first(store: ArtifactStore) -> None:
    """An empty store lists none."""
    assert store.list() == ()

    put = tuple(store.put(Artifact.from_raw(text, "text/plain")) for text in (b"c", b"a", b"b"))

    assert store.list() == put
    assert put[0].filename == "artifact.txt"


def test_a_deleted_artifact_is_gone(store: ArtifactStore) -> None:
    """It can be put again."""
    stored = store.put(PICTURE)
    store.delete(stored.id)

    assert store.list() == ()
    with pytest.raises(UnknownIdError, match=f"there is no artifact '{stored.id}'; list the artifacts"):
        store.get(stored.id)
    assert store.put(PICTURE).id == stored.id


@pytest.mark.parametrize("id", ["", "..", "../../etc/passwd", "0" * 64, "\0", "é" * 64])
def test_an_unknown_id_is_told(store: ArtifactStore, id: str) -> None:
    """Whatever it looks like, no file outside the store is touched."""
    for use in (store.get, store.describe, store.delete):
        with pytest.raises(UnknownIdError) as caught:
            use(id)

        assert caught.value.id == id


def test_nothing_too_large_is_kept(kind: str, tmp_path: Path) -> None:
    """Neither one artifact nor all together; the sentence tells the figures."""
    with closed(make(kind, tmp_path, max_bytes=100, max_total_bytes=150)) as store:
        store.put(Artifact.from_raw(b"x" * 100, "text/plain"))
        with pytest.raises(StoreError, match="the artifact has 101 bytes, and at most 100 are kept"):
            store.put(Artifact.from_raw(b"x" * 101, "text/plain"))
        with pytest.raises(StoreError, match="has 60 bytes, and the store holds 100 of at most 150; delete some"):
            store.put(Artifact.from_raw(b"x" * 60, "text/plain"))
        store.put(Artifact.from_raw(b"x" * 50, "text/plain"))
        store.put(Artifact.from_raw(b"x" * 50, "text/plain"))

        assert [stored.size for stored in store.list()] == [100, 50]


@pytest.mark.parametrize(
    ("artifact", "complaint"),
    [
        (Artifact("not base64!", "image/png"), "artifact None: data is no base64"),
        (Artifact("", "picture"), "the artifact's type is 'picture'; give it one such as 'image/png'"),
        (Artifact("", "text/html\r\nSet-Cookie: a=b"), "the artifact's type is"),
        (Artifact("", "text/plain", {"when": FIRST}), "the artifact's metadata is no JSON"),
        (Artifact("", "text/plain", {"n": float("nan")}), "the artifact's metadata is no JSON"),
    ],
)
def test_what_is_no_artifact_is_refused(store: ArtifactStore, artifact: Artifact, complaint: str) -> None:
    """Nothing of it is kept."""
    with pytest.raises(StoreError, match=complaint):
        store.put(artifact)

    assert store.list() == ()


@pytest.mark.parametrize("name", ["../../x", "CON", "\ud800", ".artifact.json", "<script>.html", "", 5])
def test_hostile_names_harm_nobody(store: ArtifactStore, name: Any) -> None:
    """The metadata keeps the name as it was."""
    artifact = Artifact.from_raw(b"x", "text/html", {"filename": name})
    stored = store.put(artifact)

    assert store.get(stored.id) == Artifact(artifact.data, "text/html", {"filename": name}, stored.id)


def test_a_full_disk_leaves_nothing_half_written(kind: str, tmp_path: Path) -> None:
    """What was there is still there."""
    with closed(make(kind, tmp_path)) as store:
        kept = store.put(PICTURE)
        with full_disk(20_000), pytest.raises(StoreError, match="could not"):
            store.put(Artifact.from_raw(b"x" * 500_000, "text/plain"))

        assert store.list() == (kept,)
        assert store.get(kept.id).raw() == PICTURE.raw()
    assert list(tmp_path.rglob(".new-*")) == []


WRITER = """
import sys
from prismpy import Artifact
from prismpy.artifacts import FolderArtifacts, SQLiteArtifacts
store = {"folder": FolderArtifacts, "sqlite": SQLiteArtifacts}[sys.argv[1]](sys.argv[2])
for i in range(40):
    store.put(Artifact.from_raw(f"{i % 20} {'' if i < 20 else sys.argv[3]}".encode(), "text/plain"))
"""


def test_processes_that_put_at_once_lose_nothing(kind: str, tmp_path: Path) -> None:
    """Half of what they put is the same for all."""
    command = [sys.executable, "-c", WRITER, kind, str(tmp_path / "artifacts.db")]
    writers = [subprocess.Popen([*command, str(n)], stderr=subprocess.PIPE, text=True) for n in range(2)]

    assert [writer.communicate()[1] for writer in writers] == ["", ""]
    with closed(make(kind, tmp_path)) as store:
        assert len(store.list()) == 60


def test_a_folder_can_be_looked_into(tmp_path: Path) -> None:
    """Each artifact is a file under its own name; changed content is noticed."""
    store = make("folder", tmp_path)
    id = store.put(PICTURE).id
    file = tmp_path / "artifacts.db" / id / "a cat_.png"

    assert file.read_bytes() == PICTURE.raw()
    file.write_bytes(b"other")
    with pytest.raises(StoreError, match=f"artifact {id}: its content was changed since it was put there"):
        store.get(id)


@pytest.mark.parametrize("text", ["{", "[]", "{}", json.dumps({"created": "2024-05-06"})])
def test_a_description_edited_by_hand_is_told(tmp_path: Path, text: str) -> None:
    """The error names the file and what to do."""
    store = make("folder", tmp_path)
    id = store.put(PICTURE).id
    (tmp_path / "artifacts.db" / id / ".artifact.json").write_text(text)

    with pytest.raises(StoreError, match=rf"artifact {id}: \.artifact\.json was changed and cannot be read"):
        store.list()


def test_a_folder_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    """It is a file here."""
    (tmp_path / "artifacts.db").write_text("")
    store = make("folder", tmp_path)

    with pytest.raises(StoreError, match=r"could not keep a cat_\.png"):
        store.put(PICTURE)
    with pytest.raises(StoreError, match=r"could not list artifacts\.db: a part of its path is no folder"):
        store.list()
    with pytest.raises(StoreError, match="a part of its path is no folder"):
        store.get("0" * 64)
