"""Pages: which may be fetched, what they may cost, and what is read on them; all from a server on loopback."""

import gzip
import ipaddress
import json
import shutil
import socket
import ssl
import subprocess
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prismpy import Toolbox, ToolCall
from prismpy.artifacts import FolderArtifacts
from prismpy.messages import ProviderTool
from prismpy.toolkits import WebFetch, WebTools, provider_web_tools
from prismpy.toolkits.web._addresses import checked
from tests.misbehaving import answering, closed, serving, silent

LOOPBACK = ["127.0.0.0/8"]

ARTICLE = """<!DOCTYPE html><html><head><title>All about
  tea</title><script>alert("no")</script></head><body>
<nav><a href="/">Home</a></nav><article><h1>Tea</h1>
<p>Tea is a drink that <b>many</b> people like, see <a href="/kinds">its kinds</a>. It has been drunk for ages.</p>
<ul><li>green tea from the hills</li><li>black tea from the plains</li></ul></article></body></html>"""


@pytest.fixture
def fetch() -> Callable[..., str]:
    """Fetch from loopback; return what the model reads."""

    def run(url: str, **options: Any) -> str:
        (result,) = Toolbox(WebTools(**{"allowed": LOOPBACK, **options})).run(
            [ToolCall("1", "web_fetch", {"url": url})]
        )
        return result.text

    return run


Fetch = Callable[..., str]


def answer(body: bytes, kind: str = "text/html", status: int = 200, **headers: str) -> Any:
    return answering(status, body, {"Content-Type": kind, **{name.replace("_", "-"): v for name, v in headers.items()}})


# --- what is read ---------------------------------------------------------------


def test_an_article_is_read_without_what_is_around_it(fetch: Fetch) -> None:
    """As Markdown, links whole, under its title and address."""
    with answer(ARTICLE.encode()) as address:
        text = fetch(f"http://{address}/tea?cup=1#milk")

    assert text == (
        f"All about tea\nhttp://{address}/tea?cup=1#milk\n\n# Tea\n\n"
        f"Tea is a drink that **many** people like, see [its kinds](http://{address}/kinds). "
        "It has been drunk for ages.\n\n- green tea from the hills\n- black tea from the plains"
    )


@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        (b"<p>Hello</p><script>no()</script><p>there</p>", "text/html", "Hello\n\nthere"),
        (b"Just words", "text/html", "Just words"),
        (b"", "text/html", ""),
        (b'{"a": [1]}', "application/json", '{"a": [1]}'),
        (b"<a>1</a>", "application/atom+xml; charset=utf-8", "<a>1</a>"),
        ("Grüße".encode("latin-1"), "text/plain; charset=ISO-8859-1", "Grüße"),
        ("Grüße".encode(), "text/plain", "Grüße"),
        ("Grüße".encode(), "text/plain; charset=no-such-thing", "Grüße"),
        (b"\xff\xfe broken", "text/plain; charset=utf-8", "\ufffd\ufffd broken"),
        (b"plain", "application/octet-stream", "plain"),
        (b"a,b\n1,2", "text/csv", "a,b\n1,2"),
        (b"<html><body>" + b"<div>" * 3000 + b"deep" + b"</div>" * 3000, "text/html", ""),
    ],
)
def test_text_is_read_as_it_is(fetch: Fetch, body: bytes, kind: str, text: str) -> None:
    """Short pages whole, other kinds of text without a change."""
    with answer(body, kind) as address:
        told = fetch(f"http://{address}/")

    assert told.startswith(f"http://{address}/\n\n{text}")


def test_a_file_of_the_server_is_not_read(fetch: Fetch, tmp_path: Path) -> None:
    """Entities of XML lead nowhere."""
    (tmp_path / "secret").write_text("the password")
    body = (
        f"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY x SYSTEM 'file://{tmp_path}/secret'>]><html><p>&x; end</p></html>"
    )
    with answer(body.encode(), "application/xhtml+xml") as address:
        assert "password" not in fetch(f"http://{address}/")


def test_long_pages_are_cut_and_can_be_read_on(fetch: Fetch) -> None:
    """By the toolbox's own means."""
    with answer(b"line\n" * 10_000, "text/plain") as address:
        text = fetch(f"http://{address}/")

    assert len(text) < 31_000
    assert "read_result reads on with id" in text


