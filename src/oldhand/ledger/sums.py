"""What the runs of each cell add up to, kept by the transaction that closes a run.

One statement adds a run, with no need to read: sums stand as of the end of a stretch of
time, and nearly always of the one in which the run ended. Where they do not they are moved
first, here and not by the engine: far down, squares of weights leave the range of a float,
which PostgreSQL takes for an error.

Writers do not lose each other's runs: SQLite has one writer, and in PostgreSQL a statement
locks the row that it changes until the transaction is over. A fault in the sums undoes only
them: what was measured matters more than the measure, and `rebuild_sums` mends it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence

from oldhand.errors import OldhandError
from oldhand.ledger.cell_sums import NO_RUNS, CellSums
from oldhand.ledger.decayed import stretch_end_us, weights_after
from oldhand.ledger.model import Run
from oldhand.store import Queries, Store
from oldhand.store.savepoint import one_statement, savepoint

logger = logging.getLogger(__name__)
_SQL = Queries("oldhand.ledger")


def add_to_sums(store: Store, run: Run, shares: Iterable[tuple[int, float]]) -> None:
    """Add one run to the sums of the cells it counts in, in the caller's transaction.

    Args:
        store: With a transaction open.
        run: Closed.
        shares: Each cell, and its share in the run.
    """
    ordered = sorted(shares)  # in one order, so that no two writers wait for each other
    try:
        for cell_id, share in ordered:
            _add(store, run, cell_id, share)
    except (OldhandError, ArithmeticError) as fault:
        logger.warning(
            "the sums over skills leave out a run until they are rebuilt: %s", fault,
            extra={"cells": [cell_id for cell_id, _ in ordered]},
        )  # fmt: skip
        store.execute(_SQL["note_stale"])


def are_stale(store: Store) -> bool:
    """Say whether the sums leave out a run, or hold one that was taken away."""
    return store.query_one(_SQL["is_stale"]) is not None


def _add(store: Store, run: Run, cell_id: int, share: float) -> None:
    ended_at_us = run.started_at_us if run.ended_at_us is None else run.ended_at_us
    at_us = stretch_end_us(ended_at_us)
    weights = weights_after(at_us - ended_at_us)
    with one_statement(store):
        is_added = _is_added(store, run, cell_id, share, at_us, weights)
    if not is_added:
        with savepoint(store):
            at_us = _move(store, cell_id, at_us)
            weights = weights_after(at_us - ended_at_us)
            _is_added(store, run, cell_id, share, at_us, weights)


def _is_added(
    store: Store,
    run: Run,
    cell_id: int,
    share: float,
    at_us: int,
    weights: Sequence[float],
) -> bool:
    """Add a run to a cell's sums if they stand as of a time."""
    success, cost, quality = run.success, run.cost_microusd, run.quality
    day, week, month = weights
    values = (  # in the order of the query: by name took 3 us more
        1 if success else 0,
        0 if success is None else 1,
        0 if run.draw_probability is None else 1,
        0 if cost is None else 1,
        share,
        cost or 0,
        run.started_at_us,
        share * day,
        1 if success and cost is not None else 0,
        0 if run.duration_us is None else 1,
        (run.duration_us or 0) / 1_000_000,
        0 if quality is None else 1,
        quality or 0.0,
        share * week,
        share * month,
        cell_id,
        at_us,
    )
    return bool(store.execute(_SQL["add_to_sums"], values))


def _move(store: Store, cell_id: int, at_us: int) -> int:
    """Let a cell's sums stand as of a time, or a later one; return which."""
    store.execute(_SQL["hold_cell"], (cell_id,))
    row = store.query_one(_SQL["take_sums"], (cell_id,))
    kept = NO_RUNS if row is None else CellSums.from_row(row)
    moved = kept.at(max(at_us, kept.at_us))
    store.execute(_SQL["put_sums"], moved.as_row(cell_id))
    return moved.at_us
