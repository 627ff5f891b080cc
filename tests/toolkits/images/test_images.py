"""Pictures: one suite over the ones drawn offline and the ones the OpenAI SDK gets from a server on loopback."""

import hashlib
import json
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from prismpy import StoreError, Toolbox, ToolCall
from prismpy.artifacts import FolderArtifacts
from prismpy.toolkits import DrawnImages, ImageTools, OpenAIImages
from prismpy.toolkits.images import Picture, Wish, picture_of
from tests.limits import full_disk
from tests.misbehaving import answering, closed, silent

from .server import KEY, images


@pytest.fixture
def requests() -> list[Any]:
    return []


@pytest.fixture(params=["drawn", "openai"])
def maker(request: pytest.FixtureRequest, requests: list[Any]) -> Iterator[Any]:
    if request.param == "drawn":
        yield DrawnImages()
        return
    with images(requests) as url:
        made = OpenAIImages(api_key=KEY, base_url=url, retries=0)
        yield made
        made.close()


@pytest.fixture
def artifacts(tmp_path: Path) -> FolderArtifacts:
    return FolderArtifacts(tmp_path / "artifacts")


@pytest.fixture
def toolbox(maker: Any, artifacts: FolderArtifacts) -> Toolbox:
    return Toolbox(ImageTools(maker, artifacts))


def call(**arguments: Any) -> list[ToolCall]:
    return [ToolCall("1", "generate_image", arguments)]


def pixels(content: bytes) -> bytes:
    """Unpack the pixels of a PNG that has one piece of them."""
    start = content.index(b"IDAT") + 4
    return zlib.decompress(content[start : content.index(b"IEND") - 8])


def test_the_model_gets_a_status_and_the_app_a_picture(toolbox: Toolbox, artifacts: FolderArtifacts) -> None:
    """Which is kept under the id that both are told."""
    (result,) = toolbox.run(call(prompt="a lighthouse at dusk", shape="landscape", name="../Lighthouse"))
    told, (artifact,) = json.loads(result.text), result.artifacts

    assert told == {
        "status": "success",
        "artifact": artifact.id,
        "mime_type": "image/png",
        "bytes": len(artifact.raw()),
        "width": 288,
        "height": 192,
    }
    assert artifact.metadata == {
        "filename": "../Lighthouse.png",
        "prompt": "a lighthouse at dusk",
        "width": 288,
        "height": 192,
    }
    assert artifact.id is not None
    assert artifacts.get(artifact.id) == artifact
    assert artifacts.describe(artifact.id).filename == "Lighthouse.png"
    assert len(result.text) < 250


@pytest.mark.parametrize(
    ("shape", "size"), [("square", (192, 192)), ("landscape", (288, 192)), ("portrait", (192, 288))]
)
def test_a_picture_is_valid(maker: Any, shape: str, size: tuple[int, int]) -> None:
    """As large as it says, each row of it; the words decide what it shows."""
    picture, other = maker.make(Wish("tea", shape)), maker.make(Wish("coffee", shape))
    width, height = size

    assert (picture.mime_type, picture.width, picture.height) == ("image/png", width, height)
    assert len(pixels(picture.content)) == height * (4 * width + 1)
    assert pixels(picture.content) != pixels(other.content)
    assert pixels(picture.content) == pixels(maker.make(Wish("tea", shape)).content)


def test_what_is_behind_may_be_left_out(maker: Any) -> None:
    """The corner is transparent, unless nobody asked for that."""
    assert pixels(maker.make(Wish("tea", transparent=True)).content)[4] == 0
    assert pixels(maker.make(Wish("tea")).content)[4] == 255


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"prompt": ""}, "prompt: expected a text of length 1 or more"),
        ({"prompt": "x", "shape": "round"}, "shape: "),
        ({"prompt": "x", "name": "y" * 61}, "name: expected a text of length 60 or less"),
    ],
)
def test_mistakes_of_the_model_are_told(toolbox: Toolbox, arguments: Any, complaint: str) -> None:
    """In words that help it."""
    (result,) = toolbox.run(call(**arguments))

    assert result.is_error
    assert complaint in result.text


def test_a_full_disk_keeps_nothing(toolbox: Toolbox, artifacts: FolderArtifacts) -> None:
    """The error says so, and there is no picture without its file."""
    with full_disk(1000):
        (result,) = toolbox.run(call(prompt="tea", name="x" * 10))

    assert result.text.startswith("could not keep xxxxxxxxxx.png: ")
    assert artifacts.list() == ()


