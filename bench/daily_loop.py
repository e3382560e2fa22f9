"""The first design of the skills' table, for `bench.ledger`: a daily view, and a loop over it.

One row for each run, a view that groups by day, skill, model and provider, and a loop in
Python that weighs the days of a window. Its window is a condition on an aggregate, so that
the view reads all rows whatever the window is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from bench.ledger_fill import DAY_US, Told, cell_name

ALPHA = 0.3
WINDOW_DAYS = 14
_AT_ONCE = 20_000
_SCHEMA = """
CREATE TABLE skill_invocations (
    id INTEGER PRIMARY KEY, skill_name TEXT NOT NULL, model TEXT, provider TEXT,
    invoked_at TEXT NOT NULL, duration_seconds REAL, success INTEGER, cost_usd REAL);
CREATE INDEX by_skill ON skill_invocations (skill_name, invoked_at);
CREATE VIEW skill_stats_daily AS
SELECT date(invoked_at) AS day, skill_name, model, provider, count(*) AS runs,
    sum(success) AS successes, avg(duration_seconds) AS duration, avg(cost_usd) AS cost,
    max(invoked_at) AS last_at
FROM skill_invocations GROUP BY day, skill_name, model, provider;
"""


def fill(path: Path, told: Iterator[Told]) -> None:
    """Write runs into a new database."""
    with closing(sqlite3.connect(path)) as database:
        database.executescript("PRAGMA journal_mode = WAL;" + _SCHEMA)
        rows = (_row(run) for run in told)
        while part := list(islice(rows, _AT_ONCE)):
            with database:
                database.executemany(
                    "INSERT INTO skill_invocations (skill_name, model, provider, "
                    "invoked_at, duration_seconds, success, cost_usd) "
                    "VALUES (?, ?, 'p', datetime(?, 'unixepoch'), ?, ?, ?)",
                    part,
                )


def table(path: Path, *, now_us: int) -> dict[tuple[str, str], tuple[float, ...]]:
    """Return the smoothed rate, duration and cost by skill and model."""
    after = (now_us - WINDOW_DAYS * DAY_US) // 1_000_000
    found: dict[tuple[str, str], list[tuple[float, ...]]] = {}
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute(
            "SELECT skill_name, model, runs, successes, duration, cost "
            "FROM skill_stats_daily WHERE last_at >= datetime(?, 'unixepoch') "
            "ORDER BY skill_name, model, day DESC",
            (after,),
        )
        for skill, model, runs, successes, duration, cost in rows:
            day = ((successes or 0) / runs, duration or 0.0, cost or 0.0)
            found.setdefault((skill, model), []).append(day)
    return {key: _smoothed(days) for key, days in found.items()}


def _smoothed(days: list[tuple[float, ...]]) -> tuple[float, ...]:
    weights = [ALPHA * (1 - ALPHA) ** place for place in range(len(days))]
    total = sum(weights)
    return tuple(
        sum(w * day[column] for w, day in zip(weights, days, strict=True)) / total
        for column in range(3)
    )


def _row(run: Told) -> tuple[object, ...]:
    cost = run.cost_microusd
    return (
        *cell_name(run.cell),
        run.ended_at_us // 1_000_000,
        run.duration_us / 1e6,
        run.success,
        None if cost is None else cost / 1e6,
    )
