"""What tests of scheduled work ask for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from oldhand.store import Store, open_database
from oldhand.testing import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Name a database with all tables that several processes can open."""
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres_url"))
    path = str(tmp_path / "oldhand.db")
    open_database(path).close()
    return path


@pytest.fixture
def shared_store(url: str) -> Iterator[Store]:
    """Open that database."""
    store = open_database(url)
    yield store
    store.close()
