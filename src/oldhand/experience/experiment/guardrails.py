"""What else may have changed: means by arm, and an approximate interval for each difference.

These measures have no bound, so that no interval holds for them from the first session on.
This one is a normal mixture with the variance that was seen: it may be looked at as often as
one likes, and is right for many sessions and nearly so for some dozens.

Source: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024), Time-uniform central limit
theory and asymptotic confidence sequences, Annals of Statistics 52(6), theorem 2.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import fmean, variance
from typing import NamedTuple

from oldhand.experience.experiment.measure import Measured
from oldhand.experience.experiment.model import Arm
from oldhand.experience.experiment.sequence import ALPHA

LEAST_SESSIONS = 30
"""In each arm; with fewer there is no interval."""

_SHARPEST_AT = 500  # sessions of both arms


class Guardrail(NamedTuple):
    """A measure beside the primary one, in one arm and in cold.

    Attributes:
        measure: Its name, as in `MEASURES`.
        arm: The arm.
        mean: Its mean there; None where nothing is known.
        cold_mean: Its mean in cold.
        unknown: How many sessions of the two arms say nothing about it.
        low: Of the difference, arm less cold; None where there are too few sessions.
        high: The same.
    """

    measure: str
    arm: Arm
    mean: float | None
    cold_mean: float | None
    unknown: int
    low: float | None = None
    high: float | None = None


_Value = Callable[[Measured], float | None]
MEASURES: dict[str, _Value] = {
    "bad-call rate": lambda session: session.bad_call_rate,
    "calls": lambda session: session.calls,
    "refused calls": lambda session: session.refused_calls,
    "tokens": lambda session: session.tokens,
    "cost, USD": lambda session: session.cost_usd,
    "without a call": lambda session: float(session.first_calls == 0),
}
"""By name; the first over a session's first calls, the others over the whole of it."""


def guardrail(
    measure: str, arm: Arm, sessions: Sequence[Measured], cold: Sequence[Measured]
) -> Guardrail:
    """Compare one measure of an arm's sessions with that of the cold ones."""
    value = MEASURES[measure]
    ours = _known(value, sessions)
    theirs = _known(value, cold)
    found = Guardrail(
        measure,
        arm,
        fmean(ours) if ours else None,
        fmean(theirs) if theirs else None,
        len(sessions) + len(cold) - len(ours) - len(theirs),
    )
    if min(len(ours), len(theirs)) < LEAST_SESSIONS:
        return found
    low, high = difference(ours, theirs)
    return found._replace(low=low, high=high)


def difference(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, float]:
    """Return an approximate interval for the difference of two means.

    Args:
        ours: Values of one arm, 2 or more.
        theirs: Values of the other, 2 or more.
    """
    count = len(ours) + len(theirs)
    squared_error = variance(ours) / len(ours) + variance(theirs) / len(theirs)
    log_alpha = -2 * math.log(ALPHA)
    spread = (log_alpha + math.log(log_alpha + 1)) / _SHARPEST_AT
    scale = count * spread + 1
    width = math.sqrt(
        squared_error
        * 2
        * scale
        / (count * spread)
        * math.log(math.sqrt(scale) / ALPHA)
    )
    middle = fmean(ours) - fmean(theirs)
    return middle - width, middle + width


def _known(value: _Value, sessions: Sequence[Measured]) -> list[float]:
    return [known for each in sessions if (known := value(each)) is not None]
