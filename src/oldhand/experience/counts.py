"""What the pool counts in a session: read from its calls, and kept for the next time.

To read every call of 162 real sessions takes 18 ms, to read what was counted in them 3 ms.
The table `pool_counts` holds nothing that is not in the calls: a row that is not there, or
was counted otherwise, costs time and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable

from oldhand.experience.relevance import words_of
from oldhand.named_tuple import NamedTuple
from oldhand.sessions.keys import calls_of
from oldhand.store import Queries, Store

_SQL = Queries(__package__)

VERSION = 1
"""Of the way of counting: to be raised when `words_of` or the query `pool_calls` changes."""

NO_RANK = -1
"""In the place of the rank and the call of a shape of which no call worked."""


class Counts(NamedTuple):
    """What was counted in one session.

    Attributes:
        words: Of its task, by `words_of`.
        numbers: Four for each shape: its id, how many calls count for it, and of the call
            that is best shown its rank and its place, the call's key less that of the
            session; `NO_RANK` twice where none worked.
    """

    words: tuple[str, ...]
    numbers: list[int]


def count(store: Store, session_id: int) -> Counts:
    """Count the calls of a session."""
    calls = calls_of(session_id)
    numbers: list[int] = []
    for shape_id, times, rank, call in store.query_all(_SQL["pool_calls"], calls):
        if rank is None:
            numbers += (shape_id, times, NO_RANK, NO_RANK)
        else:
            numbers += (shape_id, times, rank, call - calls.first)
    task = store.query_one(_SQL["pool_task"], {"id": session_id})
    return Counts(words_of(task[0] or "" if task else ""), numbers)


def keep(store: Store, session_ids: Iterable[int]) -> None:
    """Count the calls of sessions, and keep what was counted."""
    with store.transaction():
        for session_id in session_ids:
            store.query_all(_SQL["lock_pool_session"], {"id": session_id})
            counted = count(store, session_id)
            store.execute(
                _SQL["put_pool_counts"],
                {
                    "version": VERSION,
                    "words": " ".join(counted.words),
                    "counts": ",".join(map(str, counted.numbers)),
                    "id": session_id,
                },
            )


def read(words: str, counts: str) -> Counts:
    """Return what was kept, from the columns of its row."""
    return Counts(
        tuple(words.split()), list(map(int, counts.split(","))) if counts else []
    )
