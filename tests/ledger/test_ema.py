"""What a user is told of each skill lately."""

from __future__ import annotations

from typing import Any

import pytest

from oldhand.errors import InvalidInput
from oldhand.ledger.ema import half_life_of, query_skill_ema
from oldhand.ledger.stats import skill_stats
from oldhand.store import Store
from oldhand.testing import FakeClock

from .told import tell


def test_the_fields_are_those_that_were_promised(
    any_store: Store, clock: FakeClock
) -> None:
    tell(any_store, clock, days_ago=2, success=True, estimated_cost_usd=0.02)
    tell(any_store, clock, days_ago=1, success=False, estimated_cost_usd=0.01)
    tell(any_store, clock, days_ago=1, duration_seconds=30)

    (found,) = query_skill_ema(any_store, half_life_days=1, clock=clock)
    told = found.as_json()

    assert told | {"interval": None, "cost_per_success": None} == {
        "skill_name": "triage", "model": "qwen3", "provider": None, "sample_count": 3,
        "success_count": 1, "failure_count": 1, "unknown_count": 1,
        "cost_known_count": 2, "ema_success_rate": pytest.approx(1 / 3),
        "ema_duration_s": pytest.approx(30), "days_with_data": 2,
        "ema_cost_per_call": pytest.approx(0.04 / 3),
        "last_invoked_at": "2025-12-31T00:00:00.000Z",
        "n_effective": pytest.approx(0.75**2 / (1 / 16 + 1 / 4)), "interval": None,
        "cost_per_success": None, "half_life_days": 1.0,
    }  # fmt: skip
    assert told["cost_per_success"]["usd"] == pytest.approx(0.04)
    assert told["interval"][0] < 1 / 3 < told["interval"][1]


def test_providers_are_kept_apart_and_the_newest_comes_first(
    any_store: Store, clock: FakeClock
) -> None:
    for days_ago, provider in [(3, "a"), (1, "b"), (2, None)]:
        tell(any_store, clock, days_ago=days_ago, provider=provider, success=True)

    found = query_skill_ema(any_store, clock=clock)

    assert [each.provider for each in found] == ["b", None, "a"]


def test_versions_are_taken_together(any_store: Store, clock: FakeClock) -> None:
    for version in (None, "1", "2"):
        tell(any_store, clock, skill_version=version, success=True)

    assert [e.sample_count for e in query_skill_ema(any_store, clock=clock)] == [3]
    kept_apart = skill_stats(any_store, by_version=True, clock=clock)
    assert {s.version for s in kept_apart} == {None, "1", "2"}


def test_a_window_ends_in_the_middle_of_a_day(
    any_store: Store, clock: FakeClock
) -> None:
    tell(any_store, clock, days_ago=2.26, success=False)
    tell(any_store, clock, days_ago=2.24, success=True)

    (found,) = query_skill_ema(any_store, window_days=2.25, clock=clock)

    assert (found.sample_count, found.ema_success_rate) == (1, 1.0)


def test_a_gap_is_a_gap(any_store: Store, clock: FakeClock) -> None:
    for _ in range(40):
        tell(any_store, clock, days_ago=12.5, success=False)
    for _ in range(20):
        tell(any_store, clock, success=True)

    (found,) = query_skill_ema(any_store, half_life_days=5, clock=clock)

    assert found.ema_success_rate == pytest.approx(0.738, abs=0.005)


def test_unknown_outcomes_and_costs_are_in_no_mean(
    any_store: Store, clock: FakeClock
) -> None:
    tell(any_store, clock, success=True, estimated_cost_usd=0.5, duration_seconds=4)
    (before,) = query_skill_ema(any_store, clock=clock)
    for _ in range(5):
        tell(any_store, clock)

    (after,) = query_skill_ema(any_store, clock=clock)

    assert after == before._replace(sample_count=6, unknown_count=5)


def test_where_nothing_is_known_nothing_is_said(
    any_store: Store, clock: FakeClock
) -> None:
    tell(any_store, clock)

    (found,) = query_skill_ema(any_store, clock=clock)

    assert (found.ema_success_rate, found.interval, found.n_effective) == (
        None,
        None,
        0,
    )
    assert (found.ema_cost_per_call, found.ema_duration_s) == (None, None)
    assert query_skill_ema(any_store, skill="other", clock=clock) == []


def test_alpha_is_said_as_a_half_life(store: Store, clock: FakeClock) -> None:
    tell(store, clock, success=True)

    (found,) = query_skill_ema(store, alpha=0.3, clock=clock)

    assert found.half_life_days == half_life_of(0.3) == pytest.approx(1.943, abs=0.001)


def test_the_shortest_half_life_and_the_longest_window_raise_nothing(
    any_store: Store, clock: FakeClock
) -> None:
    for days_ago in (3_000, 400, 0.5, 0):
        tell(any_store, clock, days_ago=days_ago, success=True, estimated_cost_usd=1)

    (found,) = query_skill_ema(
        any_store, window_days=3_660, half_life_days=1 / 1440, clock=clock
    )

    assert (found.sample_count, found.n_effective) == (4, 1.0)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"window_days": 0}, "window_days: 0"),
        ({"window_days": -1}, "window_days: -1"),
        ({"window_days": float("nan")}, "window_days: nan"),
        ({"window_days": 4_000}, "window_days: 4000"),
        ({"window_days": True}, "window_days: True"),
        ({"window_days": None}, "window_days: None"),
        ({"half_life_days": 0}, "half_life_days: 0"),
        ({"half_life_days": float("inf")}, "half_life_days: inf"),
        ({"half_life_days": "7"}, "half_life_days: '7'"),
        ({"alpha": 0}, "alpha: 0"),
        ({"alpha": 1}, "alpha: 1"),
        ({"alpha": 1.5}, "alpha: 1.5"),
        ({"alpha": 1e-12}, "alpha: "),
        ({"alpha": 0.3, "half_life_days": 2}, "alpha: 0.3 beside half_life_days 2"),
    ],
)
def test_a_bad_value_raises(store: Store, asked: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        query_skill_ema(store, **asked)


def test_the_name_is_public() -> None:
    import oldhand  # noqa: PLC0415 - what is tested

    assert oldhand.query_skill_ema is query_skill_ema
