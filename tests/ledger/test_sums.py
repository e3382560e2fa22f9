"""The sums of a cell are what its runs say, whoever told of them when and in which order."""

from __future__ import annotations

import logging
import random
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oldhand.ledger.cells import cell_id_of
from oldhand.ledger.estimate import cost_per_call, mean_of, rate_of
from oldhand.ledger.model import Run, RunEnd, RunStart, SkillUse
from oldhand.ledger.rebuild import rebuild_sums
from oldhand.ledger.runs import close_run, open_run
from oldhand.ledger.sums import add_to_sums, are_stale
from oldhand.store import Store, open_database
from oldhand.testing import FakeClock

from .scan import (
    OUTCOMES,
    YEAR_US,
    Outcome,
    assert_same,
    assert_same_cells,
    scanned,
)
from .told import DAY_US, both, kept_sums, tell

ONE_STORE = settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
LATER_US = 3 * YEAR_US


def add(store: Store, outcome: Outcome) -> None:
    """Add a run of one cell to the sums, and write nothing else."""
    run = Run(
        "test",
        outcome.at_us,
        ended_at_us=outcome.at_us,
        duration_us=outcome.duration_us,
        cost_microusd=outcome.cost_microusd,
        success=outcome.success,
        quality=outcome.quality,
    )
    with store.transaction():
        cell_id = cell_id_of(store, "a", version=None, model=None, provider=None)
        add_to_sums(store, run, [(cell_id, outcome.share)])


def forget(store: Store) -> None:
    """Forget the runs of the last example."""
    for table in ("runs", "skill_invocations", "skill_sums", "skill_cells"):
        store.execute(both(f"DELETE FROM {table}"))  # noqa: S608 - our own names


@ONE_STORE
@given(OUTCOMES, st.randoms(use_true_random=False))
def test_any_order_of_arrival_gives_what_a_scan_gives(
    store: Store, outcomes: list[Outcome], chance: random.Random
) -> None:
    forget(store)
    shuffled = list(outcomes)
    chance.shuffle(shuffled)
    for each in shuffled:
        add(store, each)

    kept = kept_sums(store, LATER_US)

    assert len(kept) == bool(outcomes)
    for sums in kept.values():
        assert sums.invocation_count == len(outcomes)
        assert sums.last_invoked_at_us == max(each.at_us for each in outcomes)
        assert_same(sums.faded, scanned(outcomes, LATER_US))


def test_late_runs_count_by_when_they_ended_on_both_engines(any_store: Store) -> None:
    days_ago = (0, 400, 31, 33, 1, 64, 0.5, 900, 32, 0)
    outcomes = [
        Outcome(1_000 * DAY_US - round(days * DAY_US), 0.5, success=days != 1,
                cost_microusd=round(days * 100), duration_us=3_000_000, quality=0.5)
        for days in days_ago
    ]  # fmt: skip
    for each in outcomes:
        add(any_store, each)

    (kept,) = kept_sums(any_store, LATER_US).values()

    assert (kept.invocation_count, kept.success_count, kept.failure_count) == (10, 9, 1)
    assert kept.total_cost_microusd == sum(
        0.5 * (e.cost_microusd or 0) for e in outcomes
    )
    assert_same(kept.faded, scanned(outcomes, LATER_US))
    assert not are_stale(any_store)


@ONE_STORE
@given(OUTCOMES, st.integers(0, 2 * YEAR_US))
def test_what_is_unknown_changes_no_mean(
    store: Store, outcomes: list[Outcome], at_us: int
) -> None:
    forget(store)
    for each in outcomes:
        add(store, each)
    before = kept_sums(store, LATER_US)

    add(store, Outcome(at_us, 1.0))

    for key, sums in before.items():
        after = kept_sums(store, LATER_US)[key]
        assert_same(sums.faded, after.faded)
        for one, other in zip(sums.faded, after.faded, strict=True):
            assert (rate_of(one) is None) == (rate_of(other) is None)
            assert (cost_per_call(one) is None) == (cost_per_call(other) is None)


