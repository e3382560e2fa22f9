"""Runs for tests: of one skill, some days before the clock's now."""

from __future__ import annotations

from typing import Any

from oldhand.ledger.decayed import DecayedSums, Standing
from oldhand.ledger.invocations import record_skill_invocation
from oldhand.ledger.rows import sums_from
from oldhand.store import Query, Store
from oldhand.testing import FakeClock

DAY_US = 86_400_000_000


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


def sums_at(store: Store, at_us: int) -> dict[tuple[str, int], DecayedSums]:
    """Return the sums by cell and half-life, as of one time."""
    columns = ", ".join(DecayedSums._fields)
    sql = both(
        f"SELECT c.key, half_life_days, at_us, {columns} "  # noqa: S608 - our own names
        "FROM skill_sums s JOIN skill_cells c ON c.id = s.cell_id"
    )
    return {
        (key, days): Standing(then, sums_from(values)).at(at_us, half_life_days=days)
        for key, days, then, *values in store.query_all(sql)
    }


def counts(store: Store) -> list[tuple[Any, ...]]:
    return store.query_all(
        both(
            "SELECT key, invocation_count, success_count, failure_count, drawn_count, "
            "cost_known_count, last_invoked_at_us FROM skill_cells "
            "WHERE invocation_count > 0 ORDER BY key"
        )
    )


def rows(store: Store, table: str) -> int:
    (found,) = store.query_all(both(f"SELECT count(*) FROM {table}"))  # noqa: S608
    return int(found[0])
