"""Look into the log."""

from __future__ import annotations

from oldhand.confirm.model import AuditRow
from oldhand.confirm.rows import audit_row_of
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.confirm")
_AFTER_ALL = 1 << 62


def read_audit(
    store: Store,
    *,
    limit: int = 100,
    before_seq: int = _AFTER_ALL,
    kind: str | None = None,
    principal: str | None = None,
    request_id: str | None = None,
) -> list[AuditRow]:
    """Return rows, the newest first.

    Args:
        store: Where the requests are.
        limit: At most so many.
        before_seq: Only those with a lower number: where the page before ended.
        kind: Only these; like `principal` left out of account with a `request_id`.
        principal: Who.
        request_id: Which one.
    """
    if request_id is not None:
        values = {"request_id": request_id, "before": before_seq, "limit": limit}
        rows = store.query_all(_SQL["audit_of_request"], values)
    else:
        filtered = {
            "kind": kind,
            "principal": principal,
            "before": before_seq,
            "limit": limit,
        }
        rows = store.query_all(_SQL["audit_before"], filtered)
    return [audit_row_of(row) for row in rows]


def rows_after(store: Store, seq: int, *, limit: int = 1000) -> list[AuditRow]:
    """Return what was appended after a number, the oldest first."""
    rows = store.query_all(_SQL["audit_after"], {"after": seq, "limit": limit})
    return [audit_row_of(row) for row in rows]


def newest_seq(store: Store) -> int:
    """Return the number of the newest row; 0 where there is none."""
    row = store.query_one(_SQL["end_of_chain"])
    return int(row[0]) if row else 0


def newest_at_us(store: Store) -> int:
    """Return the time of the newest row; 0 where there is none."""
    row = store.query_one(_SQL["end_of_chain"])
    return int(row[2]) if row else 0
