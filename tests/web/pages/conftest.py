"""A daemon in this process, whose clock stands until a test moves it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from oldhand.store import open_database
from oldhand.testing import FakeClock
from oldhand.web.server import ConfirmationServer, Parts

from .site import Site


@pytest.fixture
def clock() -> FakeClock:
    """Return the clock by which the daemon and the site go."""
    return FakeClock()


@pytest.fixture
def site(tmp_path: Path, clock: FakeClock) -> Iterator[Site]:
    """Serve a database, with people and agents in it."""
    served = open_database(str(tmp_path / "oldhand.db"))
    store = open_database(str(tmp_path / "oldhand.db"))
    with ConfirmationServer(served, port=0, parts=Parts(clock=clock)) as server:
        yield Site(store, server.url, clock=clock)
    store.close()
    served.close()
