"""Hermes' own ledger says how its scheduled runs ended."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from oldhand.clock import from_iso
from oldhand.errors import UnreadableSource
from oldhand.ledger.attribute import attribute_sessions
from oldhand.ledger.hermes_cron import read_executions
from oldhand.ledger.runs import list_runs
from oldhand.ledger.stats import skill_stats
from oldhand.sessions.model import Message, Session
from oldhand.sessions.record import SessionWriter
from oldhand.store import Store

JOB = "0123456789ab"
SAID = '[IMPORTANT: The user has invoked the "mail" skill, indicating it]\n\nSort.'


def ledger(folder: Path, *rows: tuple[str, str, str, str | None, str | None]) -> Path:
    path = folder / "executions.db"
    connection = apsw.Connection(str(path))
    connection.execute(
        "CREATE TABLE executions (id TEXT, job_id TEXT, source TEXT, status TEXT, "
        "claimed_at TEXT, started_at TEXT, finished_at TEXT, error TEXT)"
    )
    for row in rows:
        connection.execute(
            "INSERT INTO executions (job_id, status, started_at, finished_at, error) "
            "VALUES (?, ?, ?, ?, ?)", row,
        )  # fmt: skip
    connection.close()
    return path


def record(store: Store, day: int) -> None:
    at_us = from_iso(f"2026-01-{day:02}T09:00:01Z") or 0
    session = Session(
        uid=f"cron_{JOB}_202601{day:02}_090001", source="hermes", started_at_us=at_us,
        cost_usd=0.25,
        messages=[
            Message(role="user", content=SAID, at_us=at_us),
            Message(role="assistant", content="done", at_us=at_us + 5_000_000),
        ],
    )  # fmt: skip
    with store.transaction():
        SessionWriter(store).write(session)


def fired(
    day: int, status: str, error: str | None = None
) -> tuple[str, str, str, str, str | None]:
    start = f"2026-01-{day:02}T09:00:00+00:00"
    return (JOB, status, start, f"2026-01-{day:02}T09:00:30+00:00", error)


def test_runs_are_told_how_they_ended(any_store: Store, tmp_path: Path) -> None:
    for day in (1, 2, 3, 4):
        record(any_store, day)
    path = ledger(
        tmp_path,
        fired(1, "completed"),
        fired(2, "failed", "no\nmodel"),
        fired(3, "unknown"),
    )

    attribute_sessions(any_store, executions=read_executions(path))
    runs = {run.session_uid: run for run in list_runs(any_store)}
    told = [runs[f"cron_{JOB}_202601{day:02}_090001"] for day in (1, 2, 3, 4)]

    assert [run.success for run in told] == [True, False, None, None]
    assert [run.job for run in told] == [JOB, JOB, JOB, None]
    assert told[1].end_reason == "no model"
    assert [run.duration_us for run in told] == [30_000_000] * 3 + [None]
    assert [run.cost_microusd for run in told] == [250_000] * 4


def test_what_is_known_only_later_is_counted_then_and_once(
    any_store: Store, tmp_path: Path
) -> None:
    record(any_store, 1)
    assert attribute_sessions(any_store) == 1
    executions = read_executions(ledger(tmp_path, fired(1, "completed")))

    assert attribute_sessions(any_store, executions=executions) == 1
    assert attribute_sessions(any_store, executions=executions) == 0

    (stats,) = skill_stats(any_store)
    assert (stats.invocation_count, stats.success_count) == (1, 1)


def test_odd_rows_are_passed_over(tmp_path: Path) -> None:
    path = ledger(
        tmp_path, (JOB, "claimed", "soon", None, None), fired(1, "completed"),
        (JOB, "running", "2026-01-01T09:00:00", None, None),
    )  # fmt: skip

    found = read_executions(path)

    assert [(each.status, each.finished_at_us is None) for each in found] == [
        ("completed", False),
        ("running", True),
    ]


def test_another_database_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    apsw.Connection(str(other)).execute("CREATE TABLE t (x)")

    with pytest.raises(UnreadableSource, match="not a ledger"):
        read_executions(other)
    with pytest.raises(UnreadableSource, match="no such file"):
        read_executions(tmp_path / "none.db")
