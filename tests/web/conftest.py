"""Daemons for the tests of the web."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from oldhand.store import Store, open_database

from .daemon import Daemon, running


@pytest.fixture
def file_store(tmp_path: Path) -> Iterator[Store]:
    """Open a database in a file, as a daemon has it."""
    opened = open_database(str(tmp_path / "oldhand.db"))
    yield opened
    opened.close()


@pytest.fixture
def daemon(file_store: Store) -> Iterator[Daemon]:
    """Run a daemon with ada, eve, bot and other."""
    with running(file_store) as made:
        yield made


@pytest.fixture
def any_daemon(any_store: Store) -> Iterator[Daemon]:
    """Run a daemon in turn over each engine."""
    with running(any_store) as made:
        yield made
