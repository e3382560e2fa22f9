"""What runs used, as OpenTelemetry's metrics in JSON, for a team's own tool to read.

Names are those of the GenAI conventions, which are still in development. They have none for
a skill: `oldhand.skill.name` is ours. Nothing is sent from here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from oldhand.clock import Clock, from_iso, system_clock
from oldhand.ledger.stats import SkillDay

_DELTA = 1  # AGGREGATION_TEMPORALITY_DELTA
_DAY_NS = 86_400_000_000_000
_TOKENS = {
    "input_tokens": "gen_ai.usage.input_tokens",
    "output_tokens": "gen_ai.usage.output_tokens",
    "cache_read_tokens": "gen_ai.usage.cache_read.input_tokens",
    "cache_write_tokens": "gen_ai.usage.cache_creation.input_tokens",
}
_COUNTS = {
    "invocation_count": ("oldhand.skill.invocations", "{invocation}"),
    "success_count": ("oldhand.skill.successes", "{invocation}"),
    "failure_count": ("oldhand.skill.failures", "{invocation}"),
    "unknown_count": ("oldhand.skill.unknown_outcomes", "{invocation}"),
}


def otlp_metrics(
    days: Iterable[SkillDay], *, version: str, clock: Clock = system_clock
) -> dict[str, Any]:
    """Return daily sums as one request of OTLP/JSON, `ExportMetricsServiceRequest`.

    Args:
        days: As `stats.daily_stats` returns them.
        version: Of oldhand.
        clock: Says now: the current day ends there.
    """
    listed = list(days)
    now_ns = clock() * 1000
    metrics = [
        _sum(name, unit, [(day, getattr(day, field)) for day in listed], now_ns)
        for field, (name, unit) in _fields().items()
    ]
    scope = {"scope": {"name": "oldhand.ledger", "version": version}}
    resource = {"attributes": [_text("service.name", "oldhand")]}
    told = [metric for metric in metrics if metric["sum"]["dataPoints"]]
    return {
        "resourceMetrics": [
            {"resource": resource, "scopeMetrics": [scope | {"metrics": told}]}
        ]
    }


def _fields() -> dict[str, tuple[str, str]]:
    tokens = {field: (name, "{token}") for field, name in _TOKENS.items()}
    return _COUNTS | tokens | {"total_cost_usd": ("oldhand.skill.cost", "{USD}")}


def _sum(
    name: str, unit: str, values: list[tuple[SkillDay, float | None]], now_ns: int
) -> dict[str, Any]:
    """Return a metric; a day on which nothing is known has no point in it."""
    points = [_point(day, value, now_ns) for day, value in values if value is not None]
    return {
        "name": name,
        "unit": unit,
        "sum": {
            "aggregationTemporality": _DELTA,
            "isMonotonic": True,
            "dataPoints": points,
        },
    }


def _point(day: SkillDay, value: float, now_ns: int) -> dict[str, Any]:
    start_ns = (from_iso(day.day) or 0) * 1000
    attributes = [_text("oldhand.skill.name", day.skill)]
    if day.model is not None:
        attributes.append(_text("gen_ai.request.model", day.model))
    if day.provider is not None:
        attributes.append(_text("gen_ai.provider.name", day.provider))
    # 64-bit integers are texts in JSON that follows protobuf.
    number = {"asInt": str(value)} if isinstance(value, int) else {"asDouble": value}
    return {
        "attributes": attributes,
        "startTimeUnixNano": str(start_ns),
        "timeUnixNano": str(max(start_ns, min(start_ns + _DAY_NS, now_ns))),
        **number,
    }


def _text(key: str, value: str) -> dict[str, Any]:
    return {"key": key, "value": {"stringValue": value}}
