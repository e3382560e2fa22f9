"""The shapes in which skills are told, as JSON Schema; unknown is null, and never 0."""

from __future__ import annotations

from oldhand.web.schemas.forms import TEXT, Schema, list_of, object_of

_COUNT: Schema = {"type": "integer", "minimum": 0}
_TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
_NUMBER_OR_NULL: Schema = {"type": ["number", "null"]}
_RATE: Schema = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
_AT: Schema = {"type": "string", "format": "date-time"}
_INTERVAL: Schema = {
    "type": ["array", "null"],
    "items": {"type": "number"},
    "minItems": 2,
    "maxItems": 2,
}
_COST: Schema = {
    "anyOf": [
        object_of(
            {
                "usd": {"type": "number"},
                "interval": _INTERVAL,
                "interval_is_approximate": {"type": "boolean"},
            }
        ),
        {"type": "null"},
    ]
}

SKILL_SCHEMAS: dict[str, Schema] = {
    "SkillEma": object_of(
        {
            "skill_name": TEXT,
            "model": _TEXT_OR_NULL,
            "provider": _TEXT_OR_NULL,
            "sample_count": _COUNT,
            "success_count": _COUNT,
            "failure_count": _COUNT,
            "unknown_count": _COUNT,
            "cost_known_count": _COUNT,
            "ema_success_rate": _RATE,
            "ema_duration_s": _NUMBER_OR_NULL,
            "ema_cost_per_call": _NUMBER_OR_NULL,
            "days_with_data": _COUNT,
            "last_invoked_at": _AT,
            "n_effective": {"type": "number"},
            "interval": _INTERVAL,
            "cost_per_success": _COST,
            "half_life_days": {"type": "number"},
        }
    ),
    "SkillEmas": list_of("skills", "SkillEma"),
    "SkillHalfLife": object_of(
        {
            "half_life_days": _COUNT,
            "success_rate": _RATE,
            "n_effective": {"type": "number"},
            "interval": _INTERVAL,
            "duration_seconds": _NUMBER_OR_NULL,
            "cost_per_call_usd": _NUMBER_OR_NULL,
            "cost_per_success": _COST,
            "quality": _RATE,
        }
    ),
    "SkillStats": object_of(
        {
            "skill": TEXT,
            "version": _TEXT_OR_NULL,
            "model": _TEXT_OR_NULL,
            "provider": _TEXT_OR_NULL,
            "invocation_count": _COUNT,
            "success_count": _COUNT,
            "failure_count": _COUNT,
            "drawn_count": _COUNT,
            "cost_known_count": _COUNT,
            "unknown_count": _COUNT,
            "total_cost_usd": _NUMBER_OR_NULL,
            "last_invoked_at": _AT,
            "half_lives": {
                "type": "array",
                "items": {"$ref": "#/components/schemas/SkillHalfLife"},
            },
        }
    ),
    "SkillsStats": list_of("skills", "SkillStats"),
}
