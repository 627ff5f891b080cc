"""Names that must be distinct from others."""

from prismpy.schema import free_name


def test_a_name_that_is_free_stays() -> None:
    """Any other grows until nobody has it."""
    assert [free_name(name, {"a", "a_", "b"}) for name in ("a", "b", "c", "")] == ["a__", "b_", "c", ""]
