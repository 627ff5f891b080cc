"""What can be wrong with a type, or with a value of it."""

from collections.abc import Iterator
from contextlib import contextmanager

from prismpy.errors import PrismError
from prismpy.schema import cut, step


class ConversionError(PrismError):
    """
    A value fits the schema, yet is none of the annotated type: "2024-02-30" is no date.

    Attributes:
        path: Where in the value, as in `Problem.path`.
    """

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.path = path


class NoJSONFormError(PrismError):
    """A type has no JSON form, such as a callable or an open file. The message says which and why."""


class OpaqueFormError(NoJSONFormError):
    """A type has none since its values are more than data, as far as anybody has told."""


class UnresolvedFormError(NoJSONFormError):
    """A type has none since its name means nothing, or nothing yet."""


@contextmanager
def inside(key: str | int) -> Iterator[None]:
    """Put a key before the path of a `ConversionError` that is raised within."""
    try:
        yield
    except ConversionError as error:
        path = step("", key) + (error.path if error.path.startswith("[") or not error.path else f".{error.path}")
        raise ConversionError(error.message, path) from error


@contextmanager
def by_users_code(attempt: str) -> Iterator[None]:
    """Turn whatever the code of a user's class raises while a value is made into a `ConversionError`."""
    try:
        yield
    except ConversionError:
        raise
    except Exception as error:
        said = error.args[0] if error.args and isinstance(error.args[0], str) else type(error).__name__
        msg = f"{attempt}: {cut(said, 200)}"
        raise ConversionError(msg) from error
