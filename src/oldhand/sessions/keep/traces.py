"""Deleting sessions, with every trace that they leave outside of their own rows."""

from __future__ import annotations

from collections.abc import Iterable

from oldhand.sessions.keep.selection import Selected
from oldhand.sessions.keys import calls_of, messages_of
from oldhand.sessions.payloads import drop_orphans
from oldhand.sessions.search.index import forget_messages
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.sessions")


def delete_sessions(store: Store, sessions: Iterable[Selected]) -> None:
    """Delete sessions with their messages, calls and words in the search index.

    To be called in a transaction, and `sweep` after the last of them.
    """
    for session in sessions:
        forget_messages(store, messages_of(session.id))
        store.execute(_SQL["delete_search_pending"], {"id": session.id})
        store.execute(_SQL["delete_calls"], calls_of(session.id)._asdict())
        store.execute(_SQL["delete_messages"], messages_of(session.id)._asdict())
        store.execute(_SQL["delete_session"], {"id": session.id})


def sweep(store: Store) -> None:
    """Delete what no message and no call names any longer.

    The words of tools and shapes go and their rows stay: another process may remember
    their ids, and an id must not come to mean something else.
    """
    with store.transaction():
        drop_orphans(store)
        store.execute(_SQL["blank_unused_shapes"])
        store.execute(_SQL["blank_unused_tools"])
