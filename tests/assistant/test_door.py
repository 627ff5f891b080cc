"""The password of the page: who is let in, and what others see."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from prismpy import DefinitionError
from prismpy.assistant import application

from .conftest import OpenHome

PASSWORD = "correct horse & bättery"  # noqa: S105  # of a test
FORM = 'action="/login"'
WRONG = "That is not the password"


@pytest.fixture
def client(open_home: OpenHome) -> Iterator[TestClient]:
    """A browser that has not said the password."""
    with TestClient(application(open_home(), ("testserver",), PASSWORD)) as client:
        yield client


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/about"),
        ("GET", "/api/conversations"),
        ("GET", "/api/conversations/x/events"),
        ("GET", "/artifacts/x"),
        ("GET", "/nothing"),
        ("GET", "/assets"),
        ("GET", "/login"),
    ],
)
def test_nothing_is_told_to_strangers(client: TestClient, method: str, path: str) -> None:
    """Whatever there is or is not."""
    refused = client.request(method, path)

    assert (refused.status_code, refused.json()) == (401, {"error": "say the password first; reload the page"})


def test_nothing_is_done_for_strangers(client: TestClient) -> None:
    """They cannot have the token of the page, and would need the password, too."""
    assert client.post("/api/conversations").status_code == 403


def test_strangers_are_asked_for_the_password(client: TestClient) -> None:
    """In a page that loads its style from here and sends its form here; the token of the page is not in it."""
    asked = client.get("/")

    assert (asked.status_code, FORM in asked.text, WRONG in asked.text, "token" in asked.text) == (
        401,
        True,
        False,
        False,
    )
    assert "form-action 'self'" in asked.headers["content-security-policy"]
    assert asked.headers["referrer-policy"] == "same-origin"
    assert asked.headers["cache-control"] == "no-store"
    assert client.get("/assets/page.css").status_code == 200


def test_the_address_may_say_it(client: TestClient) -> None:
    """The page comes at once, and whatever it asks for afterwards."""
    page = client.get("/", params={"key": PASSWORD})

    assert 'name="token"' in page.text
    assert client.get("/api/conversations").json() == []
    assert 'name="token"' in client.get("/").text


def test_the_form_may_say_it(client: TestClient) -> None:
    """The page comes from its own address, in which no password stands."""
    page = client.post("/login", data={"key": PASSWORD})

    assert ([each.status_code for each in page.history], page.url.path, page.url.query) == ([303], "/", b"")
    assert 'name="token"' in page.text


def test_the_cookie_is_for_this_page_alone(client: TestClient) -> None:
    """No script reads it, no other site makes use of it, and it does not tell the password."""
    given = client.get("/", params={"key": PASSWORD}).headers["set-cookie"]

    name, _, rest = given.partition("=")
    value, _, terms = rest.partition("; ")
    assert terms == "Path=/; HttpOnly; SameSite=Strict"
    assert (name.startswith("prismpy-"), len(value), PASSWORD in given) == (True, 64, False)


@pytest.mark.parametrize(
    "said", ["", "wrong", PASSWORD[:-1], PASSWORD + "x", PASSWORD.upper(), "\udc80".encode("utf-8", "surrogatepass")]
)
def test_what_is_not_the_password_lets_nobody_in(client: TestClient, said: str) -> None:
    """Neither in the address nor in the form."""
    for answer in (client.get("/", params={"key": said}), client.post("/login", data={"key": said})):
        assert (answer.status_code, FORM in answer.text, "set-cookie" in answer.headers) == (401, True, False)
    assert client.get("/api/about").status_code == 401


@pytest.mark.parametrize("cookie", ["", "x", "prismpy-00000000=0", "ä=ö; ; ="])
def test_another_cookie_lets_nobody_in(client: TestClient, cookie: str) -> None:
    """Such as one of a page that had another password."""
    assert client.get("/api/about", headers={"Cookie": cookie.encode()}).status_code == 401


def test_a_cookie_outlives_the_server(open_home: OpenHome, client: TestClient) -> None:
    """As long as the password is the same."""
    client.get("/", params={"key": PASSWORD})
    cookies = dict(client.cookies)
    for password, status in ((PASSWORD, 200), ("another password", 401)):
        with TestClient(application(open_home(), ("testserver",), password), cookies=cookies) as other:
            assert other.get("/api/about").status_code == status


def test_a_form_of_another_page_is_refused(client: TestClient) -> None:
    """Though it says the password."""
    refused = client.post("/login", data={"key": PASSWORD}, headers={"Origin": "https://evil.example"})

    assert refused.status_code == 403


def test_a_form_that_never_ends_is_not_read(client: TestClient) -> None:
    """Four kilobytes are more than a password needs."""
    assert client.post("/login", content=(b"x" * 1000 for _ in range(100))).status_code == 401


def test_a_password_must_be_long(open_home: OpenHome) -> None:
    """Nothing else is in the way of who guesses."""
    with pytest.raises(DefinitionError, match="the password of the page has 11 characters; give it 12 or more"):
        application(open_home(), password="elevenchars")  # noqa: S106  # of a test
