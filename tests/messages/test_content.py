"""Pictures and files in messages."""

from pathlib import Path

import pytest

from prismpy import DefinitionError, Document, Image


def test_from_raw_keeps_bytes_as_base64() -> None:
    """Bytes become base64 beside their type."""
    assert Image.from_raw(b"\x89PNG", "image/png") == Image("iVBORw==", "image/png")


def test_from_path_reads_the_type_off_the_name(tmp_path: Path) -> None:
    """A file's name says what it is, unless the caller does."""
    file = tmp_path / "paper.pdf"
    file.write_bytes(b"%PDF")

    assert Document.from_path(file) == Document("JVBERg==", "application/pdf")
    assert Document.from_path(file, "text/plain") == Document("JVBERg==", "text/plain")


def test_from_path_names_no_type_it_does_not_know(tmp_path: Path) -> None:
    """A name that says nothing leaves bytes without a meaning."""
    file = tmp_path / "thing"
    file.write_bytes(b"x")

    assert Document.from_path(file).mime_type == "application/octet-stream"


def test_places_are_kept() -> None:
    """A URL or an id says where the content is."""
    assert Image.from_url("https://example.com/a.png") == Image(url="https://example.com/a.png")
    assert Document.from_file_id("file-1") == Document(file_id="file-1")
    assert Image.from_base64("eA==", "image/gif") == Image("eA==", "image/gif")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "Image needs one of data, url and file_id, got none; build it with from_raw or from_url"),
        (
            {"data": "eA==", "mime_type": "image/png", "url": "https://example.com"},
            "Image needs one of data, url and file_id, got data and url; build it with from_raw or from_url",
        ),
        ({"data": "eA=="}, "Image has data without mime_type; say what it is, such as 'image/png'"),
    ],
)
def test_content_is_given_once(arguments: dict[str, str], message: str) -> None:
    """One place of the content, and with data its type."""
    with pytest.raises(DefinitionError) as caught:
        Image(**arguments)

    assert str(caught.value) == message


def test_repr_shows_no_content() -> None:
    """A picture's bytes do not flood a log."""
    assert repr(Image("eA==", "image/png")).startswith("Image(data=<4 characters of base64>")
    assert "data=None" in repr(Image.from_url("https://example.com"))
