"""Pictures: made by OpenAI's images API or drawn offline, and kept as artifacts."""

from ._drawn import DrawnImages
from ._openai import OpenAIImages
from ._tools import GenerateImage, ImageTools
from ._values import QUALITIES, SHAPES, ImageMaker, Picture, Wish, picture_of

__all__ = [
    "QUALITIES",
    "SHAPES",
    "DrawnImages",
    "GenerateImage",
    "ImageMaker",
    "ImageTools",
    "OpenAIImages",
    "Picture",
    "Wish",
    "picture_of",
]
