"""Show the meter at work on simulated sessions, in databases that are thrown away."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from oldhand.experience.experiment.analysis import Analysis
from oldhand.experience.experiment.model import Arm
from oldhand.experience.simulate.nulls import FalseAlarms, false_alarms
from oldhand.experience.simulate.policy import ignores_its_context, reads_its_messages
from oldhand.experience.simulate.study import (
    Pairs,
    prepare_place,
    run_experiment,
    run_pairs,
)
from oldhand.store import Store, open_database

NO_EVIDENCE = "This is a simulation and no evidence about models: a small program takes their place."
SESSIONS = 150
PAIRS = 40
NULLS = 200
NULL_SESSIONS = 500


class Check(NamedTuple):
    """Sessions that ran twice, with what their arm gives and with nothing.

    Attributes:
        policy: Who acted.
        shown: What was shown to those in the warm arm, or the placebo.
        sessions: How many drew that arm.
        difference: In the share of sessions with a bad call, from -1 to 1.
        is_equal: Not one session had another outcome.
    """

    policy: str
    shown: str
    sessions: int
    difference: float
    is_equal: bool


class Simulation(NamedTuple):
    """What the meter showed.

    Attributes:
        analysis: Of an experiment with three arms, by lot.
        checks: Of the same sessions twice.
        alarms: In experiments without a difference.
    """

    analysis: Analysis
    checks: list[Check]
    alarms: FalseAlarms

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it, and that it is no evidence."""
        return {
            "note": NO_EVIDENCE,
            "experiment": self.analysis.as_json(),
            "checks": [check._asdict() for check in self.checks],
            "false_alarms": self.alarms._asdict(),
        }


def run_simulation(
    *,
    seed: int = 1,
    sessions: int = SESSIONS,
    pairs: int = PAIRS,
    nulls: int = NULLS,
    progress: Callable[[str], None] | None = None,
) -> Simulation:
    """Go the whole way with a policy that reads nothing but its messages.

    Args:
        seed: The same seed gives the same figures.
        sessions: In the experiment.
        pairs: In the checks of true examples and of a placebo together, and in those of
            false ones and of no reading together; each runs twice.
        nulls: Experiments without a difference.
        progress: Called with what is done now.
    """
    say = progress or (lambda _: None)
    say(f"{sessions} sessions by lot")
    with _throwaway_store() as store, _throwaway_store() as other:
        place = prepare_place(store, seed=seed)
        changed = prepare_place(other, seed=seed, have_tools_changed=True)
        analysis = run_experiment(place, "simulated", sessions=sessions)
        say(f"{2 * pairs} sessions twice, with what they drew and without")
        reads = run_pairs(place, "reads", reads_its_messages, sessions=pairs)
        arms: tuple[Arm, ...] = ("cold", "warm")
        ignores = run_pairs(
            place, "ignores", ignores_its_context, sessions=pairs // 2, arms=arms
        )
        misled = run_pairs(
            changed, "misled", reads_its_messages, sessions=pairs // 2, arms=arms
        )
    say(f"{nulls} experiments without a difference")
    return Simulation(
        analysis,
        [
            _check("reads its messages", "examples that worked", reads, "warm"),
            _check("reads its messages", "examples that are false", misled, "warm"),
            _check("reads its messages", "a placebo", reads, "placebo"),
            _check("ignores its context", "examples that worked", ignores, "warm"),
        ],
        false_alarms(nulls, sessions=NULL_SESSIONS, seed=seed),
    )


@contextmanager
def _throwaway_store() -> Iterator[Store]:
    store = open_database(":memory:")
    try:
        yield store
    finally:
        store.close()


def _check(policy: str, shown: str, pairs: Pairs, arm: Arm) -> Check:
    found = pairs.differences[arm]
    return Check(policy, shown, len(found), pairs.mean(arm), not any(found))
