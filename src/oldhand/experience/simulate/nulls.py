"""Experiments without any difference, looked at after every session: who cries wolf?"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from oldhand.experience.experiment.centre import Observed
from oldhand.experience.experiment.sequence import first_decided

USUAL_SHARE = 0.27
"""The share of sessions with a bad call among their first twenty, in 271 real ones."""

_LEAST_TO_TEST = 10  # sessions in each arm before the ordinary test is looked at
_USUAL_BOUND = 1.96  # the ordinary test, for a look that is the only one


class FalseAlarms(NamedTuple):
    """In how many experiments without a difference one was found at some look.

    Attributes:
        experiments: How many there were.
        sessions: How many sessions each had.
        ours: By the interval that holds at every look.
        peeking: By the ordinary test of two shares.
    """

    experiments: int
    sessions: int
    ours: int
    peeking: int


def false_alarms(
    experiments: int, *, sessions: int, seed: int, share_bad: float = USUAL_SHARE
) -> FalseAlarms:
    """Run experiments whose two arms are the same, and count the alarms.

    Args:
        experiments: How many.
        sessions: How many sessions each has, one half expected in either arm.
        seed: The same seed gives the same counts.
        share_bad: The share of sessions with a bad call, in both arms.
    """
    rng = random.Random(seed)  # noqa: S311 - the same lots every time
    ours = peeking = 0
    for _ in range(experiments):
        drawn = draw_sessions(rng, sessions, first=share_bad, second=share_bad)
        ours += first_decided(drawn, share=0.5) is not None
        peeking += any(_is_significant(*counts) for counts in _counts(drawn))
    return FalseAlarms(experiments, sessions, ours, peeking)


def draw_sessions(
    rng: random.Random,
    count: int,
    *,
    first: float,
    second: float,
    share: float = 0.5,
) -> list[Observed]:
    """Draw sessions with a bad call or without.

    Args:
        rng: Draws them.
        count: How many.
        first: The share with a bad call in the first arm, 0 to 1.
        second: The same of the second.
        share: The chance to be in the first arm.
    """
    drawn = []
    for _ in range(count):
        is_first = rng.random() < share
        is_bad = rng.random() < (first if is_first else second)
        drawn.append(Observed(is_first, float(is_bad)))
    return drawn


def _counts(drawn: Sequence[Observed]) -> Iterator[tuple[int, int, int, int]]:
    """Return sessions and bad ones of both arms, after each session."""
    sizes, bad = [0, 0], [0, 0]
    for session in drawn:
        sizes[session.is_first] += 1
        bad[session.is_first] += int(session.value)
        yield sizes[0], sizes[1], bad[0], bad[1]


def _is_significant(size: int, other_size: int, bad: int, other_bad: int) -> bool:
    if min(size, other_size) < _LEAST_TO_TEST:
        return False
    pooled = (bad + other_bad) / (size + other_size)
    error = math.sqrt(pooled * (1 - pooled) * (1 / size + 1 / other_size))
    return abs(bad / size - other_bad / other_size) > _USUAL_BOUND * error > 0
