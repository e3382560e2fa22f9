"""The sums in the database are what the runs say, whoever wrote when."""

from __future__ import annotations

import math
import random
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oldhand.ledger.decayed import DecayedSums
from oldhand.ledger.model import RunEnd, RunStart, SkillUse
from oldhand.ledger.rebuild import rebuild_sums
from oldhand.ledger.runs import close_run, open_run
from oldhand.store import Store, open_database
from oldhand.testing import FakeClock

from .told import DAY_US, both, counts, sums_at, tell

DAYS = st.floats(0, 700, allow_nan=False)
RUNS = st.lists(
    st.fixed_dictionaries(
        {
            "days_ago": DAYS,
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


def assert_same(
    one: dict[tuple[str, int], DecayedSums], other: dict[tuple[str, int], DecayedSums]
) -> None:
    assert one.keys() == other.keys()
    for key, sums in one.items():
        for name, a, b in zip(sums._fields, sums, other[key], strict=True):
            assert math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-100), (key, name, a, b)


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
    kept, counted = sums_at(store, clock() + DAY_US), counts(store)

    rebuild_sums(store)

    assert_same(sums_at(store, clock() + DAY_US), kept)
    assert counts(store) == counted


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
    kept, counted = sums_at(any_store, clock() + DAY_US), counts(any_store)

    assert rebuild_sums(any_store) == 3

    assert_same(sums_at(any_store, clock() + DAY_US), kept)
    assert counts(any_store) == counted


def test_a_rebuild_of_nothing_is_nothing(any_store: Store) -> None:
    assert rebuild_sums(any_store) == 0


@pytest.mark.parametrize(
    "engine", ["file", pytest.param("postgres", marks=pytest.mark.postgres)]
)
def test_writers_at_once_lose_no_run(
    engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = str(tmp_path / "oldhand.db")
    if engine == "postgres":
        url = request.getfixturevalue("postgres_url")
    store, clock = open_database(url), FakeClock()
    faults: list[BaseException] = []

    def write(number: int) -> None:
        try:
            own = open_database(url)
            for step in range(15):
                # Cells in both orders: who locks them as they come waits for ever.
                skills = [SkillUse("a"), SkillUse("b")][:: 1 if step % 2 else -1]
                run_id = open_run(own, RunStart(skills=skills), clock=clock)
                close_run(own, run_id, RunEnd(success=bool(number % 2)), clock=clock)
            own.close()
        except BaseException as fault:  # noqa: BLE001 - told below
            faults.append(fault)

    writers = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    for each in writers:
        each.start()
    for each in writers:
        each.join()
    kept, counted = sums_at(store, clock() + DAY_US), counts(store)
    rebuild_sums(store)

    assert faults == []
    assert [row[1:4] for row in counted] == [(60, 30, 30), (60, 30, 30)]
    assert_same(sums_at(store, clock() + DAY_US), kept)
    store.close()
