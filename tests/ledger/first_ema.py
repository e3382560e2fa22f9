"""The first way in which success was smoothed, in few lines, to be measured against.

A row a day, all days alike whatever their runs; outcomes that are unknown count as failures;
each row weighs `alpha` against all before it, and weights are then made to sum to 1.
"""

from __future__ import annotations

from collections.abc import Iterable

ALPHA = 0.3


def first_ema(
    runs: Iterable[tuple[float, bool | None]], *, now: float, window_days: int = 14
) -> float:
    """Return the smoothed rate of success.

    Args:
        runs: Time in days and outcome.
        now: In days.
        window_days: Days whose newest run is older are left out.
    """
    days: dict[int, list[float]] = {}
    newest: dict[int, float] = {}
    for at, success in runs:
        days.setdefault(int(at), []).append(float(success is True))
        newest[int(at)] = max(newest.get(int(at), at), at)
    kept = sorted((d for d in days if newest[d] >= now - window_days), reverse=True)
    weights = [ALPHA * (1 - ALPHA) ** place for place in range(len(kept))]
    rates = [sum(days[day]) / len(days[day]) for day in kept]
    total = sum(weights)
    return sum(w * rate for w, rate in zip(weights, rates, strict=True)) / total
