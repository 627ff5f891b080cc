"""The tool `generate_image`: the model gets a short status, the app the picture."""

from collections.abc import Iterator
from typing import Annotated, Any

from prismpy.artifacts import ArtifactStore
from prismpy.fluent import Tool
from prismpy.messages import Artifact, ToolOutput
from prismpy.types import Param

from ._values import ImageMaker, Quality, Shape, Wish


class GenerateImage(Tool):
    """
    The tool `generate_image`.

    Args:
        maker: Who makes the pictures.

        artifacts: Where they are kept.
    """

    def __init__(self, maker: ImageMaker, artifacts: ArtifactStore) -> None:
        self.maker = maker
        self.artifacts = artifacts
        self.as_("generate_image").for_("Make a picture for the user, who sees it beside your answer.")

    def __call__(
        self,
        prompt: Annotated[str, Param(description="What the picture shows, in detail", min_length=1, max_length=32_000)],
        shape: Annotated[Shape, "Its proportions"] = "square",
        quality: Annotated[Quality, "Better ones take longer"] = "auto",
        transparent: Annotated[bool, "Whether to leave out what is behind the subject"] = False,
        name: Annotated[str, Param(description="A short name for its file, without extension", max_length=60)] = "",
    ) -> ToolOutput:
        """Make the picture and keep it."""
        picture = self.maker.make(Wish(prompt, shape, quality, transparent))
        about: dict[str, Any] = {"width": picture.width, "height": picture.height}
        size = {key: value for key, value in about.items() if value is not None}
        filename = f"{name or 'image'}.{picture.mime_type.partition('/')[2]}"
        metadata = {"filename": filename, "prompt": prompt, **size}
        stored = self.artifacts.put(Artifact.from_raw(picture.content, picture.mime_type, metadata))
        told = {"status": "success", "artifact": stored.id, "mime_type": stored.mime_type, "bytes": stored.size, **size}
        return ToolOutput(told, [self.artifacts.get(stored.id)])


class ImageTools:
    """
    The tool for pictures, for a `Toolbox`.

    Args:
        maker: `OpenAIImages()`, or `DrawnImages()` without a key.

        artifacts: Where the pictures are kept, such as `FolderArtifacts(path)`.
    """

    def __init__(self, maker: ImageMaker, artifacts: ArtifactStore) -> None:
        self._tools = (GenerateImage(maker, artifacts),)

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools)
