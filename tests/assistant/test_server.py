"""The server: who may talk to it, what it answers, and that nobody misses an event."""

import contextlib
import json
import re
from collections.abc import Iterator
from typing import Any

import anyio
import attrs
import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from prismpy import Artifact, ToolCall, ToolOutput, tool
from prismpy.assistant import Home, _server, application
from prismpy.assistant._server import MAX_BODY
from prismpy.testing import FunctionModel, ScriptedModel
from tests.limits import full_disk

from .conftest import OpenHome

SCENARIO = "Schedule a meeting with John tomorrow and remind me to prepare"


@attrs.define
class Page:
    """What a page does: it reads the token, then talks."""

    client: TestClient
    headers: dict[str, str] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        found = re.search(r'name="token" content="([\w-]+)"', self.client.get("/").text)
        assert found is not None
        self.headers = {"X-Prismpy-Token": found[1]}

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.client.post(path, json=body, headers={**self.headers, **headers})

    def begin(self) -> str:
        id: str = self.post("/api/conversations").json()["id"]
        return id

    def ask(self, id: str, text: str) -> list[tuple[int, str, Any]]:
        assert self.post(f"/api/conversations/{id}/messages", {"text": text}).status_code == 202
        return self.read(id)

    def read(self, id: str, after: int = 0, until: str = "stream_end") -> list[tuple[int, str, Any]]:
        """Read events up to the last one of a kind that is there."""
        told: list[tuple[int, str, Any]] = []
        with self.client.stream(
            "GET", f"/api/conversations/{id}/events", headers={"Last-Event-ID": str(after)}
        ) as reply:
            for number, type, data in events_of(reply.iter_lines()):
                if type == "caught_up" and told and told[-1][1] == until:
                    return told
                if type != "caught_up":
                    told.append((number, type, data))
        raise AssertionError(told)


def events_of(lines: Iterator[str]) -> Iterator[tuple[int, str, Any]]:
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        else:
            yield int(fields.get("id", 0)), fields["event"], json.loads(fields["data"])
            fields = {}


@pytest.fixture
def serve() -> Iterator[Any]:
    """Serve an assistant to a page."""
    clients: list[TestClient] = []

    def serve(home: Home) -> Page:
        client = TestClient(application(home, ("testserver",)))
        client.__enter__()
        clients.append(client)
        return Page(client)

    yield serve
    for client in clients:
        client.__exit__()


@pytest.fixture
def page(serve: Any, open_home: OpenHome) -> Page:
    """A page of the offline assistant."""
    served: Page = serve(open_home())
    return served


def test_the_scenario_is_told_as_it_happens(page: Page) -> None:
    """What the user said, each step, each call with its result, the end."""
    id = page.begin()

    told = page.ask(id, SCENARIO)

    types = [type for _, type, _ in told]
    assert types[:2] == ["user_message", "stream_start"]
    assert types[-1] == "stream_end"
    assert [data["tool_name"] for _, type, data in told if type == "tool_result" and data["success"]] == [
        "create_calendar_event",
        "create_todoist_task",
        "store_memory",
    ]
    [listed] = page.client.get("/api/conversations").json()
    assert (listed["id"], listed["running"]) == (id, False)
    assert listed["title"] == "Schedule a meeting with John tomorrow and remind me to prep…"


def test_a_page_that_comes_back_misses_nothing(page: Page) -> None:
    """Whatever it saw last, it gets the rest, once and in order."""
    id = page.begin()
    page.ask(id, SCENARIO)
    told = page.read(id)

    for place in range(len(told) - 1):
        assert page.read(id, after=told[place][0]) == told[place + 1 :]


def test_pictures_are_kept_and_served(page: Page) -> None:
    """Events say where they are; a browser shows them and nothing else."""
    id = page.begin()
    [artifact] = [data["artifact"] for _, type, data in page.ask(id, "Draw a lighthouse") if type == "artifact"]

    served = page.client.get(f"/artifacts/{artifact['id']}")

    assert set(artifact) == {"id", "mime_type", "size", "name"}
    assert served.headers["content-type"] == "image/png"
    assert served.headers["content-disposition"] == "inline; filename*=UTF-8''image.png"
    assert served.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert len(served.content) == artifact["size"]
    assert page.client.get("/artifacts/nothing").status_code == 404


