"""Schedulers: ours beside DBOS 3.4 and APScheduler 3.11, in one run, in turns.

Dispatch is the time from when a firing was due to when its runner was called, with two
processes and 20 schedules each second; what is called twice is counted, too. Ours fire each
minute at the finest, so that sixty of ours stand for one. `--quick` takes two minutes.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import NamedTuple

from tests.postgres_server import NoServer, Server, start

from bench.cron_processes import (
    OURS,
    Kind,
    Worker,
    ask,
    cpu_seconds,
    kind_of,
    memory_mb,
    threads,
)
from bench.peers import SCHEDULERS, PeerMissing, install
from bench.store_sizes import database
from bench.store_table import Row, table

NOTES = """
All on disk; PostgreSQL with fsync and synchronous_commit on, on this machine. No-op runs:
so many wait when a process starts, and it runs them all; ours has 64 places, and each run is
durable as claimed, as running before its runner is called, and as over. A trigger comes from
another process; DBOS' queue is as it comes, asked once a second. Idle: one process each, all
side by side, processor time and memory of that process alone."""


class Sizes(NamedTuple):
    """How much is done.

    Attributes:
        rounds: Of dispatching and of no-op runs, in turns.
        seconds: Of dispatching in each.
        runs: That do nothing, of ours; of peers a quarter.
        triggers: From another process.
        idle_seconds: With 200 schedules.
    """

    rounds: int
    seconds: float
    runs: int
    triggers: int
    idle_seconds: float


FULL = Sizes(1, 20, 2_000, 30, 60)
QUICK = Sizes(1, 6, 400, 8, 5)
PER_SECOND = 20


class Place(NamedTuple):
    """Where databases are made: `SQLite` or `PostgreSQL`, and how."""

    engine: str
    new: Callable[[Kind], AbstractContextManager[str]]


def main() -> None:
    """Measure, and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two minutes")
    sizes = QUICK if parser.parse_args().quick else FULL
    kinds, missing = _kinds()
    print(f"{sizes}\n")
    rows: list[Row] = list(missing)
    with _places() as places:
        for place in places:
            rows += _dispatch(sizes, place, kinds)
            rows += _triggers(sizes, place, kinds)
            rows += _rates(sizes, place, kinds)
            rows += _idle(sizes, place, kinds)
    print(table(rows))
    print(NOTES)


def _kinds() -> tuple[list[Kind], list[Row]]:
    kinds, missing = [OURS], []
    for peer in SCHEDULERS:
        try:
            install(peer)
            kinds.append(kind_of(peer))
        except PeerMissing as fault:
            missing.append(Row(what=peer.title, unit="", note=f"left out: {fault}"))
    return kinds, missing


@contextmanager
def _places() -> Iterator[list[Place]]:
    sqlite = Place("SQLite", lambda _: _file())
    try:
        server = start()
    except NoServer as fault:
        print(f"without PostgreSQL: {fault}\n")
        yield [sqlite]
        return
    for setting in ("fsync", "synchronous_commit", "full_page_writes"):
        server.run(f"ALTER SYSTEM SET {setting} = on")
    server.run("SELECT pg_reload_conf()")
    try:
        yield [sqlite, Place("PostgreSQL", lambda kind: _schema(server, kind))]
    finally:
        server.stop()


@contextmanager
def _file() -> Iterator[str]:
    with database(on_disk=True) as path:
        yield str(path)


@contextmanager
def _schema(server: Server, kind: Kind) -> Iterator[str]:
    url = server.new_database() if kind is OURS else server.empty_database()
    try:
        yield url
    finally:
        server.drop_database(url)


def _dispatch(sizes: Sizes, place: Place, kinds: list[Kind]) -> Iterator[Row]:
    found: dict[str, list[Firings]] = {kind.title: [] for kind in kinds}
    for _ in range(sizes.rounds):
        for kind in kinds:
            found[kind.title].append(_firings(sizes, place, kind))
    for kind in kinds[1:]:
        for name, at in (("median", 50), ("99th percentile", 99)):
            ours, theirs = (
                statistics.median(each.late_ms(at) for each in found[one.title])
                for one in (OURS, kind)
            )
            yield Row(
                what=f"{place.engine}: due to runner, {name}", unit="ms", ours=ours,
                beside=kind.title, theirs=theirs,
                at_least=20 if "DBOS" in kind.title and at == 50 else None,
                note=_counted(found, kind),
            )  # fmt: skip


def _counted(found: dict[str, list[Firings]], kind: Kind) -> str:
    said = []
    for title in (OURS.title, kind.title):
        runs = sum(len(each.late) for each in found[title])
        twice = sum(each.twice for each in found[title])
        said.append(f"{title} {runs} runs, {twice} twice")
    return "; ".join(said)


