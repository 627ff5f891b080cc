"""
The field cases that tell a story instead of giving data.

Each `test_fc_<kind>_<number>_...` is the case of that id; `cases.SCENARIOS`
reads the ids off the names. Whoever waits here waits for an event, never for
time; a limit stands only where a bug would hang the test.
"""

import contextvars
import copy
import json
import threading
from collections.abc import Callable, Iterable
from typing import Any

import anyio
import anyio.lowlevel
import attrs
import pytest

from prismpy import (
    DefinitionError,
    RunContext,
    StringSchema,
    Tool,
    Toolbox,
    ToolCall,
    ToolResult,
    known_providers,
    tool,
)
from prismpy.lowering import has_strict_mode

LONG = 10.0
"""Seconds after which something that must happen has not."""


def ok() -> str:
    return "ok"


def empty(name: str) -> Tool:
    return Tool.as_(name).using(ok)


def calls(*names: str) -> list[ToolCall]:
    return [ToolCall(name, name) for name in names]


def texts(results: Iterable[ToolResult]) -> list[str]:
    return [result.text for result in results]


def spoil(value: Any) -> None:
    """Empty a container and every one within it."""
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        spoil(inner)
    if isinstance(value, dict | list):
        value.clear()


# --- schema to provider -------------------------------------------------------------------------------------------


def full() -> Tool:
    """Make a tool with something of every kind in it."""
    return (
        Tool.as_("full")
        .for_("Does all")
        .with_string_parameter("s", "Text", default="x", pattern="^x")
        .with_enum_parameter("e", "Choice", ["a", 1, None])
        .with_array_parameter("l", "List", StringSchema("item", "Item"), examples=[["a"]])
        .with_object_parameter("o", "Object", [StringSchema("p", "Part")], ["p"], default={"p": "q"})
        .with_raw_parameter("r", "Raw", {"oneOf": [{"type": "string"}, {"const": [1]}]})
        .with_provider_options("anthropic", cache_control={"type": "ephemeral"})
        .with_provider_options("mcp", annotations={"readOnlyHint": True})
        .using(lambda **_: "ok")
    )


def test_fc_provider_11_exporting_changes_nothing() -> None:
    """An export, strict or not, depends on none before it, and neither making nor spoiling one touches the tool."""
    made, spec = full(), copy.deepcopy(full().spec)
    forms = [(provider, strict) for provider in known_providers() for strict in (False, has_strict_mode(provider))]
    alone = {form: json.dumps(full().to(form[0], strict=form[1])) for form in forms}
    orders = [forms[i:] + forms[:i] for i in range(len(forms))]

    for order in (*orders, *(order[::-1] for order in orders)):
        for provider, strict in (*order, *order):
            exported = made.to(provider, strict=strict)
            assert json.dumps(exported) == alone[provider, strict]
            spoil(exported)
    assert attrs.evolve(made.spec, handler=None) == attrs.evolve(spec, handler=None)


@pytest.mark.parametrize("provider", known_providers())
def test_fc_provider_12_empty_tools_share_nothing(provider: str) -> None:
    """Whatever is done to the export of one tool without parameters, that of another stays as it is."""
    one, other = empty("one"), empty("other")
    before, held = json.dumps(other.to(provider)), other.to(provider)

    spoil(one.to(provider))

    assert json.dumps(held) == json.dumps(other.to(provider)) == before


@pytest.mark.parametrize("provider", known_providers())
def test_fc_provider_18_names_never_collide(provider: str) -> None:
    """A name that a provider does not take gets one of its own, whatever the order, and each call finds its tool."""
    box = Toolbox(tool(lambda name=name: name, name=name) for name in ("stock.find", "stock_find", "9lives"))
    offered = box.offer(provider)
    sent = [offered.wire_name(name) for name in ("stock.find", "stock_find", "9lives")]

    assert sent == [
        "stock.find"
        if provider in {"gemini", "gemini-json-schema", "json-schema", "mcp", "ollama"}
        else "stock_find_a19b66",
        "stock_find",
        "_9lives" if provider in {"gemini", "gemini-json-schema"} else "9lives",
    ]
    assert [result.text for result in box.run(calls(*sent), offer=offered)] == ["stock.find", "stock_find", "9lives"]


def test_fc_provider_19_two_tools_of_one_name_are_refused() -> None:
    """Tools of one name cannot be put together."""
    with pytest.raises(DefinitionError, match="two tools are called 'search'"):
        Toolbox([empty("search"), empty("fetch"), empty("search")])


# --- arguments ----------------------------------------------------------------------------------------------------


@attrs.frozen
class Spot:
    x: int


def locate(spot: Spot) -> str:
    return f"{type(spot).__name__} {spot.x}"


async def alocate(spot: Spot) -> str:
    return locate(spot)


