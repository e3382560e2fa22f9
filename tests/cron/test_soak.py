"""Schedulers that are killed and stopped all the time: nothing is doubled, nothing is lost.

The short form always runs; `make soak` runs the long one, and says its figures.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from oldhand.cron.jobs import create_job
from oldhand.cron.model import JobSpec
from oldhand.store import Store

from .daemon import fast_clock
from .daemons import Books, Storm, settle

KINDS = (
    ("effects", {"on_overlap": "allow"}),
    ("effects-queue", {"on_overlap": "queue"}),
    ("again", {"on_overlap": "allow", "side_effects": False, "retries": 2}),
    ("effects-fails", {"on_overlap": "allow"}),
)


def weather(
    store: Store, marks: Path, url: str, *, processes: int, seconds: float, jobs: int
) -> tuple[Books, Storm]:
    """Let jobs fire each second in a storm; return the books of all that happened."""
    marks.touch()
    clock = lambda: fast_clock(Storm.SPEED)  # noqa: E731 - the storm's clock
    with store.transaction():
        for number in range(jobs):
            kind, fields = KINDS[number % len(KINDS)]
            prompt = "0.1 fails" if kind.endswith("fails") else "0.2"
            create_job(
                store,
                JobSpec(
                    prompt,
                    "every 1m",
                    zone="UTC",
                    name=f"{kind} {number}",
                    on_misfire="all",
                    **fields,
                ),
                clock=clock,
            )
    with Storm(url, marks, processes=processes, seed=processes) as storm:
        storm.rage(seconds)
    settle(store, marks, seconds=120)
    return Books(store, marks), storm


def assert_balanced(books: Books) -> None:
    assert books.doubled() == []
    assert books.doubled_times() == []
    assert books.gaps() == []
    assert books.untold() == []
    assert books.false() == []


@pytest.mark.timeout(120)
@pytest.mark.parametrize("processes", [2, 4])
def test_nothing_is_doubled_or_unaccounted_for_in_a_storm(
    shared_store: Store, url: str, tmp_path: Path, processes: int
) -> None:
    books, storm = weather(
        shared_store, tmp_path / "marks", url, processes=processes, seconds=5, jobs=6
    )

    assert_balanced(books)
    assert storm.kills + storm.stops > 3
    assert len(books.rows) > 10


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("processes", [2, 4])
def test_nothing_is_doubled_or_unaccounted_for_in_a_long_storm(
    shared_store: Store,
    url: str,
    tmp_path: Path,
    processes: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    began = time.monotonic()
    books, storm = weather(
        shared_store, tmp_path / "marks", url, processes=processes, seconds=100, jobs=24
    )
    with capsys.disabled():
        engine = "PostgreSQL" if url.startswith("postgres") else "SQLite"
        sys.stdout.write(
            f"\n{engine}, {processes} processes, {time.monotonic() - began:.0f} s: "
            f"{len(books.rows):,} runs, {storm.kills} kills, {storm.stops} stops; "
            f"{dict(books.states)}; {sum(books.marks.values()):,} marks\n"
        )

    assert_balanced(books)
    assert storm.kills + storm.stops >= 50
    assert len(books.rows) >= 2_000
