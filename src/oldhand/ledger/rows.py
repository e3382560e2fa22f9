"""Rows of the tables as what they mean."""

from __future__ import annotations

from oldhand.ledger.model import Run
from oldhand.store import Row


def run_of(row: Row) -> Run:
    """Read a row of `runs`."""
    fields = dict(zip(Run._fields, row, strict=True))
    if fields["success"] is not None:
        fields["success"] = bool(fields["success"])
    return Run(**fields)
