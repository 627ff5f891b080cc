"""
Frozen values with other fields, where that is done for every parameter or at every step of a run.

Values with slots would take longer to copy, so that nodes, events and states have none.
"""

from typing import Any, TypeVar

T = TypeVar("T")


def changed(value: T, /, **fields: Any) -> T:
    """
    Return a copy of a frozen value that has other values in some fields.

    It takes a tenth of the time of `attrs.evolve`, and calls neither converters nor validators.

    Args:
        value: Of an attrs class without slots.

        fields: As the class would store them.
    """
    copy = object.__new__(type(value))
    object.__setattr__(copy, "__dict__", vars(value) | fields)  # quicker than to fill the dict that is there
    return copy