def test_openai_is_asked_in_its_words(requests: list[Any]) -> None:
    """One picture, of a size that all models take."""
    with images(requests) as url:
        maker = OpenAIImages(model="gpt-image-2", api_key=KEY, base_url=url)
        maker.make(Wish("tea", "portrait", "high", transparent=True))
        maker.close()
        maker.close()

    assert requests == [
        (
            "/v1/images/generations",
            {
                "model": "gpt-image-2",
                "prompt": "tea",
                "n": 1,
                "size": "1024x1536",
                "quality": "high",
                "background": "transparent",
                "output_format": "png",
            },
        )
    ]


def test_what_openai_does_not_take_is_told(requests: list[Any]) -> None:
    """In its words, but for a wrong key, of which those have a part."""
    with images(requests) as url:
        maker = OpenAIImages(api_key=KEY, base_url=url, retries=0)
        with pytest.raises(StoreError, match=r"status 400 \(Your request was rejected by the safety system\.\)"):
            maker.make(Wish("forbidden"))
        maker.close()
        maker = OpenAIImages(api_key="sk-wrong", base_url=url, retries=0)
        with pytest.raises(StoreError) as caught:
            maker.make(Wish("tea"))
        maker.close()

    assert str(caught.value) == "gpt-image-2.5-flare of the images API made no picture: it does not accept the key"


def test_a_missing_key_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """When a picture is asked for."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    with pytest.raises(StoreError, match="there is no key; set OPENAI_API_KEY"):
        OpenAIImages().make(Wish("tea"))


@pytest.mark.parametrize(
    ("server", "complaint"),
    [
        (silent, "it does not answer in time"),
        (closed, "it cannot be reached"),
        (lambda: answering(429, b"{}"), "it takes no more requests for now, or the account is used up"),
        (lambda: answering(500, b"<html>sorry</html>"), "it answers with status 500$"),
        (lambda: answering(200, b"<html>Hello</html>"), "its answer has no picture in it"),
        (lambda: answering(200, b'{"data": []}'), "its answer has no picture in it"),
        (lambda: answering(200, b'{"data": [{"url": "http://x"}]}'), "its answer has no picture in it"),
        (lambda: answering(200, b'{"data": [{"b64_json": "*"}]}'), "is no PNG, JPEG, GIF or WebP picture"),
        (lambda: answering(200, b'{"data": [{"b64_json": "PHN2Zz4="}]}'), "is no PNG, JPEG, GIF or WebP picture"),
    ],
)
def test_a_server_that_does_not_do_its_work_is_told(
    server: Callable[[], AbstractContextManager[str]], complaint: str
) -> None:
    """In time, and without the key."""
    with server() as address:
        maker = OpenAIImages(api_key=KEY, base_url=f"http://{address}/v1", patience=0.2, retries=0)
        with pytest.raises(StoreError, match=complaint) as caught:
            maker.make(Wish("tea"))
        maker.close()

    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "picture"),
    [
        (b"\xff\xd8\xff\xe0 jpeg", Picture(b"\xff\xd8\xff\xe0 jpeg", "image/jpeg")),
        (b"GIF89a", Picture(b"GIF89a", "image/gif")),
        (b"RIFF1234WEBPVP8 ", Picture(b"RIFF1234WEBPVP8 ", "image/webp")),
        (b"\x89PNG\r\n\x1a\n", Picture(b"\x89PNG\r\n\x1a\n", "image/png")),
    ],
)
def test_pictures_are_known_by_their_first_bytes(content: bytes, picture: Picture) -> None:
    """Not by what somebody says they are."""
    assert picture_of(content) == picture


@pytest.mark.parametrize("content", [b"", b"<svg onload='alert(1)'>", b"RIFF1234WAVE", b"\x89PNG"])
def test_what_is_no_picture_is_refused(content: bytes) -> None:
    """Nor is a drawing that may run a program."""
    with pytest.raises(StoreError, match="is no PNG, JPEG, GIF or WebP picture, so it was not kept"):
        picture_of(content)


def test_the_same_picture_has_the_same_id(artifacts: FolderArtifacts) -> None:
    """Whoever asks for it, and however often."""
    toolbox = Toolbox(ImageTools(DrawnImages(), artifacts))
    one, two = toolbox.run([*call(prompt="tea"), *call(prompt="tea")])

    assert one.artifacts == two.artifacts
    assert [stored.sha256 for stored in artifacts.list()] == [hashlib.sha256(one.artifacts[0].raw()).hexdigest()]
