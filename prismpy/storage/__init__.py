"""The ground every store stands on: whole files, harmless names, SQLite and PostgreSQL with migrations."""

from ._clock import Clock, utc_now
from ._files import disk_errors, extension_of, replace_file, safe_name, write_new
from ._line import hung_up_after
from ._lock import locked
from ._migrations import Migrations
from ._postgres import PostgresDatabase
from ._sqlite import Database

__all__ = [
    "Clock",
    "Database",
    "Migrations",
    "PostgresDatabase",
    "disk_errors",
    "extension_of",
    "hung_up_after",
    "locked",
    "replace_file",
    "safe_name",
    "utc_now",
    "write_new",
]
