"""Databases for durable runs: a file each, or a database each on one PostgreSQL server."""

from collections.abc import Callable
from itertools import count
from typing import TypeAlias

import pytest

from prismpy.durable import DurableRuns
from tests.postgres import Cluster

NewDatabase: TypeAlias = Callable[[], str]
"""Returns the URL of a database that nobody has used yet."""


@pytest.fixture(scope="session")
def new_sqlite(tmp_path_factory: pytest.TempPathFactory) -> NewDatabase:
    """SQLite files."""
    folder, numbers = tmp_path_factory.mktemp("runs"), count()
    return lambda: f"sqlite:///{folder}/{next(numbers)}.db"


@pytest.fixture(scope="session")
def new_postgres(postgres: Cluster) -> NewDatabase:
    """Databases on a server; all but the first are copies of one with tables."""
    numbers = count()
    create(postgres, "durable_template", "template0")
    DurableRuns(url_of(postgres, "durable_template"), serve=False).close()

    def new() -> str:
        name = f"durable_{next(numbers)}"
        create(postgres, name, "durable_template")
        return url_of(postgres, name)

    return new


def create(postgres: Cluster, name: str, template: str) -> None:
    """Create a database, which no transaction may be around."""
    import psycopg

    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")


def url_of(postgres: Cluster, name: str) -> str:
    """Return the URL of a database of a server."""
    return f"postgresql:///{name}?host={postgres.folder}&port=54321&user=tester"


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def new_database(request: pytest.FixtureRequest) -> NewDatabase:
    """Either kind."""
    found: NewDatabase = request.getfixturevalue(f"new_{request.param}")
    return found
