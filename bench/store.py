"""The session store beside its peers: one run, one workload, ratios.

Every store runs in processes of its own, in an environment of its own, with its own
defaults, and commits each message. What is measured on tmpfs costs no disk: it is the
store's own work. `--quick` takes a minute at small sizes and proves nothing about large
ones.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator

from bench.peers import PEERS, PeerMissing, install
from bench.store_large import WRITERS, library, writers
from bench.store_runs import DriverFailed, Store
from bench.store_sizes import FULL, QUICK, Sizes
from bench.store_small import appends, loads, starts
from bench.store_table import Row, table

PARTS: dict[str, Callable[[dict[str, Store], Sizes], Iterator[Row]]] = {
    "appending": appends,
    "loading": loads,
    "starting": starts,
    "writing together": writers,
    "a large database": library,
}
NOTES = """
Appends, loads and starts on tmpfs; writers and the large database on disk, synchronous=FULL.
Appends and loads: processor time of the process, all threads, mean; of appends the median
over rounds, each after one session that is not timed. By the clock: the middle append. Starts: the quickest. Without judging: less
what judging and shaping the same calls takes alone. One INSERT: one table, one row of JSON
a message, WAL, APSW. The large database of Hermes is filled by bulk inserts into its own
tables, without its search index; ours as an import fills it. Queries: one or two words, as
frequent as they occur. The text is made up: how well it compresses says nothing about real
text."""


def main() -> None:
    """Measure, and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, a minute")
    parser.add_argument("--part", choices=PARTS, action="append", help="only this")
    chosen = parser.parse_args()
    sizes = QUICK if chosen.quick else FULL
    peers = dict(_installed())
    print(
        f"{sizes.rounds} rounds of {sizes.sessions} sessions; {sizes.loads} loads; "
        f"{sizes.starts} starts; {WRITERS} writers of {sizes.messages} messages; "
        f"{sizes.library:,} sessions in the large database\n"
    )
    rows = [
        row for name in chosen.part or PARTS for row in _measured(name, peers, sizes)
    ]
    print(table(rows))
    print(NOTES)


def _installed() -> Iterator[tuple[str, Store]]:
    for peer in PEERS:
        try:
            seconds = install(peer)
        except PeerMissing as fault:
            print(f"{peer.title}: left out: {fault}")
            continue
        if seconds:
            sys.stderr.write(f"{peer.title}: installed in {seconds:.0f} s\n")
        yield peer.name, Store.of_peer(peer)


def _measured(name: str, peers: dict[str, Store], sizes: Sizes) -> list[Row]:
    """Return the rows of one part; one that fails says so and stops no other."""
    began = time.perf_counter()
    rows: list[Row] = []
    try:
        for row in PARTS[name](peers, sizes):
            rows.append(row)  # noqa: PERF402 - what came before a failure stays
    except DriverFailed as fault:
        rows.append(Row(what=name, unit="", note=f"not measured: {fault}"))
    sys.stderr.write(f"{name}: {time.perf_counter() - began:.0f} s\n")
    return rows


if __name__ == "__main__":
    main()
