"""Jobs and their runs, as JSON Schema."""

from __future__ import annotations

from typing import get_args

from oldhand.cron.model import Cause, OnMisfire, OnOverlap
from oldhand.ledger.model import RunState
from oldhand.web.fields import GREATEST
from oldhand.web.schemas.forms import (
    FREE,
    TEXT,
    TRUTH,
    WHOLE,
    Schema,
    list_of,
    object_of,
    or_null,
    sent_object,
    text_of,
)

_AT: Schema = {"type": "string", "format": "date-time"}
_NUMBER: Schema = {"type": "number"}
_TEXTS: Schema = {"type": "array", "items": TEXT}
_STATES: Schema = {"type": "string", "enum": ["scheduled", "paused", "completed"]}
_COUNT: Schema = {"type": "integer", "minimum": 1, "maximum": GREATEST}
_LIST: Schema = {"type": "array", "items": text_of(2_000), "maxItems": 64}
_AMOUNT: Schema = {"type": "number", "minimum": 0, "maximum": 10**12}
_FIELDS: Schema = {
    "prompt": text_of(100_000),
    "schedule": text_of(2_000),
    "name": text_of(100),
    "zone": text_of(100),
    "repeat": _COUNT,
    "deliver": _LIST,
    "origin": {"type": "object", "additionalProperties": text_of(2_000)},
    "skills": _LIST,
    "model": text_of(200),
    "provider": text_of(200),
    "base_url": text_of(2_000),
    "script": text_of(200),
    "requires_local_infra": TRUTH,
    "min_context": _COUNT,
    "workdir": text_of(2_000),
    "on_misfire": {"type": "string", "enum": list(get_args(OnMisfire))},
    "grace_seconds": _AMOUNT,
    "on_overlap": {"type": "string", "enum": list(get_args(OnOverlap))},
    "limits": sent_object(
        {}, wall_seconds=_AMOUNT, turns=_COUNT, tokens=_COUNT, cost_usd=_AMOUNT
    ),
    "retries": {"type": "integer", "minimum": 0, "maximum": 10},
    "side_effects": TRUTH,
    "ab": _LIST,
}
JOB_FIELDS = tuple(_FIELDS)
"""What may be said of a job from afar: all but the command, which only this machine says."""

JOBS_SENT: dict[str, Schema] = {
    "JobDraft": sent_object(
        {"schedule": _FIELDS["schedule"]},
        **{name: schema for name, schema in _FIELDS.items() if name != "schedule"},
    ),
    "JobChanges": sent_object({}, rev=_COUNT, **_FIELDS),
}

JOBS_ANSWERED: dict[str, Schema] = {
    "Job": object_of(
        {
            "id": TEXT,
            **{name: {} for name in _FIELDS},
            "runner": _TEXTS,
            "rev": WHOLE,
            "state": _STATES,
            "reason": TEXT,
            "next_due_at": or_null(_AT),
            "next": {"type": "array", "items": _AT},
            "fired_count": WHOLE,
            "flags": _TEXTS,
            "created_by": TEXT,
            "created_at": _AT,
            "updated_at": _AT,
        }
    ),
    "Jobs": object_of(
        {
            "count": WHOLE,
            "jobs": {"type": "array", "items": {"$ref": "#/components/schemas/Job"}},
            "scheduler": {"$ref": "#/components/schemas/Scheduler"},
        }
    ),
    "Scheduler": object_of(
        {"is_running": TRUTH, "place": TEXT, "last_pass_at": or_null(_AT)}
    ),
    "JobRun": object_of(
        {
            "id": WHOLE,
            "source": TEXT,
            "job": TEXT,
            "job_name": TEXT,
            "due_at": _AT,
            "cause": {"type": "string", "enum": list(get_args(Cause))},
            "attempt": WHOLE,
            "state": {"type": "string", "enum": list(get_args(RunState))},
            "cancel_reason": TEXT,
            "notes": _TEXTS,
            "delivery": FREE,
            "started_at": _AT,
            "ended_at": or_null(_AT),
            "duration_seconds": or_null(_NUMBER),
            "cost_usd": or_null(_NUMBER),
            "success": or_null(TRUTH),
            **dict.fromkeys(
                ("session_uid", "end_reason", "model", "provider"), or_null(TEXT)
            ),
            **dict.fromkeys(("draw_probability", "quality"), or_null(_NUMBER)),
            **dict.fromkeys(
                (
                    "input_tokens",
                    "output_tokens",
                    "cache_read_tokens",
                    "cache_write_tokens",
                ),
                or_null(WHOLE),
            ),
        },
        output=or_null(TEXT),
    ),
    "JobRuns": list_of("runs", "JobRun"),
    "Triggered": object_of({"run_id": WHOLE}),
    "JobRemoved": object_of({"id": TEXT, "status": TEXT}),
}
