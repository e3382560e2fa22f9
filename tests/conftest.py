"""What every test may ask for."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from oldhand.store import Store, open_database

if TYPE_CHECKING:
    from .postgres_server import Server

# A slow moment of the machine is no fault of what is tested.
settings.register_profile("oldhand", deadline=None)
settings.load_profile("oldhand")


REAL_SESSIONS = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture
def store() -> Iterator[Store]:
    """Open a database in memory, with all tables."""
    opened = open_database(":memory:")
    yield opened
    opened.close()


ENGINES = ["memory", "file", pytest.param("postgres", marks=pytest.mark.postgres)]


@pytest.fixture(params=ENGINES)
def any_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Open a database with all tables, in turn with each engine."""
    urls = {"memory": ":memory:", "file": str(tmp_path / "oldhand.db")}
    url = urls.get(request.param) or request.getfixturevalue("postgres_url")
    opened = open_database(url)
    yield opened
    opened.close()


@pytest.fixture
def postgres_url(postgres_server: Server) -> Iterator[str]:
    """Return the URL of a PostgreSQL database of this test's own, with all tables."""
    url = postgres_server.new_database()
    yield url
    postgres_server.drop_database(url)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """Start a PostgreSQL server, or skip; where CI is set, fail."""
    from .postgres_server import NoServer, start  # noqa: PLC0415 - few tests need psycopg

    try:
        server = start()
    except NoServer as fault:
        if os.environ.get("CI") == "true":  # noqa: TID251 - where tests must not skip
            pytest.fail(f"no PostgreSQL server in CI: {fault}")
        pytest.skip(f"no PostgreSQL server: {fault}")
    yield server
    server.stop()


@pytest.fixture
def real_sessions() -> Path:
    """Return the folder of real sessions, or skip."""
    if not REAL_SESSIONS.is_dir():
        pytest.skip("no real sessions beside the checkout: ../shared/data")
    return REAL_SESSIONS


@pytest.fixture
def without_rights() -> list[str]:
    """Return a command that runs Python source as one whom file modes refuse, or skip."""
    if os.getuid() == 0 and not sys.platform.startswith("linux"):
        pytest.skip("root cannot give up its rights on this system")
    return [sys.executable, str(Path(__file__).with_name("without_rights.py"))]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 2 MB, where mounting is permitted."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = shutil.which("mount")
    options = ["-t", "tmpfs", "-o", "size=2m", "tmpfs", str(disk)]
    if mount is None or subprocess.run([mount, *options], check=False).returncode:
        pytest.skip("mounting a small tmpfs is not permitted here")
    yield disk
    subprocess.run([shutil.which("umount") or "umount", str(disk)], check=True)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make an empty home directory the user's, with no setting from outside."""
    for name in ("OLDHAND_HOME", "OLDHAND_DATABASE", "OLDHAND_PRINCIPAL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "HERMES_HOME", "OLDHAND_EXCLUDE"):
        monkeypatch.delenv(name, raising=False)
    for name in ("TELEGRAM_TOKEN", "TELEGRAM_CHAT", "DISCORD_WEBHOOK", "NOTIFY_URLS"):
        monkeypatch.delenv(f"OLDHAND_{name}", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USER", "ada")
    return tmp_path
