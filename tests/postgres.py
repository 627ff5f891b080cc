"""A PostgreSQL server of the tests' own, gone with them: from Debian's package, or with pgvector from `pgserver`."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from urllib.parse import quote, urlencode

import attrs
import pytest

_NUMBERS = count(1)


@attrs.frozen
class Cluster:
    """A server that runs."""

    folder: Path
    """Where its socket is."""

    as_owner: tuple[str, ...]
    """Puts a command into the hands of the user whom the server belongs to."""

    def url(self, **settings: str) -> str:
        """Return a URL with settings; there are no tables there yet."""
        schema = f"test_{next(_NUMBERS)}"
        self.run(f"CREATE SCHEMA {schema}")
        return self._url(f"-c search_path={schema},public", **settings)

    def run(self, statement: str) -> None:
        """Run a statement as whom the server belongs to."""
        import psycopg

        with psycopg.connect(self._url("")) as connection:
            connection.execute(statement)

    def _url(self, options: str, **settings: str) -> str:
        fields = {"host": str(self.folder), "port": "54321", "user": "tester", "options": options, **settings}
        return "postgresql:///postgres?" + urlencode(fields, quote_via=quote)

    def ctl(self, *words: str) -> None:
        """Run `pg_ctl` on it."""
        command = [*self.as_owner, str(self.folder / "bin" / "pg_ctl"), "-D", str(self.folder / "data"), *words]
        subprocess.run(command, check=True, capture_output=True)

    def start(self) -> None:
        """Start the server; it listens on a socket only."""
        options = f"-c listen_addresses= -c unix_socket_directories={self.folder} -c port=54321 -c fsync=off"
        self.ctl("start", "-w", "-l", str(self.folder / "log"), "-o", options)


def debian() -> Path | None:
    """Return the newest PostgreSQL that Debian's packages put here, if any."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    return found[-1].parent.parent if found else None


def with_pgvector() -> Path | None:
    """Return the PostgreSQL that the package `pgserver` brings, which has the extension."""
    spec = find_spec("pgserver")
    return Path(spec.origin).parent / "pginstall" if spec and spec.origin else None


@contextmanager
def cluster(program: Path | None, missing: str) -> Iterator[Cluster]:
    """Start a server in a folder of its own, or skip the test and say what is missing."""
    if program is None:
        pytest.skip(missing)
    folder = Path(tempfile.mkdtemp(prefix="prismpy-postgres-"))  # a short path, as sockets need
    made = Cluster(folder, _owner(folder))
    try:
        _lay(program, folder)
        initdb = [str(folder / "bin" / "initdb"), "-D", str(folder / "data"), "-U", "tester", "-A", "trust"]
        options = ["-E", "UTF8", "--locale=C", "--no-sync"]
        subprocess.run([*made.as_owner, *initdb, *options], check=True, capture_output=True, cwd="/")
        made.start()
        made.run("CREATE EXTENSION vector" if program == with_pgvector() else "SELECT 1")
        try:
            yield made
        finally:
            made.ctl("stop", "-m", "immediate")
    finally:
        shutil.rmtree(folder)


def _lay(program: Path, folder: Path) -> None:
    """Lay the program where the server's user can read it: the environment it is in may be for root alone."""
    if program.is_relative_to("/usr"):
        (folder / "bin").symlink_to(program / "bin")
        return
    for part in ("bin", "lib", "share"):
        shutil.copytree(program / part, folder / part, symlinks=True)
    shutil.copytree(program.parent.parent / "pgserver.libs", folder / "libs")
    for path in folder.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755)


def _owner(folder: Path) -> tuple[str, ...]:
    """Give the folder to somebody who is not root, for whom the server would not start."""
    libraries = ("env", f"LD_LIBRARY_PATH={folder / 'libs'}")
    if os.geteuid() != 0:
        return libraries
    name = next(user.pw_name for user in pwd.getpwall() if user.pw_name in {"postgres", "nobody"})
    shutil.chown(folder, name)
    return ("runuser", "-u", name, "--", *libraries)