def test_an_approval_is_bound_to_what_was_shown(page: Page) -> None:
    """The digest of another call answers nothing; the right one lets the run go on."""
    id = page.begin()
    page.ask(id, "Remember that I prefer dark mode")
    told = page.ask(id, "Forget dark mode")
    [asked] = [data for _, type, data in told if type == "tool_approval_request"]
    path = f"/api/conversations/{id}/decisions"

    assert page.post(path, {"digest": "other", "agreed": True}).status_code == 409
    assert page.post(f"/api/conversations/{id}/messages", {"text": "hello"}).json() == {
        "error": "a call waits for your decision; answer it first"
    }
    assert page.post(path, {"digest": asked["approval_id"], "agreed": True, "reason": "fine"}).status_code == 202
    rest = page.read(id, after=told[-1][0])
    assert next(data["success"] for _, type, data in rest if type == "tool_result")
    assert "It is forgotten." in "".join(data["delta"] for _, type, data in rest if type == "text_delta")


def test_a_run_can_be_stopped(serve: Any, open_home: OpenHome) -> None:
    """What was said so far stays, and the next message is answered."""

    @tool
    async def hang() -> str:
        """Hang."""
        await anyio.sleep_forever()
        raise AssertionError

    home = open_home(ScriptedModel([["One moment.", ToolCall("", "hang")], "back"]))
    home.agent.toolbox = home.agent.toolbox.with_tools([hang])
    page = serve(home)
    id = page.begin()
    page.post(f"/api/conversations/{id}/messages", {"text": "go"})

    assert page.read(id, until="tool_call")
    assert page.post(f"/api/conversations/{id}/messages", {"text": "more"}).status_code == 409
    assert page.client.get("/api/conversations").json()[0]["running"] is True
    page.post(f"/api/conversations/{id}/stop")
    told = page.read(id, until="stopped")

    assert [type for _, type, _ in told][-1] == "stopped"
    assert "back" in "".join(data.get("delta", "") for _, _, data in page.ask(id, "and now?"))


def test_a_conversation_is_deleted_even_while_it_runs(serve: Any, open_home: OpenHome) -> None:
    """The run ends first."""

    @tool
    async def hang() -> str:
        """Hang."""
        await anyio.sleep_forever()
        raise AssertionError

    home = open_home(ScriptedModel([ToolCall("", "hang")]))
    home.agent.toolbox = home.agent.toolbox.with_tools([hang])
    page = serve(home)
    id = page.begin()
    page.post(f"/api/conversations/{id}/messages", {"text": "go"})
    page.read(id, until="tool_call")

    with page.client.stream("GET", f"/api/conversations/{id}/events") as watched:
        told = events_of(watched.iter_lines())
        assert "caught_up" in (type for _, type, _ in told)
        assert page.client.delete(f"/api/conversations/{id}", headers=page.headers).status_code == 200
        assert list(told)[-1] == (0, "deleted", {})
    assert page.client.get("/api/conversations").json() == []
    assert page.client.get(f"/api/conversations/{id}/events").status_code == 404


def test_what_a_process_left_open_is_mended_by_the_next(serve: Any, open_home: OpenHome) -> None:
    """A call that was under way has an unknown outcome, and the conversation goes on."""
    home = open_home(ScriptedModel([ToolCall("c", "store_memory", {"content": "x"})]))
    made = home.conversations.create()
    run = home.agent.stream("remember x")
    listening = iter(run)
    for event in listening:
        if event.type == "tool_call":
            break
    home.conversations.keep(made.id, run.state, running=True)

    page = serve(open_home(ScriptedModel(["fine"])))
    told = page.read(made.id)

    assert [type for _, type, _ in told] == ["error", "tool_result", "step_finish", "stream_end"]
    assert told[1][2]["error"] == (
        "store_memory had begun when the assistant was closed; it is not known whether it took effect"
    )
    assert "fine" in "".join(data.get("delta", "") for _, _, data in page.ask(made.id, "hello?"))
    listening.close()  # type: ignore[attr-defined]  # it is a generator


