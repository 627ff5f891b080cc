"""
Classes whose instances are made for every call.

They are written in the fastest way that still freezes them: into the
instance's dict, and defaults not at all, since the class has them.
"""

from typing import Any, TypeVar

import attrs

T = TypeVar("T")


def lean(cls: type[T]) -> type[T]:
    """Keep defaults in the class, for instances that do not write them."""
    fields: Any = attrs.fields(cls)  # type: ignore[arg-type]  # it is an attrs class
    for field in fields:
        if field.default is not attrs.NOTHING:
            setattr(cls, field.name, field.default)
    return cls
