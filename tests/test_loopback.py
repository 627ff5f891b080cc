"""The loopback server itself."""

import json
import urllib.error
import urllib.request

import pytest

from tests.loopback import Answer, serving


def test_answers_come_in_order_and_requests_are_remembered() -> None:
    """Each request gets the next answer; one too many is told so."""
    with serving([Answer.json({"n": 1}), Answer.sse("data: 2\n\n")]) as server:
        request = urllib.request.Request(f"{server.url}/a", json.dumps({"x": 1}).encode(), {"X-Key": "k"})  # noqa: S310
        first = json.load(urllib.request.urlopen(request))  # noqa: S310
        second = urllib.request.urlopen(f"{server.url}/b").read()  # noqa: S310
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(f"{server.url}/c")  # noqa: S310
        caught.value.close()

    assert (first, second, caught.value.code) == ({"n": 1}, b"data: 2\n\n", 500)
    assert [(asked.method, asked.path, asked.body) for asked in server.asked] == [
        ("POST", "/a", {"x": 1}),
        ("GET", "/b", None),
        ("GET", "/c", None),
    ]
    assert server.asked[0].headers["x-key"] == "k"
