"""What an experiment shows so far: arms, differences, and how much is missing.

A session counts in the arm that it drew, whatever happened after (intention to treat):
also one that never had a call, which had no bad one. To leave these out would compare arms
that the draw no longer made equal, and saves next to nothing, for they add as little to the
variance as to the difference. They are shown apart.

Sessions count in the order of the draw, up to the first that is not settled: what is counted
must not depend on how fast an arm is done. Principal and agent, the strata, are not balanced
by force, for lots drawn by hash balance them; they tell what to expect of a session, which
makes the interval narrower and cannot make it wrong.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean
from typing import Any, NamedTuple

from oldhand.clock import Clock, system_clock
from oldhand.experience.experiment.centre import Observed
from oldhand.experience.experiment.guardrails import MEASURES, Guardrail, guardrail
from oldhand.experience.experiment.measure import Measured, measure
from oldhand.experience.experiment.model import COLD, Arm, Experiment
from oldhand.experience.experiment.sample_size import Plan, sessions_needed
from oldhand.experience.experiment.sequence import Look, first_decided, looks
from oldhand.store import Store

MOST_LOOKS = 48
LEAST_TO_ESTIMATE = 20
"""Sessions in each arm; with fewer, what is missing is computed for a planned difference."""

PLANNED_DROP = 0.5
"""The planned difference: half of the cold sessions' share with a bad call."""

_PLANNED_SHARE = 0.27  # of 271 real sessions, as many had one among the first twenty
_PLANNED_WEIGHT = 10  # counts as much as so many sessions


class ArmSummary(NamedTuple):
    """One arm in numbers.

    Attributes:
        arm: The arm.
        assigned: Sessions that drew it, or were held out into it, while the draw ran.
        held_out: Those of them that were held out.
        counted: Those of them that are in the comparison.
        without_calls: Those of the counted that never had a working call.
        bad_sessions: Those of the counted with a bad call among their first.
        first_calls: Working calls that were looked at.
        bad_calls: Those of them that were bad.
        given_tokens: Mean length of what was given, over all assigned.
    """

    arm: Arm
    assigned: int
    held_out: int
    counted: int
    without_calls: int
    bad_sessions: int
    first_calls: int
    bad_calls: int
    given_tokens: float

    @property
    def bad_share(self) -> float | None:
        """The primary measure: the share of counted sessions with a bad call."""
        return self.bad_sessions / self.counted if self.counted else None


class Comparison(NamedTuple):
    """Two arms compared by the primary measure.

    Attributes:
        arm: The arm.
        other: The arm that it is compared with.
        difference: Of their shares of sessions with a bad call; None where an arm is
            empty. Below 0 is better.
        path: The interval after growing numbers of sessions of the two arms.
        decided_at: After how many of these it first left out 0; None where it never did.
        needed: About how many more sessions of the experiment it takes; 0 where it is
            decided, None where it is more than a million or there is no difference.
        is_planned: `needed` is computed for the planned difference.
    """

    arm: Arm
    other: Arm
    difference: float | None
    path: list[Look]
    decided_at: int | None
    needed: int | None
    is_planned: bool


class Analysis(NamedTuple):
    """What an experiment shows so far.

    Attributes:
        experiment: The experiment.
        arms: In its order.
        waiting: Sessions that are not counted yet: not settled, or drawn after one that
            is not.
        since_stop: How many sessions came after the draw was ended, by arm.
        comparisons: Each arm with cold, and warm with placebo.
        guardrails: Other measures of each arm beside those of cold.
    """

    experiment: Experiment
    arms: list[ArmSummary]
    waiting: int
    since_stop: dict[Arm, int]
    comparisons: list[Comparison]
    guardrails: list[Guardrail]

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        return self.experiment.as_json() | {
            "arms": [
                each._asdict() | {"bad_share": each.bad_share} for each in self.arms
            ],
            "waiting": self.waiting,
            "since_stop": self.since_stop,
            "comparisons": [
                each._asdict() | {"path": [look._asdict() for look in each.path]}
                for each in self.comparisons
            ],
            "guardrails": [each._asdict() for each in self.guardrails],
        }