def by_every_path(handler: Callable[..., Any], arguments: Any) -> list[ToolResult]:
    """Run a call alone and in a batch, sync and async, here, beside others, and with a time limit."""
    results: list[ToolResult] = []
    for made in (
        tool(handler, name="locate"),
        tool(handler, name="locate").concurrent(),
        tool(handler, name="locate").with_timeout(LONG),
    ):
        batch = [ToolCall(str(i), "locate", arguments) for i in range(3)]
        results += [made.run(arguments), anyio.run(made.arun, arguments)]
        results += [*Toolbox([made]).run(batch), *anyio.run(Toolbox([made]).arun, batch)]
    return results


@pytest.mark.parametrize("handler", [locate, alocate])
def test_fc_args_17_every_path_converts(handler: Callable[..., Any]) -> None:
    """However a call is run, the handler gets what it was annotated with."""
    results = by_every_path(handler, {"spot": {"x": 1}})

    assert set(texts(results)) == {"Spot 1"}


@pytest.mark.parametrize("handler", [locate, alocate])
def test_fc_args_17_every_path_validates(handler: Callable[..., Any]) -> None:
    """However a call is run, wrong arguments are refused in the same words."""
    results = by_every_path(handler, {"spot": {"x": "one"}})

    assert {(result.is_error, result.text, result.problems) for result in results} == {
        (True, results[0].text, results[0].problems)
    }
    assert [(problem.path, problem.rule) for problem in results[0].problems] == [("spot.x", "type")]


# --- dispatch -----------------------------------------------------------------------------------------------------


def test_fc_dispatch_01_an_unknown_tool_is_answered() -> None:
    """A call of no tool gets an error that lists the tools, and the other calls run."""
    box = Toolbox([empty("search"), empty("fetch")])
    batch = [ToolCall("c1", "serach", "{}"), ToolCall("c2", "fetch", "{}")]

    for results in (box.run(batch), anyio.run(box.arun, batch)):
        assert [(result.call.id, result.is_error, result.text) for result in results] == [
            ("c1", True, "there is no tool 'serach'; did you mean 'search'?; available are search, fetch"),
            ("c2", False, "ok"),
        ]


def test_fc_dispatch_03_missing_and_equal_ids_lose_no_call() -> None:
    """Calls run once each, in order, and get ids of their own; the first bearer of an id keeps it."""
    said: list[str] = []

    def say(t: str) -> str:
        said.append(t)
        return t

    batch = [ToolCall(id, "say", {"t": t}) for id, t in (("x", "one"), ("x", "two"), ("", "three"))]
    results = Toolbox([say]).run(batch)
    ids = [result.call.id for result in results]

    assert said == texts(results) == ["one", "two", "three"]
    assert (ids[0], len(set(ids)), all(ids)) == ("x", 3, True)


def test_fc_dispatch_04_a_tool_runs_as_often_as_it_is_called() -> None:
    """Two calls of one tool in a turn are two results, in order."""
    results = Toolbox([tool(lambda q: q, name="look")]).run(
        [ToolCall("a", "look", {"q": "X"}), ToolCall("b", "look", {"q": "Y"})]
    )

    assert [(result.call.id, result.text) for result in results] == [("a", "X"), ("b", "Y")]


@pytest.mark.parametrize("run", [Toolbox.run, lambda box, batch: anyio.run(box.arun, batch)], ids=["run", "arun"])
def test_fc_dispatch_05_results_keep_the_order_of_calls(run: Callable[..., Any]) -> None:
    """Tools that run together and end in another order are answered in the order of the calls."""
    ended: list[str] = []
    b_ended, c_ended = threading.Event(), threading.Event()

    def a() -> str:
        assert c_ended.wait(LONG)
        ended.append("a")
        return "a"

    def b() -> str:
        ended.append("b")
        b_ended.set()
        return "b"

    def c() -> str:
        assert b_ended.wait(LONG)
        ended.append("c")
        c_ended.set()
        return "c"

    results = run(Toolbox(tool(each).concurrent() for each in (a, b, c)), calls("a", "b", "c"))

    assert ended == ["b", "c", "a"]
    assert texts(results) == ["a", "b", "c"]


