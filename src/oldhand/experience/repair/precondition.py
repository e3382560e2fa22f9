"""What came before calls of a shape that worked, and was missing before those that failed.

Compared are sessions, not calls: calls of one session resemble each other, and twenty of
them would count as twenty proofs of one habit. A session counts among those in which the
shape worked, among those in which it failed, or both; in each by whether the step came
before most of these calls. The one-sided exact test of Fisher says how likely a difference
like that is where there is none; as all steps are tried, the limit is shared among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import comb

from oldhand.experience.repair.before import Times
from oldhand.named_tuple import NamedTuple

LIMIT = 0.05
"""How likely a precondition is named that is none, at most; shared by the steps tried."""

MIN_SUPPORT = 5
"""In so many sessions the step came before calls of the shape that worked."""

MIN_SHARE = 0.5
"""In so great a share of the sessions in which the shape worked."""


class InSession(NamedTuple):
    """How the calls of a shape went in one session, and what came before them."""

    worked: int
    failed: int
    before: Mapping[int, Times]


class Precondition(NamedTuple):
    """A step that came before calls that worked, and seldom before those that failed.

    Attributes:
        step: What came before, by `Names.step`.
        worked_with: In how many sessions it came before calls that worked.
        worked: In how many the shape worked.
        failed_with: In how many it came before calls that failed.
        failed: In how many the shape failed.
        chance: Of such a difference where there is none, for this step alone.
    """

    step: int
    worked_with: int
    worked: int
    failed_with: int
    failed: int
    chance: float


def preconditions(sessions: Sequence[InSession]) -> list[Precondition]:
    """Return what calls of a shape seem to need, the surest first.

    Args:
        sessions: Each in which a call of the shape worked or failed.
    """
    steps = {step for session in sessions for step in session.before}
    tried = [_of_step(step, sessions) for step in steps]
    sure = [
        found
        for found in tried
        if found.worked_with >= MIN_SUPPORT
        and found.worked_with >= MIN_SHARE * found.worked
        and found.chance <= LIMIT / len(steps)
    ]
    return sorted(sure, key=lambda found: (found.chance, found.step))


def _of_step(step: int, sessions: Iterable[InSession]) -> Precondition:
    worked_with = worked = failed_with = failed = 0
    for session in sessions:
        times = session.before.get(step, Times(0, 0))
        worked += session.worked > 0
        worked_with += session.worked > 0 and 2 * times.worked > session.worked
        failed += session.failed > 0
        failed_with += session.failed > 0 and 2 * times.failed > session.failed
    chance = _chance(worked_with, worked, failed_with, failed)
    return Precondition(step, worked_with, worked, failed_with, failed, chance)


def _chance(worked_with: int, worked: int, failed_with: int, failed: int) -> float:
    """Return how likely so few of those that failed have the step, by chance alone.

    Example:
        >>> round(_chance(9, 10, 0, 3), 3)
        0.014
    """
    with_step = worked_with + failed_with
    ways = (
        comb(failed, few) * comb(worked, with_step - few)
        for few in range(max(0, with_step - worked), failed_with + 1)
    )
    return sum(ways) / comb(worked + failed, with_step)