def test_what_is_no_text_becomes_an_artifact(tmp_path: Path) -> None:
    """The model is told what it is; without a store it is refused."""
    artifacts = FolderArtifacts(tmp_path)
    with answer(b"\x89PNG\0", "image/png") as address:
        tool = WebFetch(artifacts, allowed=LOOPBACK)
        result = tool.run({"url": f"http://{address}/a/cat.png?x=1"})
        refused = WebFetch(allowed=LOOPBACK).run({"url": f"http://{address}/cat.png"})
    told = json.loads(result.text)

    assert told == {
        "url": f"http://{address}/a/cat.png?x=1",
        "artifact": result.artifacts[0].id,
        "mime_type": "image/png",
        "bytes": 5,
        "note": "this is no text; the user can open it",
    }
    assert artifacts.describe(told["artifact"]).filename == "cat.png"
    assert refused.text == f"http://{address}/cat.png is no text but image/png, which cannot be read here"


@pytest.mark.parametrize("body", [b"\0\1", b"\xff\xfe\xfd"])
def test_what_a_server_does_not_name_is_looked_at(fetch: Fetch, body: bytes) -> None:
    """Bytes that are no text are none."""
    with answer(body, "") as address:
        told = fetch(f"http://{address}/")

    assert told == f"http://{address}/ is no text but application/octet-stream, which cannot be read here"


# --- where it comes from --------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("file:///etc/passwd", "'file:///etc/passwd' is no address of a page; give one that begins with https://"),
        ("ftp://example.org/", "is no address of a page"),
        ("javascript:alert(1)", "is no address of a page"),
        ("example.org", "is no address of a page"),
        ("http://", "is no address of a page"),
        ("http://a:b:c/", "is no address of a page"),
        ("http://[::1/", "is no address of a page"),
        ("http://exa mple.org/", "is no address of a page"),
        ("http://example.org\\@127.0.0.1/", "is no address of a page"),
        ("http://ann:secret@example.org/", "the address of example.org has a user or a password in it"),
        ("http://example.org:25/", "port 25 of example.org is none for pages"),
        ("http://example.org:99999/", "is no address of a page"),
    ],
)
def test_what_is_no_page_is_not_asked(fetch: Fetch, url: str, complaint: str) -> None:
    """Nothing is looked up, and no secret told."""
    told = fetch(url, resolve=lambda host, port: pytest.fail(f"looked up {host}"))

    assert complaint in told
    assert "secret" not in told


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://localhost/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://127.1/",
        "http://0.0.0.0/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::]/",
        "http://10.0.0.1/",
        "http://172.16.0.1/",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://100.64.0.1/",
        "http://224.0.0.1/",
        "http://240.0.0.1/",
        "http://[fe80::1%25lo]/",
        "http://[fc00::1]/",
        "http://[2002:7f00:1::]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2001:0:7f00:1::]/",
    ],
)
def test_what_is_not_public_is_not_asked(fetch: Fetch, url: str) -> None:
    """However it is spelled."""
    told = fetch(url, allowed=())

    assert "is not on the public internet, so it was not asked" in told or "there is no host" in told


@given(st.ip_addresses())
def test_only_public_addresses_pass(address: Any) -> None:
    """Whatever passes is a global address, and so is any that it stands for."""
    with suppress(Exception):
        checked("x", 80, lambda host, port: [str(address)], ())

        assert address.is_global
        assert not address.is_multicast
        mapped = getattr(address, "ipv4_mapped", None)
        assert mapped is None or mapped.is_global


def test_one_private_address_among_others_is_enough(fetch: Fetch) -> None:
    """A name may lead to several places."""
    told = fetch("http://example.test/", allowed=(), resolve=lambda host, port: ["93.184.215.14", "192.168.0.7"])

    assert told == "'example.test' is not on the public internet, so it was not asked"


def test_a_name_that_changes_its_mind_gains_nothing(fetch: Fetch) -> None:
    """It is looked up once; the connection goes to the address that was looked at, and the host keeps its name."""
    asked: list[Any] = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append((host, port))
        return ["127.0.0.1"] if len(asked) == 1 else ["10.0.0.1"]

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/plain")
            self.end_headers()
            self.wfile.write(f"{self.headers['Host']} {self.path}".encode())

        def log_message(self, *words: Any) -> None:
            """Say nothing."""

    with serving(Handler) as address:
        port = int(address.rpartition(":")[2])
        told = fetch(f"http://tée.test:{port}/a b/ü?q=ä%20", resolve=resolve)

    assert told.rpartition("\n")[2] == f"xn--te-bja.test:{port} /a%20b/%C3%BC?q=%C3%A4%20"
    assert asked == [("tée.test", port)]


