"""How much `bench.store` does, and where."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from bench.peers import ENVIRONMENTS

MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it


class Sizes(NamedTuple):
    """How much is done.

    Attributes:
        rounds: Appending, by all stores in turn; the median round counts.
        sessions: Appended in a round.
        loads: Of one session of 400 messages.
        starts: Cold starts; the quickest counts.
        messages: That each of the writers appends.
        library: Sessions, of 100 messages on average, in the large database.
        queries: Searches in it.
    """

    rounds: int
    sessions: int
    loads: int
    starts: int
    messages: int
    library: int
    queries: int


FULL = Sizes(3, 25, 20, 7, 300, 10_000, 300)
QUICK = Sizes(1, 6, 5, 3, 60, 200, 50)


@contextmanager
def database(*, on_disk: bool = False) -> Iterator[Path]:
    """Give the path of a database that is not there yet, in a folder that goes away."""
    in_memory = MEMORY.is_dir() and not on_disk
    ENVIRONMENTS.mkdir(parents=True, exist_ok=True)
    parent = MEMORY if in_memory else ENVIRONMENTS
    folder = Path(tempfile.mkdtemp(prefix="oldhand-bench-", dir=parent))
    try:
        yield folder / "sessions.db"
    finally:
        shutil.rmtree(folder)
