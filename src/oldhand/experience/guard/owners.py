"""Whose calls a session may be shown: one's own, and of others what two of them did.

Without this a single session that somebody planted would reach everybody who works in the
same place. So a call of another principal is shown where its shape worked in sessions of at
least two principals, and then only what at least two of them said: its literals give way to
placeholders, its result and what was asked are left out.

Who has no session on record asks under another name than the sessions came with: a person
with a new machine, in a container, looking at what a colleague sent. In a database file all is
theirs then, as nobody else can write it. In PostgreSQL, which many may share, only where all
sessions are one principal's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from oldhand.store import Queries, Row, Store
from oldhand.store.open import is_postgres

_SQL = Queries("oldhand.experience")
LEAST_SESSIONS = 2
"""In so many sessions something must have been said to count as not one session's own."""

LEAST_PRINCIPALS = 2
"""By so many principals, to be shown to others."""


def others_of(store: Store, sessions: Sequence[Row], own: str | None) -> dict[int, str]:
    """Return the principals of the sessions that are somebody else's, by session key.

    Args:
        store: Where they are.
        sessions: Rows that begin with key, uid and principal.
        own: Who asks; None where that is not known, and then nothing is somebody else's.
    """
    if own is None:
        return {}
    others = {row[0]: row[2] for row in sessions if row[2] not in {None, own}}
    if len(others) == len(sessions) and _is_all_theirs(
        store, own, set(others.values())
    ):
        return {}
    return others


def _is_all_theirs(store: Store, own: str, named: set[str]) -> bool:
    """Say whether one who has no session in scope has all of them, by another name."""
    if not named or store.query_one(_SQL["session_of"], {"principal": own}) is not None:
        return False
    if not is_postgres(store.url):
        return True
    only = {"principal": named.pop()}
    return not named and store.query_one(_SQL["session_of_another"], only) is None


def repeated_literals(
    said: Iterable[tuple[int, Iterable[str]]], owners: Mapping[int, str] | None
) -> frozenset[str]:
    """Return the literals that more than one session said.

    Args:
        said: The key of a session, with literals of one of its calls.
        owners: The principals of sessions that are somebody else's: then more than one
            principal must have said it; None where sessions are enough.
    """
    sayers: defaultdict[str, set[object]] = defaultdict(set)
    for session, literals in said:
        # All sessions that are nobody else's are one's own: one principal.
        sayer: object = session if owners is None else owners.get(session, 0)
        for literal in literals:
            sayers[literal].add(sayer)
    least = LEAST_SESSIONS if owners is None else LEAST_PRINCIPALS
    return frozenset(text for text, who in sayers.items() if len(who) >= least)
