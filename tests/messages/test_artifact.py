"""What a tool makes for the app."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prismpy import Artifact, PrismError


@given(st.binary())
def test_an_artifact_gives_its_bytes_back(content: bytes) -> None:
    """`raw` undoes `from_raw`."""
    assert Artifact.from_raw(content, "image/png").raw() == content


def test_an_artifact_is_prisms() -> None:
    """Fields and their order are Prism's; the content is base64."""
    artifact = Artifact.from_raw(b"abc", "text/plain", {"filename": "a.txt"}, "a1")

    assert artifact == Artifact("YWJj", "text/plain", {"filename": "a.txt"}, "a1")
    assert repr(artifact) == (
        "Artifact(data=<4 characters of base64>, mime_type='text/plain', metadata={'filename': 'a.txt'}, id='a1')"
    )


def test_broken_base64_is_named() -> None:
    """Data that is no base64 says which artifact it is in, and what to do."""
    with pytest.raises(PrismError, match=r"artifact 'a1': data is no base64 \(.*\); build artifacts from bytes"):
        Artifact("not base64!", "text/plain", id="a1").raw()