@pytest.mark.parametrize("fatal", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_fc_dispatch_06_what_ends_the_program_passes_through(fatal: type[BaseException]) -> None:
    """Only an `Exception` becomes a result, wherever the handler runs."""

    def quit_now() -> str:
        raise fatal

    for made in (
        tool(quit_now),
        tool(quit_now).concurrent(),
        tool(quit_now).with_timeout(LONG),
        tool(quit_now).failed(lambda error, arguments: "worded"),
    ):
        with pytest.raises(fatal):
            made.run()
        with pytest.raises(fatal):
            Toolbox([made]).run(calls("quit_now", "quit_now"))


@pytest.mark.parametrize("fatal", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("concurrent", [False, True])
def test_fc_dispatch_06_what_ends_the_program_leaves_an_event_loop(
    fatal: type[BaseException], concurrent: bool, anyio_backend: str
) -> None:
    """So it is where the program runs an event loop, for handlers in it and in threads."""

    def quit_now() -> str:
        raise fatal

    async def aquit_now() -> str:
        raise fatal

    for handler in (quit_now, aquit_now):
        made = tool(handler, name="quit_now").concurrent(concurrent)
        with pytest.raises(fatal):
            anyio.run(Toolbox([made]).arun, calls("quit_now", "quit_now"), backend=anyio_backend)


@pytest.mark.anyio
async def test_fc_dispatch_07_cancelling_the_run_cancels_the_tool() -> None:
    """A tool sees the cancellation, and does nothing once the cancelled run has returned."""
    ticks = 0
    seen: list[BaseException] = []
    scope = anyio.CancelScope()

    async def tick() -> str:
        nonlocal ticks
        try:
            while True:
                await anyio.lowlevel.checkpoint()
                ticks += 1
                if ticks == 5:
                    scope.cancel()
        except anyio.get_cancelled_exc_class() as error:
            seen.append(error)
            raise

    with scope:
        await tool(tick).arun()
    at_the_end = ticks
    for _ in range(20):
        await anyio.lowlevel.checkpoint()

    assert scope.cancelled_caught
    assert (len(seen), ticks) == (1, at_the_end)


@pytest.mark.anyio
async def test_fc_dispatch_08_an_error_let_through_takes_the_others_along() -> None:
    """Before the error of one tool leaves the run, those beside it are cancelled and have ended."""
    started = anyio.Event()
    ended: list[str] = []

    async def a() -> str:
        await started.wait()
        raise ValueError("fatal")

    async def b() -> str:
        started.set()
        try:
            await anyio.sleep(LONG)
        finally:
            ended.append("b")
        return "b"

    box = Toolbox([tool(a).concurrent().without_error_handling(), tool(b).concurrent()])
    with anyio.fail_after(LONG / 2), pytest.raises(ValueError, match="fatal"):
        await box.arun(calls("a", "b"))

    assert ended == ["b"]


@pytest.mark.anyio
async def test_fc_dispatch_09_a_blocking_tool_leaves_the_loop_free() -> None:
    """The loop goes on while sync tools block, and two that may run together do."""
    both, ticked = threading.Barrier(2), threading.Event()
    ticks = 0

    def slow() -> str:
        both.wait(LONG)
        return "ok" if ticked.wait(LONG) else "the loop stood still"

    async def ticker() -> None:
        nonlocal ticks
        while ticks < 10:
            await anyio.lowlevel.checkpoint()
            ticks += both.n_waiting == 0
        ticked.set()

    async with anyio.create_task_group() as group:
        group.start_soon(ticker)
        results = await Toolbox([tool(slow).concurrent()]).arun(calls("slow", "slow"))

    assert texts(results) == ["ok", "ok"]


who: contextvars.ContextVar[str] = contextvars.ContextVar("who", default="nobody")


def whoami() -> str:
    return who.get()


async def awhoami() -> str:
    return who.get()


@pytest.mark.anyio
@pytest.mark.parametrize("handler", [whoami, awhoami])
async def test_fc_dispatch_10_context_variables_travel_along(handler: Callable[..., Any]) -> None:
    """A tool sees the context variables of its own run, in whatever thread, and however many runs there are."""
    made = tool(handler).concurrent()
    found: dict[str, list[str]] = {}

    async def run_as(name: str) -> None:
        who.set(name)
        found[name] = texts(await Toolbox([made]).arun(calls(made.spec.name, made.spec.name)))
        found[name].append((await made.arun()).text)

    async with anyio.create_task_group() as group:
        group.start_soon(run_as, "ann")
        group.start_soon(run_as, "bob")

    assert found == {"ann": ["ann"] * 3, "bob": ["bob"] * 3}


@pytest.mark.parametrize("handler", [whoami, awhoami])
def test_fc_dispatch_10_context_variables_travel_into_threads(handler: Callable[..., Any]) -> None:
    """So it is without an event loop, for calls that run together and calls with a time limit."""

    def run() -> list[str]:
        who.set("ann")
        made = tool(handler, name="whoami")
        together = Toolbox([tool(handler, name="whoami").concurrent()]).run(calls("whoami", "whoami"))
        return texts([made.run(), made.with_timeout(LONG).run(), *together])

    assert contextvars.copy_context().run(run) == ["ann"] * 4


def look(text: str, ctx: "RunContext") -> str:
    """Stand for a function under postponed annotations."""
    return f"{text} {ctx.call.id}"


def test_fc_schema_09_the_run_context_is_injected() -> None:
    """Under postponed annotations, too, it is no parameter, and the call has it."""
    made = tool(look)

    assert made.to("json-schema")["properties"].keys() == {"text"}
    assert made.to("json-schema")["required"] == ["text"]
    assert Toolbox([made]).run([ToolCall("c1", "look", {"text": "a"})])[0].text == "a c1"
    assert made.run({"text": "a", "ctx": {}}).is_error
