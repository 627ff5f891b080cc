"""Two documents beside each other."""

from hypothesis import given

from prismpy.review import Row, align
from tests.strategies import json_values


def test_the_same_stands_in_one_row_however_deep() -> None:
    """A wrapper around one of them sets nothing else apart."""
    assert align({"f": {"a": 1, "b": 2}}, {"a": 1, "b": 3}) == (
        Row("{", "{", is_same=True),
        Row('  "f": {', None, is_same=False),
        Row('    "a": 1,', '  "a": 1,', is_same=True),
        Row('    "b": 2', '  "b": 3', is_same=False),
        Row("  }", "}", is_same=True),
        Row("}", None, is_same=False),
    )


def test_a_comma_makes_no_difference() -> None:
    """It says only that something follows."""
    assert [row.is_same for row in align(["a"], ["a", "b"])] == [True, True, False, True]


@given(json_values(), json_values())
def test_no_line_is_lost(left: object, right: object) -> None:
    """Each side, read down, is the whole document; and equal documents are the same in every row."""
    rows = align(left, right)

    assert "\n".join(row.left for row in rows if row.left is not None) == _lines(left)
    assert "\n".join(row.right for row in rows if row.right is not None) == _lines(right)
    assert all(row.is_same for row in align(left, left))


def _lines(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False, indent=2)
