"""An end to waiting: a line to a server that stopped answering is hung up on, whoever waits on it."""

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


@contextmanager
def hung_up_after(seconds: float, fileno: Callable[[], int]) -> Iterator[None]:
    """
    Shut a line down if the block takes too long; what waits on it then ends with an error, or as if all had been said.

    Args:
        seconds: More than 0.

        fileno: Tells the number of the line's file; may raise `OSError` or `ValueError` where there is none any more.
    """
    timer = threading.Timer(seconds, _hang_up, [fileno])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _hang_up(fileno: Callable[[], int]) -> None:
    with suppress(OSError, ValueError), socket.socket(fileno=os.dup(fileno())) as line:
        line.shutdown(socket.SHUT_RDWR)
