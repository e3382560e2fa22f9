"""All skills at a glance, day by day, and for other people's tools."""

from __future__ import annotations

import json

import pytest

from oldhand.ledger.ema import query_skill_ema
from oldhand.ledger.otlp import otlp_metrics
from oldhand.ledger.stats import daily_stats, skill_stats
from oldhand.store import Store
from oldhand.testing import FakeClock

from .told import tell


def test_three_half_lives_stand_side_by_side(
    any_store: Store, clock: FakeClock
) -> None:
    tell(any_store, clock, days_ago=7, success=False, estimated_cost_usd=0.01)
    tell(any_store, clock, success=True, estimated_cost_usd=0.03)

    (stats,) = skill_stats(any_store, clock=clock)
    told = stats.as_json()

    assert [each["half_life_days"] for each in told["half_lives"]] == [1, 7, 30]
    rates = [each["success_rate"] for each in told["half_lives"]]
    assert rates == pytest.approx([1 / (1 + 2**-7), 1 / 1.5, 1 / (1 + 2 ** (-7 / 30))])
    assert told["total_cost_usd"] == pytest.approx(0.04)
    json.dumps(told, allow_nan=False)


def test_sums_say_what_a_scan_says(any_store: Store, clock: FakeClock) -> None:
    for days_ago in (0.1, 3, 5, 9):
        tell(any_store, clock, days_ago=days_ago, success=days_ago != 5,
             duration_seconds=days_ago, estimated_cost_usd=days_ago)  # fmt: skip
    clock.advance(3_600_000_000)

    (scan,) = query_skill_ema(any_store, 3_000, half_life_days=7, clock=clock)
    kept = skill_stats(any_store, clock=clock)[0].estimates()[1]

    assert kept.rate is not None
    assert kept.rate.rate == pytest.approx(scan.ema_success_rate, rel=1e-9)
    assert kept.rate.n_effective == pytest.approx(scan.n_effective, rel=1e-9)
    assert kept.duration_seconds == pytest.approx(scan.ema_duration_s, rel=1e-9)
    assert kept.cost_per_success == pytest.approx(scan.cost_per_success, rel=1e-9)


def test_a_skill_that_nobody_used_for_years_has_no_rate(
    any_store: Store, clock: FakeClock
) -> None:
    tell(any_store, clock, success=True)
    clock.advance(86_400_000_000 * 365 * 4)

    day, week, _month = skill_stats(any_store, clock=clock)[0].estimates()

    assert day.rate is None
    assert week.rate is not None


def test_a_day_says_what_is_known_and_counts_what_is_not(
    any_store: Store, clock: FakeClock
) -> None:
    tell(any_store, clock, success=True, estimated_cost_usd=0.5, duration_seconds=3,
         input_tokens=100, quality_score=1)  # fmt: skip
    tell(any_store, clock, success=False, duration_seconds=1, quality_score=0)
    tell(any_store, clock)
    tell(any_store, clock, days_ago=1e-6)  # before midnight UTC

    today, yesterday = daily_stats(any_store)

    assert (today.day, yesterday.day) == ("2026-01-01", "2025-12-31")
    assert list(today[4:]) == [
        3, 1, 1, 1, pytest.approx(2.0), pytest.approx(0.5), pytest.approx(0.5), 1,
        pytest.approx(100), None, None, None, pytest.approx(0.5), clock(),
    ]  # fmt: skip
    assert yesterday.total_cost_usd is None
    assert daily_stats(any_store, since="2026-01-01") == [today]
    assert daily_stats(any_store, skill="other") == []


def test_metrics_have_the_names_of_opentelemetry(
    any_store: Store, clock: FakeClock
) -> None:
    tell(any_store, clock, success=True, input_tokens=100, cache_read_tokens=7,
         provider="ollama")  # fmt: skip

    told = otlp_metrics(daily_stats(any_store), version="1", clock=clock)
    ((scope,),) = [each["scopeMetrics"] for each in told["resourceMetrics"]]
    metrics = {metric["name"]: metric["sum"] for metric in scope["metrics"]}
    (point,) = metrics["gen_ai.usage.input_tokens"]["dataPoints"]

    assert {"gen_ai.usage.cache_read.input_tokens", "oldhand.skill.invocations"} <= set(
        metrics
    )
    assert "oldhand.skill.cost" not in metrics  # unknown is not 0
    assert float(point["asDouble"]) == 100
    assert {a["key"]: a["value"]["stringValue"] for a in point["attributes"]} == {
        "oldhand.skill.name": "triage",
        "gen_ai.request.model": "qwen3",
        "gen_ai.provider.name": "ollama",
    }
    assert point["startTimeUnixNano"] == "1767225600000000000"
    assert metrics["oldhand.skill.successes"]["dataPoints"][0]["asInt"] == "1"
    json.dumps(told, allow_nan=False)
