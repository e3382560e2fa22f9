"""The ledger: the table of all skills, what its sums cost, and making them anew.

One run, ratios. The table stands beside the first design's, a daily view with a loop in
Python, over the same runs; `--runs 10000000` takes ten minutes and 4 GB of disk.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from unittest.mock import patch

from bench import daily_loop, ledger_fill
from bench.store_sizes import database
from bench.store_table import Row, table
from oldhand.clock import system_clock
from oldhand.ledger import settle
from oldhand.ledger.model import RunEnd, RunStart, SkillUse
from oldhand.ledger.rebuild import rebuild_sums
from oldhand.ledger.runs import close_run, open_run
from oldhand.ledger.stats import skill_stats
from oldhand.store import Store, open_database

_RUNS = 1_000_000
_PAIRS = 5
_BATCHES = 40
_IN_A_BATCH = 25
_TABLE_TIMES = 9
_ON_DISK_FROM = 2_000_000  # runs; fewer fit into memory
NOTES = """
1,000 cells (a skill with a model), runs over a year. The table: what the sums hold of all
cells, three half-lives each, as of one time; "with intervals" works out all rates, intervals
and costs per success as well, 3,000 of each. Beside it the view is asked for 14 days and
gives three means a cell. Processor time, medians. Closing a run: elapsed time on disk, WAL
with synchronous=FULL, one skill; batches with and without the sums take turns. A plain scan
groups the same runs by cell, and adds up outcome, cost and duration; pairs take turns."""


def main() -> None:
    """Measure, and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=_RUNS, help="in the table")
    runs = parser.parse_args().runs
    print(f"{runs:,} runs\n")
    print(table([*_large(runs), *_closing()]))
    print(NOTES)


def _large(runs: int) -> Iterator[Row]:
    """Compare the table of all skills, and making the sums anew with a scan."""
    now_us = system_clock()
    with database(on_disk=runs >= _ON_DISK_FROM) as path:
        store = open_database(str(path))
        ledger_fill.fill(store, runs, now_us=now_us)
        rebuilt, scanned = _rebuilding(store)
        ours = _median(partial(skill_stats, store), times=_TABLE_TIMES)
        full = _median(partial(_with_intervals, store), times=3)
        store.close()
        peer = path.with_name("daily.db")
        daily_loop.fill(peer, ledger_fill.runs(runs, now_us=now_us))
        theirs = _median(partial(daily_loop.table, peer, now_us=now_us), times=3)
    beside = "daily view, loop"
    yield Row(
        what="table of all skills", unit="ms", ours=ours * 1e3, beside=beside,
        theirs=theirs * 1e3, at_least=1_000 if runs >= 10 * _RUNS else None,
        note="" if runs >= 10 * _RUNS else "the aim, 1,000 x, is for 10M runs",
    )  # fmt: skip
    yield Row(
        what="  with intervals and costs per success", unit="ms", ours=full * 1e3,
        beside=beside, theirs=theirs * 1e3,
    )  # fmt: skip
    ratios = [ours / other for ours, other in zip(rebuilt, scanned, strict=True)]
    other = statistics.median(scanned)
    yield Row(
        what="all sums made anew", unit="s", ours=statistics.median(ratios) * other,
        beside="one plain scan", theirs=other, says="part", at_most=3,
        note=f"pairs from {min(ratios):.2f} to {max(ratios):.2f} x",
    )  # fmt: skip


def _rebuilding(store: Store) -> tuple[list[float], list[float]]:
    rebuilt, scanned = [], []
    for _ in range(_PAIRS):
        rebuilt.append(_processor(partial(rebuild_sums, store)))
        scanned.append(_processor(partial(store.query_all, ledger_fill.PLAIN_SCAN)))
    return rebuilt, scanned


def _with_intervals(store: Store) -> None:
    for each in skill_stats(store):
        each.estimates()


def _closing() -> Iterator[Row]:
    """Compare closing a run with and without its sums."""
    with database(on_disk=True) as path:
        store = open_database(str(path))
        kept: list[float] = []
        bare: list[float] = []
        for _ in range(_BATCHES):
            kept += _batch(store, has_sums=True)
            bare += _batch(store, has_sums=False)
        place = _where(path)
        store.close()
    with_sums, without = statistics.median(kept), statistics.median(bare)
    yield Row(
        what="closing a run, with the sums", unit="ms", ours=with_sums * 1e3,
        beside="without them", theirs=without * 1e3, says="part", at_most=1.1,
        note=f"{(with_sums - without) * 1e3:.2f} ms more; {place}",
    )  # fmt: skip


def _batch(store: Store, *, has_sums: bool) -> list[float]:
    """Open and close some runs; return how long each closing took, in seconds."""
    without = patch.object(settle, "add_to_sums", lambda *_: None)
    seconds = []
    with nullcontext() if has_sums else without:
        for number in range(_IN_A_BATCH):
            skill = SkillUse(f"skill-{number % 5}")
            run = open_run(store, RunStart(model="m", skills=(skill,)))
            end = RunEnd(success=True, cost_usd="0.01", input_tokens=100)
            begun = time.perf_counter()
            close_run(store, run, end)
            seconds.append(time.perf_counter() - begun)
    return seconds


def _where(path: Path) -> str:
    """Say how long the disk takes to keep a page, so that the ratio can be judged."""
    probe = path.with_name("probe")
    with probe.open("wb", buffering=0) as file:
        seconds = []
        for _ in range(50):
            file.write(bytes(4096))
            begun = time.perf_counter()
            os.fsync(file.fileno())
            seconds.append(time.perf_counter() - begun)
    return f"fsync here {statistics.median(seconds) * 1e3:.2f} ms"


def _median(part: Callable[[], object], *, times: int) -> float:
    return statistics.median(_processor(part) for _ in range(times))


def _processor(part: Callable[[], object]) -> float:
    begun = time.process_time()
    part()
    return time.process_time() - begun


if __name__ == "__main__":
    main()