def test_the_next_address_is_tried(fetch: Fetch) -> None:
    """Where the first does not answer."""
    with answer(b"here", "text/plain") as address:
        port = address.rpartition(":")[2]
        told = fetch(f"http://example.test:{port}/", resolve=lambda host, port: ["127.0.0.99", "127.0.0.1"])

    assert told.endswith("here")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed(fetch: Fetch, status: int) -> None:
    """The address told is where the page came from."""
    with answer(b"here", "text/plain") as goal, answer(b"", status=status, Location=f"http://{goal}/new") as start:
        assert fetch(f"http://{start}/old") == f"http://{goal}/new\n\nhere"


def test_redirects_are_checked_like_any_address(fetch: Fetch) -> None:
    """To a private one, to another scheme, round in a circle; one to nowhere is a page."""
    with answer(b"", status=302, Location="http://10.0.0.1/secret") as address:
        assert "'10.0.0.1' is not on the public internet" in fetch(f"http://{address}/")
    with answer(b"", status=302, Location="file:///etc/passwd") as address:
        assert "is no address of a page" in fetch(f"http://{address}/")
    with answer(b"", status=302, Location="/again") as address:
        assert fetch(f"http://{address}/") == "127.0.0.1 sends from one address to the next without an end"
    with answer(b"nothing", "text/plain", status=302) as address:
        assert fetch(f"http://{address}/").endswith("nothing")


# --- what it may cost -----------------------------------------------------------


def test_pages_that_are_too_large_are_refused(fetch: Fetch) -> None:
    """Packed or not: a small page may unpack into a large one."""
    bomb = gzip.compress(b"\0" * 20_000_000)
    with answer(b"x" * 2000, "text/plain") as address:
        assert fetch(f"http://{address}/", max_bytes=1000) == (
            "the page of 127.0.0.1 has more than 1,000 bytes, and was not read"
        )
    with answer(bomb, "text/plain", Content_Encoding="gzip") as address:
        assert "has more than 1,000,000 bytes" in fetch(f"http://{address}/", max_bytes=1_000_000)


@pytest.mark.parametrize(
    ("encoding", "pack"), [("gzip", gzip.compress), ("x-gzip", gzip.compress), ("Deflate", zlib.compress)]
)
def test_packed_pages_are_unpacked(fetch: Fetch, encoding: str, pack: Any) -> None:
    """In pieces."""
    text = b"tea and milk, " * 20_000
    with answer(pack(text), "text/plain", Content_Encoding=encoding) as address:
        assert f"{text.decode()[:1000]}" in fetch(f"http://{address}/")


def test_a_page_must_come_in_time(fetch: Fetch) -> None:
    """A server that says nothing, and one that says a letter now and then."""
    with silent() as address:
        assert fetch(f"http://{address}/", seconds=0.2) == "127.0.0.1 did not answer in time"
    for head in (b"", b"HTTP/1.1 200 OK\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"):
        with dripping(head) as address:
            assert fetch(f"http://{address}/", seconds=0.2) == "127.0.0.1 did not answer in time"
    with silent() as address:
        assert fetch(f"https://{address}/", seconds=0.2) == "127.0.0.1 did not answer in time"


class dripping:  # used like the functions beside it
    """A server that sends a letter now and then, without an end."""

    def __init__(self, head: bytes) -> None:
        self.head = head
        self.over = threading.Event()

    def __enter__(self) -> str:
        self.server = socket.create_server(("127.0.0.1", 0))
        self.thread = threading.Thread(target=self.drip)
        self.thread.start()
        return f"127.0.0.1:{self.server.getsockname()[1]}"

    def drip(self) -> None:
        line, _ = self.server.accept()
        with line, suppress(OSError):
            line.sendall(self.head)
            while not self.over.wait(0.02):
                line.sendall(b"x")

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join()
        self.server.close()


