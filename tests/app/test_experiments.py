"""Experiments as a Python caller runs them; erasing reaches what they gave."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oldhand.app import upkeep
from oldhand.app.experiments import (
    show_experiment,
    start_experiment,
    warm_for_experiment,
)
from oldhand.app.imports import import_sessions
from oldhand.app.simulation import run_simulation
from oldhand.clock import system_clock
from oldhand.sessions.keep.erase import plan_erase
from oldhand.sessions.keep.retention import PruneWish
from oldhand.sessions.keep.selection import Selection
from oldhand.sessions.live.recorder import Recorder
from oldhand.store import Query, Store
from oldhand.testing import FakeClock

SHIPPED = Path(__file__).parents[2] / "src" / "oldhand" / "cli" / "demo_sessions"
_GIVEN = "SELECT count(*) FROM assignments WHERE given IS NOT NULL"
GIVEN = Query("given", _GIVEN, _GIVEN)


@pytest.fixture
def running(home: Path, any_store: Store) -> Store:
    """Return a store with the shipped sessions and an experiment."""
    assert home.is_dir()
    import_sessions(any_store, "openai", SHIPPED)
    start_experiment(any_store, "e", arms=["cold", "warm"], holdout=0)
    return any_store


def test_a_session_is_assigned_with_its_agent_and_given_what_it_drew(
    running: Store,
) -> None:
    drawn = [
        warm_for_experiment(
            running, "e", session=f"s{number}", agent="a-1", all_projects=True
        )
        for number in range(16)
    ]

    found = show_experiment(running, "e")
    assert [bool(each.start.text) for each in drawn] == [
        each.arm == "warm" for each in drawn
    ]
    assert {arm.arm: arm.assigned for arm in found.arms} == {
        arm: sum(each.arm == arm for each in drawn) for arm in ("cold", "warm")
    }


def test_erasing_takes_the_assignment_and_what_others_were_given_of_it(
    running: Store,
) -> None:
    drawn = [
        warm_for_experiment(running, "e", session=f"s{number}", all_projects=True)
        for number in range(16)
    ]
    shown = {example.session for each in drawn for example in each.start.examples}
    before = running.query_one(GIVEN)

    upkeep.erase(running, plan_erase(running, Selection(uids=tuple(shown))))

    assert before is not None
    assert before[0] > 0
    assert running.query_one(GIVEN) == (0,)
    assert sum(a.assigned for a in show_experiment(running, "e").arms) == 16


def test_erasing_an_assigned_session_takes_its_assignment(running: Store) -> None:
    warm_for_experiment(running, "e", session="mine", all_projects=True)
    recorder = Recorder(running, uid="mine", source="test", principal="ada")
    recorder.append([{"role": "user", "content": "Hello"}])

    upkeep.erase(running, plan_erase(running, Selection(uids=("mine",))))

    assert sum(a.assigned for a in show_experiment(running, "e").arms) == 0


def test_a_session_that_is_pruned_leaves_its_experiment(running: Store) -> None:
    warm_for_experiment(running, "e", session="old", all_projects=True)
    recorder = Recorder(running, uid="old", source="test", principal="ada")
    recorder.append([{"role": "user", "content": "Hello"}])
    later = FakeClock(system_clock() + 7 * 86_400_000_000)
    wish = PruneWish(Selection(uids=("old",)))

    upkeep.prune(running, upkeep.plan_prune(running, wish, clock=later), clock=later)

    assert sum(a.assigned for a in show_experiment(running, "e").arms) == 0


def test_the_same_seed_simulates_the_same() -> None:
    one, again = (
        run_simulation(seed=3, sessions=20, pairs=5, nulls=3) for _ in range(2)
    )

    assert one == again


def test_a_simulation_as_json_says_first_that_it_is_no_evidence() -> None:
    value = run_simulation(sessions=10, pairs=30, nulls=3).as_json()

    by_shown = {
        (check["policy"], check["shown"]): check["difference"]
        for check in value["checks"]
    }
    assert next(iter(value)) == "note"
    assert "no evidence about models" in value["note"]
    assert by_shown["reads its messages", "examples that worked"] < -0.1
    assert by_shown["reads its messages", "examples that are false"] > 0.1
    assert by_shown["ignores its context", "examples that worked"] == 0
    json.dumps(value)
