"""The log as a file that whoever likes verifies with a script of their own.

One JSON list a line: number, time, kind, request, principal, body as it was hashed, hash.
`examples/verify_audit.py` is such a script, in 40 lines and without oldhand.
"""

from __future__ import annotations

from collections.abc import Iterator

from oldhand.canonical_json import canonical_json
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.confirm")
_AT_ONCE = 5_000


def export_lines(store: Store, *, after_seq: int = 0) -> Iterator[str]:
    """Yield the rows of the log as lines, the oldest first.

    Args:
        store: Where the requests are.
        after_seq: From the row behind this one; a verifier must know its hash then.
    """
    while rows := store.query_all(
        _SQL["audit_after"], {"after": after_seq, "limit": _AT_ONCE}
    ):
        for row in rows:
            yield canonical_json(list(row)) + "\n"
        after_seq = rows[-1][0]
