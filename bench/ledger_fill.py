"""Runs of a year for `bench.ledger`: the same ones in our tables and in the peer's.

1,000 cells, 250 skills with four models; nine in ten outcomes are known and four in five
costs. Written in bulk: how quick a run is closed is measured elsewhere.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from oldhand.canonical_json import canonical_json
from oldhand.store import Query, Store

CELLS = 1_000
YEAR_DAYS = 365
DAY_US = 86_400_000_000
_MODELS = ("qwen3", "model-b", "model-c", "model-d")
_AT_ONCE = 20_000


class Told(NamedTuple):
    """One run: cell, when it ended, and how it went; None is unknown."""

    cell: int
    ended_at_us: int
    duration_us: int
    success: int | None
    cost_microusd: int | None


def runs(count: int, *, now_us: int) -> Iterator[Told]:
    """Yield runs, the oldest first, evenly over a year that ends now."""
    draw = random.Random(6)
    first_us = now_us - YEAR_DAYS * DAY_US
    for number in range(count):
        at_us = first_us + number * YEAR_DAYS * DAY_US // count
        cell = draw.randrange(CELLS)
        known = draw.random() < 0.9
        yield Told(
            cell,
            at_us,
            round(draw.expovariate(1 / 30e6)),
            int(draw.random() < 0.6 + 0.3 * (cell % 2)) if known else None,
            draw.randrange(1_000, 90_000) if draw.random() < 0.8 else None,
        )


def cell_name(cell: int) -> tuple[str, str]:
    """Return the skill and the model of a cell."""
    return f"skill-{cell // len(_MODELS)}", _MODELS[cell % len(_MODELS)]


def fill(store: Store, count: int, *, now_us: int) -> None:
    """Write the runs into our tables; the sums are for `rebuild_sums`."""
    cells = [
        (cell + 1, canonical_json([*cell_name(cell), cell]), *cell_name(cell))
        for cell in range(CELLS)
    ]
    with store.transaction():
        store.execute_many(
            _same(
                "INSERT INTO skill_cells (id, key, skill, model, provider) "
                "VALUES (?, ?, ?, ?, 'p')"
            ),
            cells,
        )
    numbered = enumerate(runs(count, now_us=now_us), start=1)
    while part := list(islice(numbered, _AT_ONCE)):
        with store.transaction():
            store.execute_many(
                _RUN,
                [
                    (
                        number, run.ended_at_us - run.duration_us, run.ended_at_us,
                        run.duration_us, run.cost_microusd, run.success,
                    )
                    for number, run in part
                ],
            )  # fmt: skip
            store.execute_many(
                _INVOCATION, [(number << 8, run.cell + 1) for number, run in part]
            )


def _same(sql: str) -> Query:
    return Query("bench", sql, sql.replace("?", "%s"))


_RUN = _same(
    "INSERT INTO runs (id, source, state, model, provider, started_at_us, ended_at_us, "
    "duration_us, cost_microusd, success) "
    "VALUES (?, 'runner', 'ended', 'm', 'p', ?, ?, ?, ?, ?)"
)
_INVOCATION = _same(
    "INSERT INTO skill_invocations (id, cell_id, share) VALUES (?, ?, 1.0)"
)
PLAIN_SCAN = _same(
    "SELECT i.cell_id, count(*), sum(r.success), sum(r.cost_microusd), sum(r.duration_us) "
    "FROM skill_invocations i JOIN runs r ON r.id = i.id >> 8 "
    "WHERE r.ended_at_us IS NOT NULL GROUP BY i.cell_id"
)
