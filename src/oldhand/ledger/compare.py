"""Is B really better than A? Two models on one skill, or two versions, or two skills.

Runs are not an experiment unless the model was drawn at random for each: what is compared
then may differ by the tasks it was given, the time of day, the provider's bad hours. That
is said. So is it where there are too few runs to tell, and about how many more it takes. A
verdict is right in 95 of 100 looks at a pair between which there is no difference; who looks
again each day, and stops at the first verdict, is misled more often.
"""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

from oldhand.clock import Clock, system_clock
from oldhand.errors import NotFound
from oldhand.ledger import checks
from oldhand.ledger.decayed import HALF_LIVES_DAYS, DecayedSums
from oldhand.ledger.estimate import (
    MOST_RUNS,
    Rate,
    probability_better,
    probability_cheaper,
    runs_still_needed,
)
from oldhand.ledger.stats import Faded, SkillStats, faded, skill_stats
from oldhand.store import Store

SURE = 0.99
"""So likely one must be better. With 30 runs of each, 0.975 both ways gave 7 verdicts in 100
simulated pairs that were equal, as counts are whole; 0.99 gives fewer than 5."""
LEAST_RUNS = 5
"""Of each, effectively: below that nothing is said, whatever the numbers are."""

_NEARLY_SURE = 0.999

Verdict = Literal["A is better", "B is better", "not enough data"]


class Side(NamedTuple):
    """What is compared: runs of a skill; None takes all, added up."""

    skill: str
    model: str | None = None
    provider: str | None = None
    version: str | None = None


class Comparison(NamedTuple):
    """What the runs of two sides say.

    Attributes:
        a: The one.
        b: The other.
        half_life_days: After which a run counts half as much.
        of_a: What A's runs say.
        of_b: What B's runs say.
        probability_b_better: That B has the higher rate of success; None: nothing is known
            of one of them.
        probability_b_cheaper: That a success costs less with B, approximately; None:
            unknown.
        verdict: One of three.
        runs_needed: About how many more of each would tell; None where there is a verdict
            or nothing to go by.
        is_observational: The model was not drawn at random.
        said: All of it in a sentence or two.
    """

    a: Side
    b: Side
    half_life_days: int
    of_a: Faded
    of_b: Faded
    probability_b_better: float | None
    probability_b_cheaper: float | None
    verdict: Verdict
    runs_needed: int | None
    is_observational: bool
    said: str

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it; unknown is null."""
        fields = self._asdict()
        for name in ("a", "b"):
            estimate: Faded = fields.pop(f"of_{name}")
            fields[name] = fields[name]._asdict() | estimate.as_json()
        return fields


def compare(
    store: Store,
    a: Side,
    b: Side,
    *,
    half_life_days: int = 30,
    clock: Clock = system_clock,
) -> Comparison:
    """Compare the runs of two sides.

    Raises:
        InvalidInput: The sides are the same, or sums of that half-life are not kept.
        NotFound: A side has no run.
    """
    if a == b:
        raise checks.wrong("b", tuple(b), "another side than a")
    if half_life_days not in HALF_LIVES_DAYS:
        kept = ", ".join(map(str, HALF_LIVES_DAYS))
        raise checks.wrong("half_life_days", half_life_days, f"one of {kept}")
    sides = [_stats_of(store, side, clock=clock) for side in (a, b)]
    of_a, of_b = (_faded(side, half_life_days) for side in sides)
    is_observational = any(not each.is_drawn for side in sides for each in side)
    better, verdict, needed = judge(of_a.rate, of_b.rate)
    return Comparison(
        a, b, half_life_days, of_a, of_b,
        probability_b_better=better,
        probability_b_cheaper=_cheaper(of_a, of_b),
        verdict=verdict,
        runs_needed=needed,
        is_observational=is_observational,
        said=_said(verdict, better, needed, is_observational=is_observational),
    )  # fmt: skip


def judge(a: Rate | None, b: Rate | None) -> tuple[float | None, Verdict, int | None]:
    """Return how likely B is better, the verdict, and how many more runs it takes.

    Args:
        a: A's rate; None where no outcome is known.
        b: B's rate; the same.
    """
    if a is None or b is None:
        return None, "not enough data", None
    better = probability_better(a, b)
    few = LEAST_RUNS - min(a.n_effective, b.n_effective)
    if few <= 0 and better > SURE:
        return better, "B is better", None
    if few <= 0 and better < 1 - SURE:
        return better, "A is better", None
    return better, "not enough data", max(runs_still_needed(a, b), math.ceil(few))


def percent(chance: float) -> str:
    """Write a chance, and none as certain.

    Example:
        >>> percent(0.5), percent(1.0)
        ('50.0%', 'more than 99.9%')
    """
    if chance > _NEARLY_SURE:
        return f"more than {_NEARLY_SURE:.1%}"
    if chance < 1 - _NEARLY_SURE:
        return f"less than {1 - _NEARLY_SURE:.1%}"
    return f"{chance:.1%}"


def _said(
    verdict: Verdict,
    better: float | None,
    needed: int | None,
    *,
    is_observational: bool,
) -> str:
    if verdict != "not enough data":
        text = f"{verdict}: {percent(max(better or 0, 1 - (better or 0)))} likely"
    elif needed is None:
        text = "not enough data: of one of them no outcome is known"
    elif needed >= MOST_RUNS:
        text = (
            f"not enough data: they are close; more than {MOST_RUNS} more runs of each"
        )
    else:
        text = f"not enough data: about {needed} more runs of each"
    if is_observational:
        text += "; observational: the model was not drawn at random"
    return text


def _cheaper(a: Faded, b: Faded) -> float | None:
    if a.cost_per_success is None or b.cost_per_success is None:
        return None
    return probability_cheaper(a.cost_per_success, b.cost_per_success)


def _stats_of(store: Store, side: Side, *, clock: Clock) -> list[SkillStats]:
    found = [
        each
        for each in skill_stats(store, skill=side.skill, by_version=True, clock=clock)
        if _is_of(each, side)
    ]
    if not found:
        raise NotFound(f"{_named(side)}: no run of it has ended")
    return found


def _faded(side: list[SkillStats], half_life_days: int) -> Faded:
    total = DecayedSums()
    for each in side:
        total = total.plus(each.faded.get(half_life_days, DecayedSums()))
    return faded(half_life_days, total)


def _is_of(stats: SkillStats, side: Side) -> bool:
    return (
        side.model in (None, stats.model)
        and side.provider in (None, stats.provider)
        and side.version in (None, stats.version)
    )


def _named(side: Side) -> str:
    return " ".join(part for part in side if part)