@pytest.mark.parametrize(
    ("server", "complaint"),
    [
        (lambda: answer(b"", status=404), "127.0.0.1 answers with status 404 (Not Found)"),
        (lambda: answer(b"", status=500), "127.0.0.1 answers with status 500 (Internal Server Error)"),
        (closed, "127.0.0.1 cannot be reached (Connection refused)"),
        (lambda: answer(b"x", Content_Encoding="br"), "the page is packed by 'br', which is not known here"),
        (lambda: answer(b"nonsense", Content_Encoding="gzip"), "127.0.0.1 answers what is no HTTP (error)"),
        (
            lambda: answer(gzip.compress(b"x" * 1000)[:-9], Content_Encoding="gzip"),
            "127.0.0.1 answers what is no HTTP (IncompleteRead)",
        ),
        (lambda: raw(b"SSH-2.0-OpenSSH\r\n"), "127.0.0.1 answers what is no HTTP (BadStatusLine)"),
        (
            lambda: raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 99\r\n\r\nshort"),
            "127.0.0.1 answers what is no HTTP (IncompleteRead)",
        ),
    ],
)
def test_a_server_that_does_not_do_its_work_is_told(fetch: Fetch, server: Any, complaint: str) -> None:
    """In words that help a model to go on."""
    with server() as address:
        assert fetch(f"http://{address}/") == complaint


class raw:  # used like the functions beside it
    """A server that says what it is told to whoever comes."""

    def __init__(self, words: bytes) -> None:
        self.words = words

    def __enter__(self) -> str:
        self.server = socket.create_server(("127.0.0.1", 0))
        self.thread = threading.Thread(target=self.talk)
        self.thread.start()
        return f"127.0.0.1:{self.server.getsockname()[1]}"

    def talk(self) -> None:
        line, _ = self.server.accept()
        with line:
            line.recv(65_536)
            line.sendall(self.words)

    def __exit__(self, *_: object) -> None:
        self.thread.join()
        self.server.close()


def test_an_unknown_host_is_told(fetch: Fetch) -> None:
    """Its name means nothing to the system."""

    def resolve(host: str, port: int) -> list[str]:
        raise socket.gaierror(-2, "Name or service not known")

    assert fetch("http://nowhere.test/", resolve=resolve) == "there is no host 'nowhere.test'"
    assert fetch(f"http://{'x' * 70}.test/") == f"there is no host '{'x' * 70}.test'"


# --- with keys ------------------------------------------------------------------


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a certificate for `example.test` and its key, in one file."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl, which makes a certificate, is not installed")
    folder = tmp_path_factory.mktemp("tls")
    options = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=example.test"]
    files = ["-keyout", str(folder / "key"), "-out", str(folder / "certificate")]
    command = ["openssl", "req", *options, "-addext", "subjectAltName=DNS:example.test", *files]
    subprocess.run(command, check=True, capture_output=True)
    (folder / "both").write_text((folder / "key").read_text() + (folder / "certificate").read_text())
    return folder / "both"


@pytest.fixture
def secured(certificate: Path) -> Iterator[str]:
    """Answer over TLS; give the port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/plain")
            self.end_headers()
            self.wfile.write(b"safe and sound")

        def log_message(self, *words: Any) -> None:
            """Say nothing."""

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with serving(Handler, lambda line: context.wrap_socket(line, server_side=True)) as address:
        yield address.rpartition(":")[2]


def test_a_certificate_must_be_trusted(fetch: Fetch, secured: str) -> None:
    """Here nobody vouches for it."""
    told = fetch(f"https://example.test:{secured}/", resolve=lambda host, port: ["127.0.0.1"])

    assert told.startswith("example.test has no certificate that can be trusted (")


def test_a_certificate_is_for_the_name_not_the_address(
    fetch: Fetch, secured: str, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though the connection goes to the address that was checked."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.parent / "certificate"))
    found = fetch(f"https://example.test:{secured}/", resolve=lambda host, port: ["127.0.0.1"])
    other = fetch(f"https://other.test:{secured}/", resolve=lambda host, port: ["127.0.0.1"])

    assert found == f"https://example.test:{secured}/\n\nsafe and sound"
    assert other.startswith("other.test has no certificate that can be trusted (Hostname mismatch")


# --- providers ------------------------------------------------------------------


def test_providers_have_tools_of_their_own() -> None:
    """In their words; one that has none gets none."""
    assert provider_web_tools("anthropic") == (
        ProviderTool("web_search_20250305", "web_search"),
        ProviderTool("web_fetch_20250910", "web_fetch"),
    )
    assert provider_web_tools("openai-responses") == (ProviderTool("web_search"),)
    assert provider_web_tools("ollama") == ()


def test_networks_must_be_such() -> None:
    """A mistake shows up where it was made."""
    assert WebFetch(allowed=["10.1.2.3"]).limits.allowed == (ipaddress.ip_network("10.1.2.3/32"),)
    with pytest.raises(ValueError, match="does not appear to be an IPv4 or IPv6 network"):
        WebFetch(allowed=["localhost"])
