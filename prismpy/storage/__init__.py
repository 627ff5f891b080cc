"""The ground every store stands on: files written whole, names that harm nobody, SQLite with migrations."""

from ._files import disk_errors, replace_file, safe_name, write_new
from ._sqlite import Database, Migrations

__all__ = ["Database", "Migrations", "disk_errors", "replace_file", "safe_name", "write_new"]
