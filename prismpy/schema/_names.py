"""Names that must be distinct from others."""

from collections.abc import Container


def free_name(wanted: str, taken: Container[str]) -> str:
    """Return a name that is not taken: the wanted one, or that with as many `_` behind it as it needs."""
    while wanted in taken:
        wanted += "_"
    return wanted