class Firings(NamedTuple):
    """What was called in a round.

    Attributes:
        late: How late each was, in seconds.
        twice: How many were called again.
    """

    late: list[float]
    twice: int

    def late_ms(self, percent: int) -> float:
        """Return how late so many of a hundred were at most."""
        ordered = sorted(self.late)
        return ordered[(len(ordered) - 1) * percent // 100] * 1e3 if ordered else 0.0


def _firings(sizes: Sizes, place: Place, kind: Kind) -> Firings:
    with place.new(kind) as where:
        ask(kind, where, "make", count=PER_SECOND, is_idle=False)
        workers = [Worker(kind, where) for _ in range(2)]
        time.sleep(2)  # both are awake, and what was due before is done
        began = time.time()
        time.sleep(sizes.seconds)
        ended = time.time()
        time.sleep(1)
        calls = [call for worker in workers for call in worker.end()]
    measured = [
        (name, due, at)
        for name, due, at in calls
        if due is not None and began <= due < ended
    ]
    times = Counter((name, due) for name, due, _ in measured)
    return Firings(
        [at - due for _, due, at in measured],
        sum(count - 1 for count in times.values()),
    )


def _triggers(sizes: Sizes, place: Place, kinds: list[Kind]) -> Iterator[Row]:
    late = {}
    for kind in kinds[:2]:  # APScheduler's other process is never told
        with place.new(kind) as where:
            ask(kind, where, "make", count=0, is_idle=True)
            worker = Worker(kind, where)
            time.sleep(1)
            asked = ask(
                kind, where, "trigger", count=sizes.triggers, pause_seconds=0.25
            )["asked"]
            time.sleep(3)
            called = {name: at for name, _, at in worker.end()}
        late[kind.title] = [called[name] - at for name, at in asked.items()]
    for name, of in (("median", statistics.median), ("most", max)):
        said = {title: of(each) * 1e3 for title, each in late.items()}
        theirs = kinds[1].title if len(kinds) > 1 else ""
        yield Row(
            what=f"{place.engine}: trigger in another process to runner, {name}",
            unit="ms", ours=said[OURS.title], beside=theirs, theirs=said.get(theirs),
        )  # fmt: skip


def _rates(sizes: Sizes, place: Place, kinds: list[Kind]) -> Iterator[Row]:
    said: dict[str, list[dict[str, float]]] = {kind.title: [] for kind in kinds}
    for _ in range(sizes.rounds):
        for kind in kinds:
            runs = sizes.runs if kind is OURS else sizes.runs // 4
            with place.new(kind) as where:
                ask(kind, where, "make", count=0, is_idle=True)
                said[kind.title].append(ask(kind, where, "rate", count=runs))
    for kind in kinds[1:]:
        for what, name, says in (
            ("no-op runs a second", "per_second", "part"),
            ("processor time for one", "cpu_us", "less"),
        ):
            ours, theirs = (
                statistics.median(each[name] for each in said[one.title])
                for one in (OURS, kind)
            )
            is_aim = "DBOS" in kind.title and says == "part"
            yield Row(
                what=f"{place.engine}: {what}", unit="us" if says == "less" else "",
                ours=ours, beside=kind.title, theirs=theirs,
                says="part" if says == "part" else "less",
                at_least=5 if is_aim and place.engine == "SQLite" else None,
            )  # fmt: skip


def _idle(sizes: Sizes, place: Place, kinds: list[Kind]) -> Iterator[Row]:
    said = {}
    with ExitStack() as stack:
        workers = {}
        for kind in kinds:
            where = stack.enter_context(place.new(kind))
            ask(kind, where, "make", count=200, is_idle=True)
            workers[kind.title] = Worker(kind, where)
        time.sleep(5)
        before = {title: cpu_seconds(worker.pid) for title, worker in workers.items()}
        time.sleep(sizes.idle_seconds)
        for title, worker in workers.items():
            used = cpu_seconds(worker.pid) - before[title]
            share = used / sizes.idle_seconds * 100
            said[title] = (share, memory_mb(worker.pid), threads(worker.pid))
        for worker in workers.values():
            worker.end()
    ours = said[OURS.title]
    for kind in kinds[1:]:
        theirs = said[kind.title]
        is_aim = "DBOS" in kind.title
        for at, (what, unit, least) in enumerate(
            (("processor", "%", 1.0), ("memory", "MB", 2.0), ("threads", "", None))
        ):
            yield Row(
                what=f"{place.engine}: 200 schedules idle, {what}", unit=unit,
                ours=ours[at], beside=kind.title, theirs=theirs[at],
                at_least=least if is_aim else None,
            )  # fmt: skip


if __name__ == "__main__":
    main()
