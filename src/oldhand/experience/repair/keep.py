"""Mine sessions for repairs and for what came before their calls, and keep what was found.

To mine a session takes about 20 µs a call; a hint has 10 ms for a hundred thousand. So a
session is mined once, when it was imported, and a few of the newest when a hint is asked
for: what a recorder wrote is there when it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from oldhand.errors import StoreBusy, StoreReadOnly
from oldhand.experience.repair import mined
from oldhand.experience.repair.before import ShapeCalls, count_before, write_before
from oldhand.experience.repair.pairs import Pair, error_words, find_pairs
from oldhand.experience.repair.past_calls import (
    Names,
    PastCall,
    read_calls,
    read_names,
    result_of,
)
from oldhand.store import Queries, Row, Store

_SQL = Queries(__package__)

_SESSIONS_AT_ONCE = 50  # in a transaction, so that other writers wait for little


class Repair(NamedTuple):
    """A pair with what the error said, as it is kept."""

    pair: Pair
    error_words: int


class Found(NamedTuple):
    """What was found in one session."""

    repairs: list[Repair]
    shapes: list[ShapeCalls]


def mine_calls(store: Store, calls: Sequence[PastCall], names: Names) -> Found:
    """Look at a session's calls; what the errors said is read from the store."""
    repairs = [
        Repair(pair, error_words(result_of(store, pair.failed.id)))
        for pair in find_pairs(calls, names)
    ]
    return Found(repairs, count_before(calls, names))


def mine_sessions(
    store: Store, *, progress: Callable[[int, int], None] | None = None
) -> int:
    """Mine all sessions that were not mined, or have changed since.

    Args:
        store: Where they are.
        progress: Called with how many are done, and how many there are to do.

    Returns:
        How many were mined. What was kept stays when it is stopped on the way.
    """
    wanted = mined.unmined(store)
    done = 0
    for some in _batched(wanted, _SESSIONS_AT_ONCE):
        keep(store, some)
        done += len(some)
        if progress is not None:
            progress(done, len(wanted))
    return len(wanted)


def mine_some(store: Store, session_ids: Iterable[int]) -> None:
    """Mine sessions that a hint would do well to know, if it can be done now.

    Where the database can only be read, or another process writes for long, it is not.
    """
    if store.read_only_reason is None:
        try:
            keep(store, session_ids)
        except (StoreBusy, StoreReadOnly):  # then the next one does it
            return


def keep(store: Store, session_ids: Iterable[int]) -> None:
    """Mine sessions, and keep what is found in place of what was kept of them before."""
    with store.transaction():
        names = read_names(store)
        for session_id in sorted(session_ids):  # in line, where two mine the same
            state = store.query_one(_SQL["lock_session"], {"id": session_id})
            if state is not None:
                found = mine_calls(store, read_calls(store, session_id), names)
                _put(store, session_id, state, found)


def _put(store: Store, session_id: int, state: Row, found: Found) -> None:
    store.execute(_SQL["forget_mined"], {"session_id": session_id})
    store.execute(_SQL["put_mined"], (session_id, mined.VERSION, *state))
    store.execute_many(
        _SQL["put_repair"],
        [
            (
                session_id,
                failed.id,
                worked.id,
                failed.tool_id,
                failed.shape_id,
                worked.shape_id,
                failed.error_kind or "unknown",
                words,
            )
            for (failed, worked), words in found.repairs
        ],
    )
    store.execute_many(
        _SQL["put_shape_calls"],
        [
            (session_id, *shape[:-1], write_before(shape.before))
            for shape in found.shapes
        ],
    )


def _batched(values: Sequence[int], size: int) -> Iterator[list[int]]:
    rest = iter(values)
    while some := list(islice(rest, size)):
        yield some