def test_an_answer_that_broke_off_is_told_by_the_next_process(serve: Any, open_home: OpenHome) -> None:
    """And nothing of conversations where nothing was under way."""
    home = open_home()
    made, idle = home.conversations.create(), home.conversations.create()
    home.conversations.ask(made.id, "hi", home.agent.stream("hi").state)

    page = serve(open_home(ScriptedModel(["fine"])))

    assert [type for _, type, _ in page.read(made.id)] == ["user_message", "error", "stream_end"]
    assert home.conversations.events(idle.id) == ()


def test_mending_asks_for_nothing_that_is_known(serve: Any, open_home: OpenHome) -> None:
    """A run that waited or was over when the process ended is as it was; a damaged one is told, and harms no other."""
    home = open_home(ScriptedModel(["hello", ToolCall("c", "delete_memory", {"id": "x"})]))
    made = [home.conversations.create() for _ in range(3)]
    for each in made[:2]:
        run = home.agent.stream("go")
        list(run)
        home.conversations.keep(each.id, run.state, running=True)
    home.conversations.keep(made[2].id, run.state, running=True)
    with home.conversations._database.write() as session:
        session.execute("UPDATE conversations SET state = '[' WHERE id = ?", (made[2].id,))
    home.conversations.close()

    page = serve(open_home(ScriptedModel(["fine"])))

    assert [home.conversations.events(each.id) for each in made[:2]] == [(), ()]
    assert "waits for your decision" in page.post(f"/api/conversations/{made[1].id}/messages", {"text": "hi"}).text
    assert [data["error_type"] for _, _, data in page.read(made[2].id, until="error")] == ["interrupted"]
    refused = page.post(f"/api/conversations/{made[2].id}/messages", {"text": "hi"})
    assert (refused.status_code, refused.json()["error"][:40]) == (503, "this conversation is damaged and cannot ")
    assert page.ask(made[0].id, "and now?")[-1][1] == "stream_end"


def test_each_result_is_kept_as_it_comes(serve: Any, open_home: OpenHome) -> None:
    """A process that dies between two calls of a turn leaves the first one answered."""
    seen: list[Any] = []
    second = tool(lambda: seen.append(home.conversations.state(id)), name="second")
    home = open_home(ScriptedModel([[ToolCall("", "first"), ToolCall("", "second")], "done"]))
    home.agent.toolbox = home.agent.toolbox.with_tools([tool(lambda: "one", name="first"), second])
    page = serve(home)
    id = page.begin()

    page.ask(id, "go")

    assert [result.text for result in seen[0].results] == ["one"]


@pytest.mark.anyio
async def test_a_model_that_never_waits_lets_others_go_on(open_home: OpenHome) -> None:
    """The first words are seen while the last ones are not said yet."""
    home = open_home(ScriptedModel(["a long answer " * 20]))
    async with home.opened() as runs:
        id = home.conversations.create().id
        runs.ask(id, "go")
        async with contextlib.aclosing(runs.watch(id)) as told:
            async for each in told:
                if each is not None and each.type == "text_delta":
                    assert runs.is_running(id)
                    break


def test_a_full_disk_is_told_and_ends_one_answer_only(serve: Any, open_home: OpenHome) -> None:
    """Before a run nothing is begun; within one the pages that watch are told; with room again all goes on."""
    disk = contextlib.ExitStack()
    fill = tool(lambda: disk.enter_context(full_disk(0)) and "filled", name="fill")
    home = open_home(ScriptedModel([ToolCall("", "fill"), "back", "hello"]))
    home.agent.toolbox = home.agent.toolbox.with_tools([fill])
    page = serve(home)
    id, other = page.begin(), page.begin()
    with full_disk(0):
        refused = page.post(f"/api/conversations/{id}/messages", {"text": "hi"})

    full = "could not write to the database conversations.db: the disk failed or is full; nothing was changed"
    assert (refused.status_code, refused.json()) == (503, {"error": full})
    page.post(f"/api/conversations/{id}/messages", {"text": "go"})
    told = page.read(id, until="error")
    disk.close()

    assert (told[-1][0], told[-1][2]) == (0, {"error_type": "StoreError", "message": full})
    assert "back" in "".join(data.get("delta", "") for _, _, data in page.ask(id, "and now?"))
    assert page.ask(other, "hi")[-1][1] == "stream_end"


