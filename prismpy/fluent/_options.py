"""What the methods of the chain take by name, in the words of the schema nodes."""

from typing import TypedDict

from prismpy.schema import JSON


class Options(TypedDict, total=False):
    """What every `with_..._parameter` takes by name."""

    default: JSON
    """Taken when the model leaves the parameter out; makes it optional."""

    nullable: bool
    """Whether null is a value for it."""

    examples: list[JSON]
    """Example values."""


class StringOptions(Options, total=False):
    """What `with_string_parameter` takes by name."""

    min_length: int
    """Characters, from 0 up."""

    max_length: int
    """Characters, from 0 up."""

    pattern: str
    """Regular expression that must be found in the text."""

    format: str
    """Such as `date` or `email`; tells the model, is not enforced."""


class NumberOptions(Options, total=False):
    """What `with_integer_parameter` and `with_number_parameter` take by name."""

    minimum: float
    """Smallest value."""

    maximum: float
    """Largest value."""

    exclusive_minimum: float
    """All values are larger."""

    exclusive_maximum: float
    """All values are smaller."""

    multiple_of: float
    """All values are multiples of it; more than 0."""


class ArrayOptions(Options, total=False):
    """What `with_array_parameter` takes by name."""

    min_items: int
    """From 0 up."""

    max_items: int
    """From 0 up."""

    unique_items: bool
    """Whether no item may occur twice."""
