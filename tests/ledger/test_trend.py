"""The rate of success from day to day."""

from __future__ import annotations

import pytest

from oldhand.ledger.stats import daily_stats
from oldhand.ledger.trend import trends_of
from oldhand.store import Store
from oldhand.testing import FakeClock

from .told import tell


def test_a_day_fades_by_the_days_since(store: Store, clock: FakeClock) -> None:
    tell(store, clock, days_ago=2, success=False)
    tell(store, clock, days_ago=0, success=True)

    (trend,) = trends_of(daily_stats(store), half_life_days=2)
    rates = [point.rate.rate for point in trend.points]

    assert rates == pytest.approx([0.0, 1 / 1.5])


def test_each_model_has_a_trend_and_what_nobody_knows_has_none(
    store: Store, clock: FakeClock
) -> None:
    tell(store, clock, model="a", success=True)
    tell(store, clock, model="b", success=True)
    tell(store, clock, model="b", success=False)
    tell(store, clock, model="c")

    found = trends_of(daily_stats(store), half_life_days=7)

    assert [trend.model for trend in found] == ["b", "a"]
    assert found[0].points[0].rate.n_effective == pytest.approx(2)
    assert 0 < found[0].points[0].rate.low < 0.5 < found[0].points[0].rate.high < 1
