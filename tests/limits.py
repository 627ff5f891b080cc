"""A disk that is full, for the length of a block."""

import contextlib
from collections.abc import Iterator

import pytest


@contextlib.contextmanager
def full_disk(free: int) -> Iterator[None]:
    """Let no file of this process grow beyond some bytes; the system then fails as it does where a disk is full."""
    resource = pytest.importorskip("resource", reason="this system has no limit on the size of files")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (free, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
