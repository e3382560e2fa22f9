"""Sums made anew from the runs are those that each run's end has kept."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oldhand.ledger.model import RunEnd, RunStart, SkillUse
from oldhand.ledger.rebuild import rebuild_sums
from oldhand.ledger.runs import close_run, open_run
from oldhand.store import Store
from oldhand.testing import FakeClock

from .scan import assert_same_cells
from .told import DAY_US, both, kept_sums, rows, tell

LATER_US = 99 * DAY_US
RUNS = st.lists(
    st.fixed_dictionaries(
        {
            "days_ago": st.floats(0, 700, allow_nan=False),
            "skill_name": st.sampled_from(["a", "b"]),
            "model": st.sampled_from([None, "m"]),
            "success": st.none() | st.booleans(),
            "estimated_cost_usd": st.none() | st.floats(0, 100),
            "duration_seconds": st.none() | st.floats(0, 3600),
            "quality_score": st.none() | st.floats(0, 1),
        }
    ),
    max_size=12,
)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(RUNS)
def test_sums_kept_by_each_run_are_what_a_rebuild_makes(
    store: Store, runs: list[dict[str, Any]]
) -> None:
    clock = FakeClock()
    for table in ("runs", "skill_invocations", "skill_cells"):
        store.execute(both(f"DELETE FROM {table}"))  # noqa: S608 - of the last example
    for run in runs:
        tell(store, clock, **run)
    kept = kept_sums(store, clock() + LATER_US)

    rebuild_sums(store)

    assert_same_cells(kept_sums(store, clock() + LATER_US), kept)


def test_both_engines_rebuild_what_each_run_kept(any_store: Store) -> None:
    clock, chance = FakeClock(), random.Random(6)  # noqa: S311 - a test's
    for _ in range(60):
        drawn = chance.choice([None, 0.5])
        start = RunStart(
            started_at=clock() / 1e6 - chance.random() * 86_400 * 900,
            draw_probability=drawn,
            skills=[SkillUse("a", share=0.25), SkillUse("b", share=0.75)],
        )
        end = RunEnd(
            ended_at=clock() / 1e6 - chance.random(),
            success=chance.choice([True, False, None]),
            cost_usd=chance.choice([None, 0.25, 3]),
            quality=chance.choice([None, 0.5]),
            duration_seconds=chance.random() * 60,
        )
        close_run(any_store, open_run(any_store, start, clock=clock), end, clock=clock)
        tell(any_store, clock, days_ago=chance.random() * 900, success=True)
    kept = kept_sums(any_store, clock() + LATER_US)

    assert rebuild_sums(any_store) == 3

    assert_same_cells(kept_sums(any_store, clock() + LATER_US), kept)


def test_a_rebuild_of_nothing_is_nothing(any_store: Store) -> None:
    assert rebuild_sums(any_store) == 0


def test_a_cell_whose_runs_were_taken_away_is_not_there_after_a_rebuild(
    any_store: Store, clock: FakeClock
) -> None:
    tell(any_store, clock, success=True)
    any_store.execute(both("DELETE FROM runs"))

    rebuild_sums(any_store)

    assert rows(any_store, "skill_sums") == 0
