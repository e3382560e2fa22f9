"""Decayed sums in the database, kept by the transaction that closes a run.

They are worked out here and not by the engine, so that both give the same to the last bit.
Writers do not lose each other's runs: SQLite has one writer, and in PostgreSQL the first
statement locks the cell's row until the transaction is over. A fault in the sums undoes
only them: what was measured matters more than the measure, and `rebuild_sums` mends it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable

from oldhand.errors import OldhandError
from oldhand.ledger.decayed import (
    HALF_LIVES_DAYS,
    Outcome,
    Standing,
    with_outcome,
)
from oldhand.ledger.model import Run
from oldhand.ledger.rows import sums_from
from oldhand.store import Queries, Store
from oldhand.store.savepoint import savepoint

logger = logging.getLogger(__name__)
_SQL = Queries("oldhand.ledger")


def add_outcomes(
    store: Store, run: Run, outcomes: Iterable[tuple[int, Outcome]]
) -> None:
    """Add one run to the sums of the cells it counts in, in the caller's transaction.

    Args:
        store: With a transaction open.
        run: Closed.
        outcomes: Cell and what the run says about it.
    """
    # In one order, so that no two writers wait for each other.
    ordered = sorted(outcomes, key=lambda each: each[0])
    try:
        with savepoint(store):
            for cell_id, outcome in ordered:
                _count(store, run, cell_id, outcome.share)
                _add(store, cell_id, outcome)
    except (OldhandError, ArithmeticError) as fault:
        logger.warning(
            "the sums over skills leave out a run until they are rebuilt: %s", fault,
            extra={"cells": [cell_id for cell_id, _ in ordered]},
        )  # fmt: skip
        store.execute(_SQL["note_stale"])


def are_stale(store: Store) -> bool:
    """Say whether the sums leave out a run, or hold one that was taken away."""
    return store.query_one(_SQL["is_stale"]) is not None


def _count(store: Store, run: Run, cell_id: int, share: float) -> None:
    cost = run.cost_microusd
    values = {
        "id": cell_id,
        "success": int(run.success is True),
        "failure": int(run.success is False),
        "drawn": int(run.draw_probability is not None),
        "cost_known": int(cost is not None),
        "cost": share * (cost or 0),
        "started_at_us": run.started_at_us,
    }
    store.execute(_SQL["count_outcome"], values)


def _add(store: Store, cell_id: int, outcome: Outcome) -> None:
    found = {
        half_life: Standing(at_us, sums_from(values))
        for half_life, at_us, *values in store.query_all(
            _SQL["sums_of_cell"], (cell_id,)
        )
    }
    rows = []
    for days in HALF_LIVES_DAYS:
        made = with_outcome(found.get(days), outcome, half_life_days=days)
        rows.append((cell_id, days, made.at_us, *made.sums))
    store.execute_many(_SQL["put_sums"], rows)
