"""Lines that are hung up on."""

import socket

from prismpy.storage import hung_up_after


def test_who_waits_too_long_is_told_that_all_was_said() -> None:
    """The other side never answers."""
    one, other = socket.socketpair()
    with one, other, hung_up_after(0.05, one.fileno):
        assert one.recv(1) == b""


def test_a_line_is_left_alone_in_time() -> None:
    """Both sides go on."""
    one, other = socket.socketpair()
    with one, other:
        with hung_up_after(30, one.fileno):
            other.sendall(b"x")
        assert one.recv(1) == b"x"


def test_a_line_that_is_closed_already_is_no_matter() -> None:
    """It was closed by whoever waited."""
    one, other = socket.socketpair()
    one.close()
    with other, hung_up_after(0.01, one.fileno):
        other.settimeout(0.1)
        assert other.recv(1) == b""
