"""The tables beside the engine's own, in the same database: runs, events, the ledger of calls, answers, contents."""

from typing import Final

COMPONENT: Final = "durable"

MIGRATIONS: Final = (
    (
        """
        CREATE TABLE prismpy_runs (
            run TEXT PRIMARY KEY,
            agent TEXT NOT NULL,
            begun TEXT NOT NULL,
            stage TEXT NOT NULL,
            state TEXT NOT NULL,
            round INTEGER NOT NULL,
            error TEXT NOT NULL,
            step INTEGER NOT NULL
        )
        """,
        """
        CREATE TABLE prismpy_run_events (
            run TEXT NOT NULL,
            position INTEGER NOT NULL,
            id TEXT NOT NULL,
            event TEXT NOT NULL,
            PRIMARY KEY (run, position),
            UNIQUE (run, id)
        )
        """,
        """
        CREATE TABLE prismpy_run_calls (
            run TEXT NOT NULL,
            number INTEGER NOT NULL,
            call TEXT NOT NULL,
            tool TEXT NOT NULL,
            digest TEXT NOT NULL,
            policy TEXT NOT NULL,
            state TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            worker TEXT NOT NULL,
            result TEXT,
            began DOUBLE PRECISION NOT NULL,
            ended DOUBLE PRECISION,
            PRIMARY KEY (run, number)
        )
        """,
        """
        CREATE TABLE prismpy_run_answers (
            run TEXT NOT NULL,
            round INTEGER NOT NULL,
            call TEXT NOT NULL,
            answer TEXT NOT NULL,
            PRIMARY KEY (run, round, call)
        )
        """,
        "CREATE TABLE prismpy_run_contents (id TEXT PRIMARY KEY, content TEXT NOT NULL)",
    ),
    (
        "ALTER TABLE prismpy_runs ADD COLUMN resumed INTEGER NOT NULL DEFAULT 0",
        "UPDATE prismpy_runs SET resumed = step",  # whose number is in the ids of what was told of failures before
    ),
)
"""
Never change one that was released, add another; what is inserted names its columns, so that a process that is at
work while another one adds a column goes on.

`begun` is a fingerprint of the beginning; `round` counts the waits; `step` is the engine's step that failed;
`resumed` tells the events of one failure from those of the next.
"""
