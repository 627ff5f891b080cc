"""Finding texts by words and by meaning: what a word is, BM25 in memory, vectors of meaning."""

from ._index import WordIndex, match_any
from ._vectors import Embed, pack, similarity, unpack, vectors_of
from ._words import fingerprint, is_stem, words_of

__all__ = [
    "Embed",
    "WordIndex",
    "fingerprint",
    "is_stem",
    "match_any",
    "pack",
    "similarity",
    "unpack",
    "vectors_of",
    "words_of",
]
