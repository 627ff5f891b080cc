"""How a database knows which version of a store's tables it has. The statements are such as both databases take."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from prismpy.errors import StoreError

Migrations: TypeAlias = Sequence[Sequence[str]]
"""The statements that lead from each version of a store's tables to the next, from none at all onwards."""

VERSIONS: Final = """
    CREATE TABLE IF NOT EXISTS prismpy_versions (component VARCHAR(80) PRIMARY KEY, version INTEGER NOT NULL)
"""

VERSION: Final = "SELECT version FROM prismpy_versions WHERE component = :component"

RECORD: Final = """
    INSERT INTO prismpy_versions VALUES (:component, :version)
    ON CONFLICT (component) DO UPDATE SET version = excluded.version
"""


def check_version(component: str, version: int, migrations: Migrations) -> None:
    """
    Refuse tables that a later release made.

    Raises:
        StoreError: if their version is none that is known.
    """
    if version > len(migrations):
        msg = (
            f"the tables of {component!r} are of version {version}, and this prismpy knows up to {len(migrations)}; "
            "update prismpy"
        )
        raise StoreError(msg)
