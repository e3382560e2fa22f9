"""A note that deleted text may still lie in the file, until the file is written anew.

It is made in the transaction that deletes and taken back when the text is really gone, so
that a kill, a full disk or a reader in between is not forgotten.
"""

from __future__ import annotations

from oldhand.store import Queries, Store

_SQL = Queries("oldhand.sessions")


def note_leftovers(store: Store) -> None:
    """Note that deleted text may still lie in the file."""
    store.execute(_SQL["note_leftovers"])


def has_leftovers(store: Store) -> bool:
    """Say whether deleted text may still lie in the file."""
    return store.query_one(_SQL["has_leftovers"]) is not None


def forget_leftovers(store: Store) -> None:
    """Note that it is gone."""
    store.execute(_SQL["forget_leftovers"])