def test_what_the_provider_failed_with_is_told_once(serve: Any, open_home: OpenHome) -> None:
    """As an error before the end, whatever kind of exception it was."""
    page = serve(open_home(ScriptedModel([RuntimeError("no luck")])))

    told = page.ask(page.begin(), "go")

    assert [(type, data.get("message")) for _, type, data in told][-2:] == [("error", "no luck"), ("stream_end", None)]


def test_closing_the_server_ends_what_is_under_way(open_home: OpenHome) -> None:
    """The page says so when it is back."""
    home = open_home(ScriptedModel([ToolCall("", "hang")]))
    home.agent.toolbox = home.agent.toolbox.with_tools([tool(anyio.sleep_forever, name="hang")])
    with TestClient(application(home, ("testserver",))) as client:
        page = Page(client)
        id = page.begin()
        page.post(f"/api/conversations/{id}/messages", {"text": "go"})
        page.read(id, until="tool_call")

    assert home.conversations.events(id)[-1].type == "stopped"
    assert not home.conversations.get(id).running


def test_failures_are_told_and_end_one_answer_only(serve: Any, open_home: OpenHome) -> None:
    """Those of the provider, and bugs of a tool that lets its exceptions through."""
    broken = tool(lambda: 1 / 0, name="broken").without_error_handling()
    home = open_home(ScriptedModel([ToolCall("", "broken"), "fine"]))
    home.agent.toolbox = home.agent.toolbox.with_tools([broken])
    page = serve(home)
    id = page.begin()
    page.post(f"/api/conversations/{id}/messages", {"text": "go"})

    told = page.read(id, until="error")

    assert told[-1][2] == {"error_type": "ZeroDivisionError", "message": "division by zero"}
    assert page.ask(id, "and now?")[-1][1] == "stream_end"


HOSTILE = "<img src=x onerror=alert(1)>"


def test_hostile_names_and_markup_are_data(serve: Any, open_home: OpenHome) -> None:
    """A file is a download under a harmless name; markup arrives as text."""

    @tool
    def make() -> ToolOutput:
        """Make a file."""
        metadata = {"filename": f"../../{HOSTILE}\r\nSet-Cookie: a=b.html"}
        return ToolOutput(HOSTILE, [Artifact.from_raw(b"<script>", "text/html", metadata)])

    home = open_home(ScriptedModel([ToolCall("", "make"), HOSTILE]))
    home.agent.toolbox = home.agent.toolbox.with_tools([make])
    page = serve(home)
    told = page.ask(page.begin(), HOSTILE)
    [artifact] = [data["artifact"] for _, type, data in told if type == "artifact"]

    served = page.client.get(f"/artifacts/{artifact['id']}")

    assert served.headers["content-type"] == "application/octet-stream"
    assert served.headers["content-disposition"].startswith("attachment; filename*=UTF-8''")
    assert "set-cookie" not in served.headers
    assert not re.search(r"[/\\<>\r\n]", artifact["name"])
    assert HOSTILE in [data.get("result") for _, _, data in told]


# --- the guard


def test_every_answer_says_what_a_page_may_do(page: Page) -> None:
    """Its own scripts and nothing from elsewhere."""
    for path in ("/", "/api/about", "/assets/page.js", "/assets/nothing.js"):
        headers = page.client.get(path).headers
        assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("headers", "complaint"),
    [
        ({"Host": "evil.example"}, "this server is not reached under that name"),
        ({"Host": "evil.example:80"}, "this server is not reached under that name"),
        ({"Origin": "https://evil.example"}, "a change must come from a page of this server"),
        ({"Origin": "null"}, "a change must come from a page of this server"),
        ({"Sec-Fetch-Site": "cross-site"}, "a change must come from a page of this server"),
        ({"X-Prismpy-Token": "wrong"}, "the token of the page is missing or old; reload the page"),
        ({"X-Prismpy-Token": ""}, "the token of the page is missing or old; reload the page"),
    ],
)
def test_others_are_refused(page: Page, headers: dict[str, str], complaint: str) -> None:
    """Another name, another origin, no token: nothing is changed."""
    refused = page.post("/api/conversations", **headers)

    assert (refused.status_code, refused.text) == (403, complaint)
    assert page.client.get("/api/conversations").json() == []


