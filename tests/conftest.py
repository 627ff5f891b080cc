"""Servers that tests of several rooms use, each started once and only where a test asks for it."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.postgres import Cluster, cluster, debian, with_pgvector

settings.register_profile("prismpy", deadline=None)  # how long an example takes is the machine's business
settings.load_profile("prismpy")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """PostgreSQL as Debian has it."""
    with cluster(debian(), "no PostgreSQL in /usr/lib/postgresql; apt-get install postgresql") as server:
        yield server


@pytest.fixture(scope="session")
def pgvector() -> Iterator[Cluster]:
    """PostgreSQL with the extension `vector`."""
    with cluster(with_pgvector(), "the package pgserver, which brings pgvector, is not installed") as server:
        yield server
