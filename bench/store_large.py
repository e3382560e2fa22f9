"""What `bench.store` measures on disk: several writers, and a large database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.store_runs import OURS, Store, Together, ask, ask_all, start, write_together
from bench.store_sizes import Sizes, database
from bench.store_table import Row

WRITERS = 8


def writers(peers: dict[str, Store], sizes: Sizes) -> Iterator[Row]:
    """Compare eight processes that append to one database."""
    done: dict[str, Together] = {}
    found = 0
    for name, store in {OURS.name: OURS, **peers}.items():
        with database(on_disk=True) as path:
            done[name] = write_together(
                store, path, processes=WRITERS, messages=sizes.messages
            )
            if store is OURS:
                found = ask(OURS.library(), "count", path)["messages"]
    ours = done.pop(OURS.name)
    for name, theirs in done.items():
        yield from _writer_rows(ours, name, theirs)
    lost = ours.acknowledged + 1 - found  # one message made the tables before the race
    yield Row(what="… our worst wait", unit="ms", ours=ours.worst_ms, at_most=30)
    yield Row(what="… our errors", unit="", ours=len(ours.errors), at_most=0)
    yield Row(what="… acknowledged and lost", unit="", ours=lost, at_most=0)


def _writer_rows(ours: Together, name: str, theirs: Together) -> Iterator[Row]:
    failed = len(theirs.errors)
    yield Row(
        what=f"{WRITERS} writers, messages a second",
        unit="",
        ours=ours.per_second,
        beside=name,
        theirs=theirs.per_second,
        says="part",
        at_least=1.5 if name == "hermes" else None,
        note=f"{failed:,} of its appends failed" if failed else "",
    )
    yield Row(what="… the worst wait", unit="ms", beside=name, theirs=theirs.worst_ms)


def library(peers: dict[str, Store], sizes: Sizes) -> Iterator[Row]:
    """Compare listing, mining and searching a large database."""
    with database(on_disk=True) as path, database(on_disk=True) as other:
        work = {"seed": 2, "sessions": sizes.library}
        asked = [start(OURS.library(), "build", path, **work)]
        if "hermes" in peers:
            asked.append(start(peers["hermes"].library(), "build", other, **work))
        built = ask_all(asked)[0]
        yield Row(
            what="a database of so many messages", unit="", ours=built["messages"]
        )
        listed = ask(OURS.library(), "recent", path, rounds=20)["p50_us"] / 1e3
        mined = ask(OURS.library(), "mine", path, rounds=5)["p50_us"] / 1e3
        if "hermes" in peers:
            hermes = peers["hermes"].library()
            yield from _hermes_rows(hermes, other, listed=listed, mined=mined)
        yield from _search_rows(path, sizes)


def _hermes_rows(
    hermes: Store, path: Path, *, listed: float, mined: float
) -> Iterator[Row]:
    yield Row(
        what="50 recent sessions with counts",
        unit="ms",
        ours=listed,
        beside="hermes",
        theirs=ask(hermes, "recent", path, rounds=5)["p50_us"] / 1e3,
        at_least=500,
    )
    yield Row(
        what="outcome by tool and shape, all calls",
        unit="ms",
        ours=mined,
        beside="hermes' JSON, scanned",
        theirs=ask(hermes, "mine", path)["p50_us"] / 1e3,
        at_least=15,
    )


def _search_rows(path: Path, sizes: Sizes) -> Iterator[Row]:
    found = ask(OURS.library(), "search", path, seed=3, queries=sizes.queries)
    filled = found["fill_seconds"]
    yield Row(what="filling the search index, once", unit="s", ours=filled)
    yield Row(what="search, the middle one", unit="ms", ours=found["p50_us"] / 1e3)
    slow = found["p95_us"] / 1e3
    yield Row(what="search, 95 of 100 within", unit="ms", ours=slow, at_most=50)
