"""Take sessions out of experiments, as they are erased or pruned."""

from __future__ import annotations

import json
from collections.abc import Collection

from oldhand.store import Queries, Store

_SQL = Queries(__package__)
_ERASED = "what was given showed a session that was erased"


def forget_sessions(store: Store, uids: Collection[str]) -> None:
    """Remove the assignments of erased sessions, and what was given that shows them.

    It runs inside the caller's transaction, and before the log of warm starts forgets
    them.
    """
    gone = frozenset(uids)
    for use_id, examples in store.query_all(_SQL["given_sources"]):
        if any(source in gone for source, _ in json.loads(examples)):
            store.execute(_SQL["forget_given"], {"note": _ERASED, "id": use_id})
    drop_assignments(store, gone)


def drop_assignments(store: Store, uids: Collection[str]) -> None:
    """Take sessions out of their experiments, inside the caller's transaction.

    Without its calls a session would count as one that never had any.
    """
    for uid in uids:
        store.execute(_SQL["delete_assignments"], {"session": uid})
