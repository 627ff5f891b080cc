"""Lock files, by which processes take turns. The one file that imports filelock, when first used."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ._files import disk_errors


@contextmanager
def locked(path: Path, doing: str, *, seconds: float = 0.0) -> Iterator[bool]:
    """
    Hold a lock file as long as the block runs, or the process lives.

    Args:
        path: Of the lock file, made where there is none, and its folder too.

        doing: What it is for, such as `lock calendar.ics`.

        seconds: To wait for whoever holds it.

    Returns:
        Whether it is held; not if another held it all that time.

    Raises:
        StoreError: if the file cannot be made.
    """
    with ExitStack() as stack:
        yield _is_got(stack, path, doing, seconds)


def _is_got(stack: ExitStack, path: Path, doing: str, seconds: float) -> bool:
    from filelock import FileLock, Timeout

    with disk_errors(doing):
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path, thread_local=False)
        try:
            lock.acquire(timeout=seconds)
        except Timeout:
            return False
    stack.callback(lock.release)
    return True