def analyse(
    store: Store, experiment: Experiment, *, clock: Clock = system_clock
) -> Analysis:
    """Say what an experiment shows so far."""
    sessions = measure(store, experiment, clock=clock)
    end_us = experiment.stopped_at_us
    drawn = [s for s in sessions if end_us is None or s.assigned_at_us <= end_us]
    later = [
        s.arm for s in sessions if end_us is not None and s.assigned_at_us > end_us
    ]
    counted = _settled(drawn)
    by_arm = {arm: [s for s in counted if s.arm == arm] for arm in experiment.arms}
    others = [arm for arm in experiment.arms if arm != COLD]
    return Analysis(
        experiment=experiment,
        arms=[
            _summary(arm, [s for s in drawn if s.arm == arm], by_arm[arm])
            for arm in experiment.arms
        ],
        waiting=len(drawn) - len(counted),
        since_stop={arm: later.count(arm) for arm in dict.fromkeys(later)},
        comparisons=[
            _compare(experiment, counted, arm, other)
            for arm, other in _pairs(experiment.arms)
        ],
        guardrails=[
            guardrail(name, arm, by_arm[arm], by_arm[COLD])
            for arm in others
            for name in MEASURES
        ],
    )


def _settled(drawn: Sequence[Measured]) -> list[Measured]:
    """Return the sessions before the first that is not settled."""
    end = next((at for at, s in enumerate(drawn) if not s.is_settled), len(drawn))
    return list(drawn[:end])


def _pairs(arms: Sequence[Arm]) -> list[tuple[Arm, Arm]]:
    pairs = [(arm, COLD) for arm in arms if arm != COLD]
    if {"warm", "placebo"} <= set(arms):
        pairs.append(("warm", "placebo"))
    return pairs


def _summary(
    arm: Arm, assigned: Sequence[Measured], counted: Sequence[Measured]
) -> ArmSummary:
    return ArmSummary(
        arm=arm,
        assigned=len(assigned),
        held_out=sum(session.is_held_out for session in assigned),
        counted=len(counted),
        without_calls=sum(session.first_calls == 0 for session in counted),
        bad_sessions=sum(session.is_bad for session in counted),
        first_calls=sum(session.first_calls for session in counted),
        bad_calls=sum(session.bad_calls for session in counted),
        given_tokens=fmean(s.given_tokens for s in assigned) if assigned else 0.0,
    )


def _compare(
    experiment: Experiment, counted: Sequence[Measured], arm: Arm, other: Arm
) -> Comparison:
    share = experiment.chance_between(arm, other)
    observed = [
        Observed(session.arm == arm, float(session.is_bad), session.stratum)
        for session in counted
        if session.arm in {arm, other}
    ]
    ours = [each.value for each in observed if each.is_first]
    theirs = [each.value for each in observed if not each.is_first]
    decided_at = first_decided(observed, share=share)
    is_planned = min(len(ours), len(theirs)) < LEAST_TO_ESTIMATE
    needed: int | None = 0
    if decided_at is None:
        of_both = experiment.chance_of(arm) + experiment.chance_of(other)
        found = (_planned if is_planned else _estimated)(ours, theirs, share)
        needed = None if found is None else math.ceil(found / of_both)
    return Comparison(
        arm=arm,
        other=other,
        difference=fmean(ours) - fmean(theirs) if ours and theirs else None,
        path=looks(observed, share=share, at=_look_at(len(observed))),
        decided_at=decided_at,
        needed=needed,
        is_planned=is_planned and decided_at is None,
    )


def _estimated(
    ours: Sequence[float], theirs: Sequence[float], share: float
) -> int | None:
    """Return how many more sessions of two arms, if they go on as they did."""
    first, second = ((sum(each) + 0.5) / (len(each) + 1) for each in (ours, theirs))
    return sessions_needed(Plan(first, second, share), done=len(ours) + len(theirs))


def _planned(
    ours: Sequence[float], theirs: Sequence[float], share: float
) -> int | None:
    """Return how many more sessions of two arms, if the planned difference is there."""
    known = sum(theirs) + _PLANNED_WEIGHT * _PLANNED_SHARE
    usual = known / (len(theirs) + _PLANNED_WEIGHT)
    plan = Plan(usual * (1 - PLANNED_DROP), usual, share)
    total = sessions_needed(plan)
    return None if total is None else max(1, total - len(ours) - len(theirs))


def _look_at(count: int) -> list[int]:
    """Return at most 48 numbers of sessions, evenly spaced, the last of them all."""
    step = max(1, math.ceil(count / MOST_LOOKS))
    return sorted({*range(step, count + 1, step), count} - {0})
