"""The page in a real browser: Debian's Chromium, driven by playwright."""

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from typing import Any

import anyio
import attrs
import pytest
from playwright.sync_api import expect

from prismpy import (
    StreamStartEvent,
    ToolApprovalRequestEvent,
    Toolbox,
    ToolCall,
    ToolCallEvent,
    ToolOutput,
    ToolResult,
    ToolResultEvent,
    tool,
)
from prismpy.assistant import LOOPBACK, Home, application
from prismpy.testing import ScriptedModel

from .conftest import OpenHome

BROWSER = os.environ.get("PRISMPY_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")

pytestmark = [
    pytest.mark.skipif(
        BROWSER is None, reason="no Chromium; apt-get install chromium, or name one in PRISMPY_CHROMIUM"
    ),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # of the browser's own pipes
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser for all tests of this file."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def serve() -> Iterator[Callable[..., str]]:
    """Serve an assistant on a free port of this machine."""
    import uvicorn

    running: list[tuple[Any, threading.Thread]] = []

    def serve(home: Home, password: str = "") -> str:
        config = uvicorn.Config(application(home, LOOPBACK, password), host="127.0.0.1", port=0, log_level="error")
        server = uvicorn.Server(config)
        listening = threading.Event()
        startup = server.startup

        async def starting(sockets: Any = None) -> None:
            await startup(sockets)
            listening.set()

        server.startup = starting  # type: ignore[method-assign]  # to hear of it instead of waiting
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        assert listening.wait(30)
        running.append((server, thread))
        return f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/"

    yield serve
    for server, thread in running:
        server.should_exit = True
        thread.join(30)


@pytest.fixture
def visit(browser: Any) -> Iterator[Callable[..., Any]]:
    """Open a page; what its console complains of fails the test."""
    pages: list[Any] = []
    complaints: list[str] = []

    def visit(url: str, **options: Any) -> Any:
        page = browser.new_page(**options)
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
        page.on("request", lambda request: complaints.append(request.url) if not request.url.startswith(url) else None)
        page.goto(url)
        pages.append(page)
        return page

    yield visit
    for page in pages:
        page.close()
    assert complaints == []


def say(page: Any, words: str) -> None:
    page.locator("#words").fill(words)
    page.keyboard.press("Enter")


def test_a_conversation_from_the_first_word_to_the_picture(
    serve: Callable[[Home], str], visit: Callable[..., Any], open_home: OpenHome
) -> None:
    """A message is sent, calls appear and finish, one is approved, a picture is seen, and a reload shows it all."""
    page = visit(serve(open_home()))
    page.get_by_role("heading", name="What can I do for you?").wait_for()

    say(page, "Schedule a meeting with John tomorrow and remind me to prepare")
    page.get_by_text("There is a task to prepare it").wait_for()
    cards = page.locator("details.card")
    assert cards.locator(".name").all_text_contents() == [
        "create_calendar_event",
        "create_todoist_task",
        "store_memory",
    ]
    assert cards.evaluate_all("all => all.map(card => card.dataset.state)") == ["done"] * 3
    cards.first.locator("summary").click()
    assert '"title": "Meeting with John"' in cards.first.locator("pre").first.inner_text()

    say(page, "Draw a lighthouse")
    picture = page.locator(".picture img")
    picture.wait_for()
    expect(picture).not_to_have_js_property("naturalWidth", 0)

    say(page, "Forget the meeting")
    page.get_by_role("button", name="Approve").click()
    page.get_by_text("It is forgotten.").wait_for()

    said = page.locator(".user, .text, .name").all_text_contents()
    page.reload()
    page.get_by_text("It is forgotten.").wait_for()
    assert page.locator(".user, .text, .name").all_text_contents() == said
    assert page.locator("details.card").count() == 6


def test_declining_keeps_what_was_to_be_deleted(
    serve: Callable[[Home], str], visit: Callable[..., Any], open_home: OpenHome
) -> None:
    """With the keyboard alone."""
    page = visit(serve(open_home()))
    say(page, "Remember that I prefer dark mode")
    page.get_by_text("Got it!").wait_for()

    say(page, "Forget dark mode")
    page.get_by_role("button", name="Approve").wait_for()
    expect(page.get_by_role("group", name="Run delete_memory?")).to_be_focused()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    page.get_by_text("Then it stays.").wait_for()
    assert page.locator("details.card").last.get_attribute("data-state") == "failed"


def test_who_is_typing_is_not_disturbed(
    serve: Callable[[Home], str], visit: Callable[..., Any], open_home: OpenHome
) -> None:
    """What asks for approval meanwhile gets none of the keys."""
    home, gate = gated(open_home, ToolCall("", "wait"), ToolCall("", "delete_memory", {"id": "x"}), "Done.")
    page = visit(serve(home))
    say(page, "go")
    page.locator('details.card[data-state="running"]').wait_for()
    page.keyboard.type("and ")
    gate.open.set()
    page.get_by_role("button", name="Approve").wait_for()

    page.keyboard.type("then")

    expect(page.locator("#words")).to_have_value("and then")
    expect(page.get_by_role("button", name="Approve")).to_be_enabled()


class Gate:
    """A tool that waits until the test lets it go on."""

    def __init__(self) -> None:
        self.open = threading.Event()

    def tool(self) -> Any:
        @tool
        async def wait() -> str:
            """Wait."""
            await anyio.to_thread.run_sync(self.open.wait, abandon_on_cancel=True)
            return "waited"

        return wait


def gated(open_home: OpenHome, *answers: Any) -> tuple[Home, Gate]:
    gate = Gate()
    home = open_home(ScriptedModel(answers))
    home.agent.toolbox = home.agent.toolbox.with_tools([gate.tool()])
    return home, gate


def test_a_reload_in_mid_stream_loses_nothing(
    serve: Callable[[Home], str], visit: Callable[..., Any], open_home: OpenHome
) -> None:
    """The run goes on without the page, and the page catches up."""
    home, gate = gated(open_home, ["One moment.", ToolCall("", "wait")], "That was it.")
    page = visit(serve(home))
    say(page, "go")
    page.locator('details.card[data-state="running"]').wait_for()

    page.reload()
    page.get_by_text("One moment.").wait_for()
    assert page.get_by_role("button", name="Stop").is_visible()
    gate.open.set()

    page.get_by_text("That was it.").wait_for()
    assert page.locator(".user").all_text_contents() == ["go"]
    assert page.locator("#log").inner_text().count("One moment.") == 1
    assert page.locator("details.card").get_attribute("data-state") == "done"


def test_the_link_to_the_message_keeps_the_address(
    serve: Callable[[Home], str], visit: Callable[..., Any], open_home: OpenHome
) -> None:
    """Which names the conversation that a reload shows."""
    page = visit(serve(open_home()))
    page.get_by_role("heading", name="What can I do for you?").wait_for()
    before = page.url

    page.get_by_role("link", name="Skip to the message").focus()
    page.keyboard.press("Enter")

    expect(page.locator("#words")).to_be_focused()
    assert page.url == before


def test_escape_stops_an_answer(serve: Callable[[Home], str], visit: Callable[..., Any], open_home: OpenHome) -> None:
    """The call says so, and the next message is answered."""
    home, gate = gated(open_home, ToolCall("", "wait"), "Here again.")
    page = visit(serve(home))
    say(page, "go")
    page.locator('details.card[data-state="running"]').wait_for()

    page.keyboard.press("Escape")

    page.get_by_text("Stopped.").wait_for()
    assert page.locator("details.card").get_attribute("data-state") == "failed"
    say(page, "and now?")
    page.get_by_text("Here again.").wait_for()
    gate.open.set()


HOSTILE = '<img src=x onerror="document.title=1"><b>bold</b> **strong** `code`'


def test_markup_of_a_model_is_text(
    serve: Callable[[Home], str], visit: Callable[..., Any], open_home: OpenHome
) -> None:
    """Only a small part of Markdown becomes elements; nothing runs."""
    page = visit(serve(open_home(ScriptedModel([HOSTILE]))))

    say(page, HOSTILE)
    page.locator(".text strong").wait_for()

    assert page.locator(".text").inner_text() == '<img src=x onerror="document.title=1"><b>bold</b> strong code'
    assert page.locator(".user").inner_text() == HOSTILE
    assert page.locator("#log img").count() == 0
    assert page.title() == "Assistant"


def test_conversations_are_kept_switched_and_deleted(
    serve: Callable[[Home], str], visit: Callable[..., Any], open_home: OpenHome
) -> None:
    """On a phone, behind a button."""
    page = visit(serve(open_home()), viewport={"width": 390, "height": 800})
    say(page, "Remember that I like tea")
    page.get_by_text("Got it!").wait_for()
    menu = page.get_by_role("button", name="Conversations")
    menu.click()
    page.get_by_role("button", name="New conversation").first.click()
    page.get_by_role("heading", name="What can I do for you?").wait_for()

    menu.click()
    page.locator("main").click(position={"x": 380, "y": 5})
    expect(page.locator("#conversations")).to_be_hidden()
    menu.click()
    page.get_by_role("button", name="Remember that I like tea", exact=True).click()
    page.get_by_text("Got it!").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.on("dialog", lambda dialog: dialog.accept())
    menu.click()
    page.get_by_role("button", name="Delete Remember that I like tea").click()

    page.get_by_role("heading", name="What can I do for you?").wait_for()
    assert page.locator("#list .open").all_text_contents() == ["New conversation"]


MARKDOWN = """# Plan

1. first
   - inner with `code`
2. second, see [the docs](https://example.org/a) or https://example.org/b.

```python
x = "<b>" # ```no
print(x)
```

| a | b |
|---|---|
| 1 | *two* |

[no](javascript:alert(1)) 2 * 3 * 4"""


def test_what_models_write_is_laid_out(
    serve: Callable[[Home], str], visit: Callable[..., Any], open_home: OpenHome
) -> None:
    """Headings, nested lists, code, tables and links to the web; all else is words."""
    page = visit(serve(open_home(ScriptedModel([MARKDOWN]))))
    say(page, "go")
    page.locator(".text table").wait_for()
    text = page.locator(".text")
    expect(text.locator("h3")).to_have_text("Plan")
    expect(text.locator("ol > li")).to_have_count(2)
    expect(text.locator("ol ul li code")).to_have_text("code")
    expect(text.locator("pre code")).to_have_text('x = "<b>" # ```no\nprint(x)')
    expect(text.locator("td em")).to_have_text("two")
    assert text.locator("a").evaluate_all("all => all.map(each => each.href)") == [
        "https://example.org/a",
        "https://example.org/b",
    ]
    expect(text.locator("p").last).to_have_text("[no](javascript:alert(1)) 2 * 3 * 4")


def test_text_against_the_layout_is_drawn_in_time(
    serve: Callable[[Home], str], visit: Callable[..., Any], open_home: OpenHome
) -> None:
    """However many marks are left open."""
    words = "".join(mark * 2_000 for mark in ("[", "**", "`", "*a ", "|", "- ", "  ", "http://")) + "end of it"
    page = visit(serve(open_home(ScriptedModel([words]))))
    say(page, "go")

    page.get_by_text("end of it").wait_for()


def test_who_reads_further_up_is_left_there(
    serve: Callable[[Home], str], visit: Callable[..., Any], open_home: OpenHome
) -> None:
    """Whatever comes meanwhile."""
    long = "\n\n".join(map(str, range(200)))
    home, gate = gated(open_home, [long, ToolCall("", "wait")], "That was it.")
    page = visit(serve(home))
    say(page, "go")
    page.locator('details.card[data-state="running"]').wait_for()

    page.locator("#log").hover()
    page.mouse.wheel(0, -1500)
    expect(page.locator("#log")).not_to_have_js_property("scrollTop", page.locator("#log").evaluate(FAR_DOWN))
    before = page.locator("#log").evaluate("log => log.scrollTop")
    gate.open.set()
    page.get_by_text("That was it.").wait_for()
    expect(page.get_by_role("button", name="Send")).to_be_visible()

    assert page.locator("#log").evaluate("log => log.scrollTop") <= before


FAR_DOWN = "log => log.scrollHeight - log.clientHeight"


def test_who_presses_twice_sends_once(
    serve: Callable[[Home], str], visit: Callable[..., Any], open_home: OpenHome
) -> None:
    """And can type on meanwhile."""
    page = visit(serve(open_home(ScriptedModel(["one"]))))
    page.get_by_role("heading").first.wait_for()
    page.locator("#words").fill("go")

    page.evaluate("document.forms[0].requestSubmit(); document.forms[0].requestSubmit()")
    page.get_by_text("one", exact=True).wait_for()

    assert page.locator(".user").all_text_contents() == ["go"]
    expect(page.locator("#words")).to_have_value("")


def test_a_conversation_that_another_page_deletes_is_left(
    serve: Callable[[Home], str], visit: Callable[..., Any], open_home: OpenHome
) -> None:
    """A new one takes its place."""
    url = serve(open_home())
    page = visit(url)
    say(page, "Remember that I like tea")
    page.get_by_text("Got it!").wait_for()
    other = visit(url)
    other.on("dialog", lambda dialog: dialog.accept())

    other.get_by_role("button", name="Delete Remember that I like tea").click()

    for each in (other, page):
        each.get_by_role("heading", name="What can I do for you?").wait_for()
        expect(each.locator("#connection")).to_be_hidden()


def test_a_page_of_the_server_before_goes_on(serve: Callable[[Home], str], browser: Any, open_home: OpenHome) -> None:
    """Its token is old; it gets the new one by itself."""
    url = serve(open_home())
    page = browser.new_page()
    seen: list[str] = []

    def first_old(route: Any) -> None:
        seen.append(route.request.url)
        answer = route.fetch()
        text = answer.text()
        route.fulfill(response=answer, body=text.replace('name="token" content="', 'name="token" content="old')) if len(
            seen
        ) == 1 else route.fulfill(response=answer)

    page.route(url, first_old)
    page.goto(url)
    say(page, "Remember that I like tea")

    page.get_by_text("Got it!").wait_for()
    assert len(seen) == 2
    page.close()


def test_one_unused_conversation_is_enough(
    serve: Callable[[Home], str], visit: Callable[..., Any], open_home: OpenHome
) -> None:
    """Whoever asks for a new one again gets the same."""
    page = visit(serve(open_home()))
    say(page, "Remember that I like tea")
    page.get_by_text("Got it!").wait_for()

    for _ in range(3):
        page.locator("#new").click()
        page.get_by_role("heading", name="What can I do for you?").wait_for()

    expect(page.locator("#list .open")).to_have_text(["New conversation", "Remember that I like tea"])


def test_an_assistant_of_ones_own_says_what_it_has(
    serve: Callable[[Home], str], visit: Callable[..., Any], open_home: OpenHome
) -> None:
    """The names of its tools, where it has no words of its own."""
    home = attrs.evolve(open_home(ScriptedModel([])), greeting="", ideas=())
    home.agent.toolbox = Toolbox([tool(lambda: "9", name="opening_hours")])

    page = visit(serve(home))

    expect(page.locator(".welcome p")).to_have_text("Tools at hand: opening_hours.")


def test_a_wait_for_a_decision_is_no_time_of_the_tool(
    serve: Callable[..., str], visit: Callable[..., Any], open_home: OpenHome
) -> None:
    """It begins with the run that goes on, though that were days later."""
    home = open_home()
    id = home.conversations.create().id
    call = ToolCall("c1", "delete_memory", {})
    events = [
        (StreamStartEvent("m", "p"), 1.0),
        (ToolCallEvent(call, "m"), 2.0),
        (ToolApprovalRequestEvent(call, "m", "a1"), None),
        (StreamStartEvent("m", "p"), 90000.0),
        (ToolResultEvent(ToolResult(call, ToolOutput("gone"), "gone"), "m"), 90000.5),
    ]
    home.conversations.tell(id, [("user_message", {"text": "Forget it"})])
    for event, at in events:
        home.conversations.tell(id, [(event.type, {**event.to_dict(), "at": at})])
    page = visit(serve(home))

    expect(page.locator("details.card")).to_contain_text("500 ms")


def test_the_password_is_asked_for(serve: Callable[..., str], browser: Any, open_home: OpenHome) -> None:
    """In a form, or it comes with the address, in which it does not stay; a browser that lost it is asked again."""
    password = "correct horse"  # noqa: S105  # of a test
    url = serve(open_home(), password)
    page = browser.new_page()
    page.set_default_timeout(20_000)
    page.goto(url)
    for said, words in (("wrong horse", "That is not the password."), (password, "What can I do for you?")):
        page.get_by_label("Password").fill(said)
        page.get_by_role("button", name="Open").click()
        page.get_by_text(words).wait_for()
    say(page, "Remember that I like tea")
    page.get_by_text("Got it!").wait_for()

    page.context.clear_cookies()
    say(page, "What do you know?")
    page.get_by_label("Password").wait_for()

    page.goto(f"{url}?key={password}")
    page.get_by_text("Remember that I like tea").first.wait_for()
    assert "key" not in page.url
    page.close()
