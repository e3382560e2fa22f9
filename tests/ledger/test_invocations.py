"""One call records a run of a foreign runner, or refuses it whole."""

from __future__ import annotations

import datetime
import logging
from typing import Any

import pytest

from oldhand.errors import InvalidInput
from oldhand.ledger.invocations import record_skill_invocation
from oldhand.ledger.rebuild import rebuild_sums
from oldhand.ledger.runs import find_run
from oldhand.ledger.stats import skill_stats
from oldhand.ledger.sums import are_stale
from oldhand.store import Store
from oldhand.testing import FakeClock

from .told import both, rows, tell


def test_all_that_a_runner_knows_is_kept(any_store: Store, clock: FakeClock) -> None:
    invocation = tell(
        any_store, clock, days_ago=1, session_id="s-1", cron_id="nightly",
        skill_version="v3", provider="ollama", duration_seconds=41.5, input_tokens=900,
        output_tokens=80, cache_read_tokens=3, cache_write_tokens=0,
        estimated_cost_usd=0.0123, success=False, end_reason="gave up",
        quality_score=0.25,
    )  # fmt: skip

    run = find_run(any_store, invocation >> 8)

    assert run._replace(id=0) == (
        "runner", clock() - 86_400_000_000, 0, "nightly", "s-1", "failed", "gave up",
        "qwen3", "ollama", None, clock() - 86_400_000_000 + 41_500_000, 41_500_000, 900,
        80, 3, 0, 12_300, False, 0.25,
    )  # fmt: skip


def test_what_is_not_said_is_unknown(any_store: Store, clock: FakeClock) -> None:
    run = find_run(any_store, tell(any_store, clock, model=None) >> 8)

    assert (run.state, run.success, run.model) == ("ended", None, None)
    assert (run.cost_microusd, run.duration_us, run.input_tokens) == (None, None, None)


def test_a_cost_of_nothing_is_kept_where_it_is_said(
    any_store: Store, clock: FakeClock
) -> None:
    run = find_run(any_store, tell(any_store, clock, estimated_cost_usd=0) >> 8)

    assert run.cost_microusd == 0


@pytest.mark.parametrize(
    "moment",
    [
        1_767_225_600,
        1_767_225_600.0,
        "2026-01-01T00:00:00Z",
        "2026-01-01T01:00:00+01:00",
        datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC),
    ],
)
def test_a_time_is_taken_in_any_of_three_forms(
    store: Store, clock: FakeClock, moment: Any
) -> None:
    run = find_run(store, tell(store, clock, invoked_at=moment) >> 8)

    assert run.started_at_us == 1_767_225_600_000_000


BAD = [
    {"skill_name": ""},
    {"skill_name": None},
    {"skill_name": 7},
    {"skill_name": "nul\0"},
    {"skill_version": ""},
    {"model": ""},
    {"provider": "\x1b[31m"},
    {"session_id": "x" * 501},
    {"cron_id": b"nightly"},
    {"invoked_at": None},
    {"invoked_at": "soon"},
    {"invoked_at": True},
    {"invoked_at": -1},
    {"invoked_at": float("nan")},
    {"invoked_at": 4e9},
    {"invoked_at": datetime.datetime(2026, 1, 1)},  # noqa: DTZ001 - without a zone
    {"completed_at": "2025-01-01T00:00:00Z"},
    {"completed_at": float("inf")},
    {"duration_seconds": -0.1},
    {"duration_seconds": float("nan")},
    {"duration_seconds": True},
    {"duration_seconds": "41"},
    {"input_tokens": -1},
    {"output_tokens": 1.0},
    {"cache_read_tokens": True},
    {"cache_write_tokens": 10**16},
    {"estimated_cost_usd": -0.01},
    {"estimated_cost_usd": float("inf")},
    {"estimated_cost_usd": "NaN"},
    {"estimated_cost_usd": "0.01 EUR"},
    {"estimated_cost_usd": 1e7},
    {"estimated_cost_usd": False},
    {"success": "yes"},
    {"success": 1},
    {"end_reason": ""},
    {"quality_score": -0.1},
    {"quality_score": 5},
]


@pytest.mark.parametrize("said", BAD, ids=str)
def test_a_bad_value_is_refused_by_name_and_nothing_is_written(
    store: Store, clock: FakeClock, said: dict[str, Any]
) -> None:
    (field,) = said

    with pytest.raises(InvalidInput, match=f"^{field}: "):
        tell(store, clock, **said)

    assert [rows(store, table) for table in ("runs", "skill_cells", "skill_sums")] == [
        0, 0, 0,
    ]  # fmt: skip


def test_a_fault_in_the_sums_never_fails_the_run_and_a_rebuild_mends_it(
    any_store: Store, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    any_store.execute(both("ALTER TABLE skill_sums RENAME TO away"))

    with caplog.at_level(logging.WARNING):
        tell(any_store, clock, success=True)
    any_store.execute(both("ALTER TABLE away RENAME TO skill_sums"))

    assert rows(any_store, "skill_invocations") == 1
    assert "until they are rebuilt" in caplog.text
    assert are_stale(any_store)
    assert rows(any_store, "skill_sums") == 0
    assert skill_stats(any_store, clock=clock) == []

    rebuild_sums(any_store)

    assert skill_stats(any_store, clock=clock)[0].success_count == 1
    assert not are_stale(any_store)


def test_the_names_are_public() -> None:
    import oldhand  # noqa: PLC0415 - what is tested

    assert oldhand.record_skill_invocation is record_skill_invocation
