"""One attempt at a call: what the ledger said before decides, and what it says afterwards."""

from collections.abc import Iterator
from typing import Annotated, Any

import anyio
import pytest
import sqlalchemy

from prismpy import Injected, Tool, Toolbox, ToolCall, ToolError
from prismpy.durable._attempt import attempt
from prismpy.durable._contents import Contents
from prismpy.durable._course import Services
from prismpy.durable._ledger import Entry, Ledger
from prismpy.durable._policy import MOST_ATTEMPTS, Claim, step_of
from prismpy.durable._records import Records
from prismpy.durable._sql import Sql, opened

from .conftest import NewDatabase

CALL = ToolCall("c", "work", {})


@pytest.mark.parametrize(
    ("policy", "claim", "step"),
    [
        ("at_least_once", Claim("begun", 1), "run"),
        ("at_least_once", Claim("begun", MOST_ATTEMPTS), "run"),
        ("at_least_once", Claim("begun", MOST_ATTEMPTS + 1), "give up"),
        ("at_least_once", Claim("done", 1, "{}"), "keep"),
        ("at_most_once", Claim("begun", 1), "run"),
        ("at_most_once", Claim("begun", 2), "give up"),
        ("at_most_once", Claim("unknown", 2, "{}"), "keep"),
        ("exactly_once", Claim("begun", 2), "run"),
        ("exactly_once", Claim("failed", 1, "{}"), "keep"),
    ],
)
def test_policy_and_ledger_decide(policy: Any, claim: Claim, step: str) -> None:
    """A result that was kept is taken; else the policy says whether the handler may run."""
    assert step_of(policy, claim) == step


@pytest.fixture
def sql(new_database: NewDatabase) -> Iterator[Sql]:
    found = opened(new_database())
    yield found
    found.close()


def tried(sql: Sql, handler: Any, policy: Any, most: int = 1_000_000) -> dict[str, Any]:
    """Make one attempt at a call and return what it came to."""
    contents = Contents(sql, most)
    host: Any = None
    services = Services(Records(sql, contents), Ledger(sql, "w"), contents, host)
    toolbox = Toolbox([Tool.as_("work").using(handler).with_crash_policy(policy).without_error_handling()])
    return anyio.run(lambda: attempt(services, toolbox, Entry("run", 0, CALL, policy), {}))


def state(sql: Sql) -> list[tuple[str, int]]:
    return [(record.state, record.attempts) for record in Ledger(sql, "w").calls("run", Contents(sql, 1_000_000))]


def begun(sql: Sql, policy: Any, attempts: int = 1) -> None:
    """Leave a call behind that was begun and did not end, as a kill does."""
    for _ in range(attempts):
        Ledger(sql, "dead").claim(Entry("run", 0, CALL, policy))


def test_a_call_that_ends_each_process_is_given_up(sql: Sql) -> None:
    """The model hears why, and the run goes on without it."""
    begun(sql, "at_least_once", MOST_ATTEMPTS)

    assert tried(sql, lambda: "done", "at_least_once")["result"]["text"] == (
        "work: it was begun 5 times, and each time the program was ended while it ran; go on without it"
    )
    assert state(sql) == [("unknown", 6)]


def test_at_most_once_is_told_as_unknown(sql: Sql) -> None:
    """And stays so, however often it is looked at."""
    begun(sql, "at_most_once")
    first = tried(sql, lambda: "done", "at_most_once")

    assert first["result"]["text"].startswith("work: whether it took effect is not known: the program was ended")
    assert tried(sql, lambda: "done", "at_most_once") == first
    assert state(sql) == [("unknown", 2)]


@pytest.mark.parametrize(
    ("policy", "order"), [("at_most_once", ["on the disk", "run"]), ("at_least_once", ["run"])], ids=["most", "least"]
)
def test_what_must_not_run_twice_is_on_the_disk_before_it_runs(
    new_sqlite: NewDatabase, policy: Any, order: list[str]
) -> None:
    """A power cut may undo what SQLite did not wait for, and such a call would be begun anew."""
    sql = opened(new_sqlite())
    came: list[str] = []
    sqlalchemy.event.listen(sql.lasting, "commit", lambda _: came.append("on the disk"))
    tried(sql, lambda: came.append("run"), policy)
    sql.close()

    assert came == order


def test_a_result_that_was_kept_is_taken(sql: Sql) -> None:
    """Though the process died before the engine had it."""
    tried(sql, lambda: "first", "at_least_once")

    assert tried(sql, lambda: "second", "at_least_once")["result"]["text"] == "first"


def writing(then: Any) -> Any:
    """Make a handler that writes, and then returns or raises."""

    def write(db: Annotated[sqlalchemy.Connection, Injected]) -> Any:
        db.execute(sqlalchemy.text("INSERT INTO effects VALUES ('x')"))
        return then()

    return write


def effects(sql: Sql) -> int:
    return int(sql.read("SELECT count(*) FROM effects")[0][0])


@pytest.fixture
def table(sql: Sql) -> None:
    with sql.write() as run:
        run("CREATE TABLE effects (name TEXT)")


@pytest.mark.usefixtures("table")
def test_exactly_once_keeps_effect_and_record_together(sql: Sql) -> None:
    """A long result is kept in the same transaction; another attempt takes it."""
    first = tried(sql, writing(lambda: "x" * 30_000), "exactly_once")

    assert tried(sql, writing(lambda: "again"), "exactly_once") == first
    assert (effects(sql), state(sql)) == (1, [("done", 1)])


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("outcome", ["error", "raise"])
def test_exactly_once_undoes_what_failed(sql: Sql, outcome: str) -> None:
    """A result that is an error keeps none of the writes; what was raised leaves the call open."""

    def fail() -> Any:
        if outcome == "raise":
            raise OSError("no disk")
        return ToolError("no room")

    told = tried(sql, writing(fail), "exactly_once")

    assert effects(sql) == 0
    if outcome == "raise":
        assert told == {"raised": {"type": "OSError", "message": "no disk"}}
        assert state(sql) == [("failed", 0)]
        assert tried(sql, writing(lambda: "now"), "exactly_once")["result"]["text"] == "now"
        assert (effects(sql), state(sql)) == (1, [("done", 1)])
    else:
        assert told["result"]["text"] == "no room"
        assert state(sql) == [("failed", 1)]


@pytest.mark.usefixtures("table")
def test_exactly_once_sees_that_another_process_was_faster(sql: Sql) -> None:
    """Its record was written between the claim and the transaction: nothing is written twice."""

    class Overtaken(Ledger):
        def claim(self, entry: Entry) -> Claim:
            found = super().claim(entry)
            if found.result is None:
                self.settle(entry, "done", '{"result": "theirs"}')
            return found

    contents = Contents(sql, 1000)
    host: Any = None
    services = Services(Records(sql, contents), Overtaken(sql, "w"), contents, host)
    toolbox = Toolbox([Tool.as_("work").using(writing(lambda: "ours")).with_crash_policy("exactly_once")])

    told = anyio.run(lambda: attempt(services, toolbox, Entry("run", 0, CALL, "exactly_once"), {}))
    assert (told, effects(sql)) == ({"result": "theirs"}, 0)


def test_a_result_that_is_too_long_is_told_instead(sql: Sql) -> None:
    """The call took effect, so it is not run again for that."""
    told = tried(sql, lambda: "x" * 50_000, "at_least_once", most=40_000)

    assert told["result"]["text"] == (
        "work ran, and its result cannot be kept: a text of 50,000 characters is too long to be kept; at most 40,000 are"
    )
    assert state(sql) == [("failed", 1)]