@ONE_STORE
@given(OUTCOMES)
def test_means_lie_between_what_they_are_means_of(
    store: Store, outcomes: list[Outcome]
) -> None:
    forget(store)
    for each in outcomes:
        add(store, each)
    seconds = [o.duration_us / 1e6 for o in outcomes if o.duration_us is not None]

    for kept in kept_sums(store, LATER_US).values():
        for sums in kept.faded:
            mean = mean_of(sums.duration, sums.duration_weight)
            rate = rate_of(sums)
            assert mean is None or min(seconds) - 1e-6 <= mean <= max(seconds) + 1e-6
            assert rate is None or 0 <= rate.low <= rate.rate <= rate.high <= 1
            assert rate is None or rate.n_effective <= len(outcomes) + 1e-6


def test_a_hundred_years_neither_overflow_nor_raise(any_store: Store) -> None:
    last = Outcome(0, 1.0, success=True, cost_microusd=10**12)
    for year in range(100):
        last = last._replace(at_us=year * YEAR_US)
        add(any_store, last)

    (kept,) = kept_sums(any_store, 0).values()
    (gone,) = kept_sums(any_store, 200 * YEAR_US).values()

    # A year before it, the next to the last counts for 2 ** -366 of it.
    (newest, *_) = scanned([last], kept.at_us)
    assert_same(kept.faded[:1], [newest])
    assert rate_of(gone.faded[0]) is None
    assert not are_stale(any_store)


def test_a_rare_success_among_failures_fades_for_years_without_a_fault(
    any_store: Store,
) -> None:
    add(any_store, Outcome(0, 1e-9, success=True, cost_microusd=1))
    for day in range(1, 1_400, 9):
        add(any_store, Outcome(day * DAY_US, 1.0, success=False, cost_microusd=1))

    (kept,) = kept_sums(any_store, 0).values()

    assert not are_stale(any_store)
    assert kept.success_count == 1
    assert kept.faded[0].both_success2 < 1e-300


def test_a_fault_while_sums_are_moved_leaves_them_as_they_were(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    add(store, Outcome(0, 1.0, success=True))
    before = kept_sums(store, LATER_US)
    store.execute(
        both(
            "CREATE TRIGGER no BEFORE INSERT ON skill_sums "
            "BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
    )

    with caplog.at_level(logging.WARNING):
        add(store, Outcome(YEAR_US, 1.0, success=False))

    assert "until they are rebuilt" in caplog.text
    assert are_stale(store)
    assert kept_sums(store, LATER_US) == before


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
                # Cells in both orders: who locks them as they come waits for ever. Ends in
                # several stretches: the sums are moved while others add to them.
                skills = [SkillUse("a"), SkillUse("b")][:: 1 if step % 2 else -1]
                ended_at = clock() / 1e6 - 86_400 * 20 * ((step + number) % 5)
                start = RunStart(skills=skills, started_at=ended_at)
                end = RunEnd(success=bool(number % 2), ended_at=ended_at)
                run_id = open_run(own, start, clock=clock)
                close_run(own, run_id, end, clock=clock)
            own.close()
        except BaseException as fault:  # noqa: BLE001 - told below
            faults.append(fault)

    def rebuild() -> None:
        try:
            own = open_database(url)
            for _ in range(6):
                rebuild_sums(own)
            own.close()
        except BaseException as fault:  # noqa: BLE001 - told below
            faults.append(fault)

    writers = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    writers.append(threading.Thread(target=rebuild))
    for each in writers:
        each.start()
    for each in writers:
        each.join()
    kept = kept_sums(store, clock() + 99 * DAY_US)
    stale = are_stale(store)
    rebuild_sums(store)

    assert faults == []
    assert not stale
    assert [each[1:4] for each in kept.values()] == [(60, 30, 30), (60, 30, 30)]
    assert_same_cells(kept_sums(store, clock() + 99 * DAY_US), kept)
    store.close()


def test_a_run_that_ended_in_another_stretch_is_weighed_to_the_sums(
    store: Store, clock: FakeClock
) -> None:
    tell(store, clock, success=True)
    tell(store, clock, days_ago=60, success=False)

    (kept,) = kept_sums(store, 0).values()
    day, _week, month = kept.faded

    assert day.success / day.weight == pytest.approx(1, abs=1e-15)
    assert month.success / month.weight == pytest.approx(1 / (1 + 2**-2))