def test_reading_needs_the_right_name_too(page: Page) -> None:
    """Else a name that was pointed here could read the token; nobody can point an address in numbers."""
    for name in ("evil.example", "evil.example:8321", "127.0.0.1.evil.example", "", "[::1", "1.2.3"):
        assert page.client.get("/", headers={"Host": name}).status_code == 403
    for name in ("192.0.2.7", "192.0.2.7:8321", "[2001:db8::7]", "[2001:db8::7]:8321"):
        assert page.client.get("/", headers={"Host": name}).status_code == 200
        assert page.post("/api/conversations", Host=name, Origin=f"http://{name}").status_code == 201
        assert page.post("/api/conversations", Host=name, Origin="http://192.0.2.8").status_code == 403


@pytest.mark.parametrize("origin", ["http://testserver", "http://testserver:8321"])
def test_our_own_page_is_let_through(page: Page, origin: str) -> None:
    """On any port."""
    assert page.post("/api/conversations", Origin=origin, **{"Sec-Fetch-Site": "same-origin"}).status_code == 201


# --- what is asked wrongly


@pytest.mark.parametrize(
    ("path", "body", "status", "error"),
    [
        ("messages", {}, 400, "a message needs words under 'text'"),
        ("messages", {"text": " "}, 400, "a message needs words under 'text'"),
        ("messages", [1], 400, "the request must be a JSON object"),
        ("messages", {"text": "x" * MAX_BODY}, 413, f"a request may hold {MAX_BODY} bytes"),
        ("decisions", {"digest": "x"}, 400, "a decision needs the 'digest' of the call and 'agreed', true or false"),
        (
            "decisions",
            {"digest": "x", "agreed": True},
            409,
            "no call with these arguments waits for a decision; look at the conversation again",
        ),
    ],
)
def test_wrong_requests_are_told_what_is_wrong(page: Page, path: str, body: Any, status: int, error: str) -> None:
    """In one sentence, as JSON."""
    answer = page.post(f"/api/conversations/{page.begin()}/{path}", body)

    assert (answer.status_code, answer.json()) == (status, {"error": error})


def test_unknown_things_are_not_found(page: Page) -> None:
    """Conversations, files, and numbers that are none."""
    assert page.post("/api/conversations/x/messages", {"text": "hi"}).status_code == 404
    assert page.client.get("/api/conversations/x/events").status_code == 404
    assert page.client.get("/assets/secret.txt").status_code == 404
    for number in ("x", "²", "9" * 40):
        assert page.client.get(f"/api/conversations/{page.begin()}/events?after={number}").status_code == 400
    for content in (b"{", b"[" * 100_000, b"\xff"):
        told = page.client.post(f"/api/conversations/{page.begin()}/messages", content=content, headers=page.headers)
        assert told.json()["error"].startswith("the request is no JSON")


def test_half_a_character_is_refused(page: Page) -> None:
    """Neither a database nor a provider takes it."""
    path, content = f"/api/conversations/{page.begin()}/messages", rb'{"text": "\ud800"}'

    assert page.client.post(path, content=content, headers=page.headers).json() == {
        "error": "the message has half a character; write it again"
    }


@pytest.mark.anyio
async def test_a_body_that_never_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sends nothing holds the server up for a while only."""
    monkeypatch.setattr(_server, "_PATIENCE", 0.0)

    with pytest.raises(_server.TooSlowError, match="did not come within 0 seconds"):
        await _server._body(Request({"type": "http"}, anyio.sleep_forever))


def test_stopping_what_does_not_run_is_nothing(page: Page) -> None:
    """It may have ended a moment before."""
    assert page.post(f"/api/conversations/{page.begin()}/stop").status_code == 202


def test_the_page_says_what_it_talks_to(serve: Any, open_home: OpenHome) -> None:
    """The offline model, or a real one by name."""
    model = FunctionModel(lambda _: "hi", model_name="claude")

    about = serve(open_home(model)).client.get("/api/about").json()

    assert (about["model"], about["offline"]) == ("claude", False)
    assert "store_memory" in [each["name"] for each in about["tools"]]
