"""What nobody decided, used or reported ends by itself, each with its row in the log."""

from __future__ import annotations

from oldhand.clock import Clock
from oldhand.confirm.audit.chain import Chain
from oldhand.confirm.requests.states import WHEN_OVERDUE
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.confirm")
_AT_ONCE = 500


def expire_due(store: Store, *, clock: Clock) -> list[str]:
    """End what is overdue; return the ids of the requests.

    A pass over nothing only reads.
    """
    if not store.query_all(_SQL["overdue"], (clock(), 1)):
        return []
    with store.transaction():
        chain = Chain(store, clock)
        due = store.query_all(_SQL["overdue"], (chain.now_us, _AT_ONCE))
        return [number for number, state in due if _end(store, chain, number, state)]


def _end(store: Store, chain: Chain, number: str, state: str) -> bool:
    values = {
        "id": number,
        "state": state,
        "next": WHEN_OVERDUE[state],
        "now_us": chain.now_us,
    }
    is_ended = bool(store.execute(_SQL["end_overdue"], values))
    if is_ended:
        chain.append(WHEN_OVERDUE[state], principal=None, request_id=number)
    return is_ended
