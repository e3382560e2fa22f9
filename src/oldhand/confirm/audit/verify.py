"""Verify the log offline: is each row as it was written, and is none missing?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from oldhand.confirm.audit.chain import FIRST_HASH, hash_of
from oldhand.confirm.audit.checkpoint import Checkpoint, is_signed_by
from oldhand.confirm.grants import Verify
from oldhand.store import Queries, Row, Store

_SQL = Queries("oldhand.confirm")
_AT_ONCE = 5_000


class ChainVerdict(NamedTuple):
    """What verifying found.

    Attributes:
        rows: So many were looked at.
        checkpoints: So many were looked at.
        head: The hash of the last row.
        fault_seq: The first row that is not as it was written; None: all are.
        fault: What is wrong there, or with a checkpoint; None: nothing.
    """

    rows: int
    checkpoints: int
    head: str
    fault_seq: int | None = None
    fault: str | None = None

    @property
    def is_intact(self) -> bool:
        """Whether nothing was found."""
        return self.fault is None


def verify_chain(
    store: Store,
    *,
    checkpoints: Iterable[Checkpoint] = (),
    verify: Verify | None = None,
) -> ChainVerdict:
    """Follow the log from its first row to its last.

    Args:
        store: Where the requests are.
        checkpoints: Those of the database, of the file outside, or both.
        verify: Of the key that signed them; None: their signatures are not looked at.
    """
    signed = sorted(checkpoints)
    wanted: dict[int, set[str]] = {}
    for each in signed:
        if verify is not None and not is_signed_by(each, verify):
            return ChainVerdict(
                0, len(signed), "", each.seq,
                f"the checkpoint at row {each.seq} was not signed by this key",
            )  # fmt: skip
        wanted.setdefault(each.seq, set()).add(each.hash)
    return _follow(_rows(store), wanted, len(signed))


def _follow(
    rows: Iterable[Row], wanted: Mapping[int, set[str]], checkpoints: int
) -> ChainVerdict:
    before, seq = FIRST_HASH, 0
    for row in rows:
        named = row[6]
        fault = None
        if row[0] != seq + 1:
            fault = f"row {seq + 1} is missing: after row {seq} comes row {row[0]}"
        elif not _is_as_written(before, row):
            fault = f"row {row[0]} is not as it was written, or not in its place"
        elif wanted.get(row[0], {named}) != {named}:
            fault = f"row {row[0]} is another than the one that its checkpoint names"
        if fault is not None:
            return ChainVerdict(seq, checkpoints, before, seq + 1, fault)
        before, seq = named, row[0]
    furthest = max(wanted, default=0)
    if furthest > seq:
        return ChainVerdict(
            seq, checkpoints, before, seq + 1,
            f"rows {seq + 1} to {furthest} are missing: a checkpoint names row {furthest}",
        )  # fmt: skip
    return ChainVerdict(seq, checkpoints, before)


def _is_as_written(before: str, row: Row) -> bool:
    try:
        return bool(hash_of(before, *row[:6]) == row[6])
    except (TypeError, ValueError):  # it holds what no row of ours does, as bytes
        return False


def _rows(store: Store) -> Iterator[Row]:
    after = 0
    while rows := store.query_all(
        _SQL["audit_after"], {"after": after, "limit": _AT_ONCE}
    ):
        yield from rows
        after = rows[-1][0]
