"""Libraries that come with an extra of the package: whether they are there is said before they are used."""

from importlib.util import find_spec

from prismpy.errors import NotInstalledError


def needs(what: str, extra: str, *libraries: str) -> None:
    """
    Make sure that libraries are installed; none is loaded.

    Args:
        what: That needs them, such as `a calendar`.

        extra: Of prismpy, which brings them.

        libraries: Names to import.

    Raises:
        NotInstalledError: an `ImportError`, naming what is missing, and what brings it.
    """
    for library in libraries:
        if find_spec(library) is None:
            msg = f"{what} needs {library}, which is not installed; pip install 'prismpy[{extra}]' brings it"
            raise NotInstalledError(msg, name=library)
