"""What tools cost in a request."""

import pytest

from prismpy.review import Size, estimate_tokens
from prismpy.review._size import size_of


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        (" \n\t", 0),
        ("weather", 1),
        ("internationalisation", 2),
        ("two words", 2),
        ("snake_case", 3),
        ("12345", 2),
        ("x1", 2),
        ('{"a":1}', 5),
        ("}}}}}", 2),
        ("天気", 2),
        ("Straße", 3),
        ("٣", 1),
    ],
)
def test_tokens_are_counted_by_runs(text: str, tokens: int) -> None:
    """ASCII letters by twelve, digits by three, other letters by four bytes, other marks by four, blanks not."""
    assert estimate_tokens(text) == tokens


def test_bytes_are_those_of_compact_json() -> None:
    """In UTF-8, without white space."""
    assert size_of("t", "mcp", {"name": "ü", "n": 1}) == Size("t", "mcp", bytes=19, tokens=9)
