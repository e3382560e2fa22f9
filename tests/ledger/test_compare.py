"""B is better, or A is, or nobody knows yet; and how it was come by."""

from __future__ import annotations

import json

import pytest

from oldhand.errors import InvalidInput, NotFound
from oldhand.ledger.compare import Side, compare
from oldhand.ledger.model import RunEnd, RunStart, SkillUse
from oldhand.ledger.runs import close_run, open_run
from oldhand.store import Store
from oldhand.testing import FakeClock

from .told import tell

LOCAL, PAID = Side("triage", "local"), Side("triage", "paid")


def run(store: Store, model: str, *, success: bool, drawn: float | None = None) -> None:
    start = RunStart(model=model, draw_probability=drawn, skills=[SkillUse("triage")])
    end = RunEnd(success=success, cost_usd=0.01 if model == "local" else 0.5)
    close_run(store, open_run(store, start), end)


def test_a_clear_difference_is_said_with_how_it_was_come_by(any_store: Store) -> None:
    for step in range(30):
        run(any_store, "local", success=step % 10 == 0)
        run(any_store, "paid", success=step % 10 != 0)

    found = compare(any_store, LOCAL, PAID)

    assert found.verdict == "B is better"
    assert found.is_observational
    assert "observational" in found.said
    assert found.runs_needed is None
    json.dumps(found.as_json(), allow_nan=False)


def test_drawn_models_are_an_experiment_until_one_was_not_drawn(
    any_store: Store,
) -> None:
    for step in range(30):
        run(any_store, "local", success=step % 10 == 0, drawn=0.5)
        run(any_store, "paid", success=step % 10 != 0, drawn=0.5)
    drawn = compare(any_store, LOCAL, PAID)
    run(any_store, "paid", success=True)

    assert not drawn.is_observational
    assert "observational" not in drawn.said
    assert compare(any_store, LOCAL, PAID).is_observational


def test_too_few_runs_are_not_enough_and_it_is_said_how_many_more(
    any_store: Store,
) -> None:
    for step in range(6):
        run(any_store, "local", success=step < 4)
        run(any_store, "paid", success=step < 5)

    found = compare(any_store, LOCAL, PAID)

    assert found.verdict == "not enough data"
    assert found.runs_needed is not None
    assert f"about {found.runs_needed} more runs of each" in found.said


def test_what_costs_less_for_a_success_is_likely_cheaper(any_store: Store) -> None:
    for step in range(20):
        run(any_store, "local", success=step % 2 == 0)
        run(any_store, "paid", success=step % 20 != 0)

    assert (compare(any_store, LOCAL, PAID).probability_b_cheaper or 0) < 0.01


def test_without_a_known_outcome_nothing_is_said(
    any_store: Store, clock: FakeClock
) -> None:
    tell(any_store, clock, model="local")
    tell(any_store, clock, model="paid", success=True)

    found = compare(any_store, LOCAL, PAID, clock=clock)

    assert (found.probability_b_better, found.runs_needed) == (None, None)
    assert "no outcome is known" in found.said


def test_sides_that_are_none_are_refused(store: Store, clock: FakeClock) -> None:
    tell(store, clock, model="local", success=True)

    with pytest.raises(NotFound, match="triage paid"):
        compare(store, LOCAL, PAID)
    with pytest.raises(InvalidInput, match="another side"):
        compare(store, LOCAL, LOCAL)
    with pytest.raises(InvalidInput, match="half_life_days: 3"):
        compare(store, LOCAL, PAID, half_life_days=3)
