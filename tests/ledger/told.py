"""Runs for tests: of one skill, some days before the clock's now."""

from __future__ import annotations

from typing import Any

from oldhand.ledger.cell_sums import CellSums
from oldhand.ledger.invocations import record_skill_invocation
from oldhand.store import Queries, Query, Store
from oldhand.testing import FakeClock

DAY_US = 86_400_000_000
_SQL = Queries("oldhand.ledger")


def both(sql: str) -> Query:
    return Query("told", sql, sql)


def tell(store: Store, clock: FakeClock, *, days_ago: float = 0.0, **said: Any) -> int:
    """Record a run of the skill `triage` with the model `qwen3`, or what is said."""
    began = clock() / 1e6 - days_ago * 86_400
    told: dict[str, Any] = {
        "skill_name": "triage",
        "model": "qwen3",
        "invoked_at": began,
    } | said
    return record_skill_invocation(store, **told, clock=clock)


def kept_sums(store: Store, at_us: int) -> dict[str, CellSums]:
    """Return what is kept of each cell, by its name, as of a time.

    Where all that is kept stands as of a later one, as of that.
    """
    found = {
        str(row[:4]): CellSums.from_row(row[4:])
        for row in store.query_all(_SQL["all_sums"], {"skill": None})
    }
    later_us = max([at_us, *(sums.at_us for sums in found.values())])
    return {key: found[key].at(later_us) for key in sorted(found)}


def rows(store: Store, table: str) -> int:
    (found,) = store.query_all(both(f"SELECT count(*) FROM {table}"))  # noqa: S608
    return int(found[0])
