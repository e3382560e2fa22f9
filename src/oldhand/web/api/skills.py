"""How skills do, per model and provider; for people, as the log is."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from oldhand.confirm.model import Principal
from oldhand.confirm.principals import check_is_person
from oldhand.confirm.requests.facts import BadField
from oldhand.ledger.ema import MAX_DAYS, MIN_HALF_LIFE_DAYS, query_skill_ema
from oldhand.ledger.stats import skill_stats
from oldhand.store import Store
from oldhand.web import fields
from oldhand.web.answers import answer
from oldhand.web.desk import Desk
from oldhand.web.operation import Operation

_DEFAULT_WINDOW_DAYS = 14.0
_LEAST_ALPHA = 0.0002  # a half-life of 3,465 days
_SKILL = {"type": "string", "maxLength": 200}
_DAYS = {"type": "number", "exclusiveMinimum": 0, "maximum": MAX_DAYS}


async def ema(desk: Desk, request: Request) -> Response:
    """Say how each skill did in a window, by means in which older runs fade."""
    window_days = fields.asked_number(request, "window_days", most=MAX_DAYS)
    half_life_days = fields.asked_number(request, "half_life_days", most=MAX_DAYS)
    alpha = fields.asked_number(request, "alpha", most=1)
    skill = fields.asked_text(request, "skill") or None

    def part(store: Store, by: Principal) -> list[dict[str, Any]]:
        check_is_person(by)
        found = query_skill_ema(
            store,
            _DEFAULT_WINDOW_DAYS if window_days is None else window_days,
            half_life_days=half_life_days,
            alpha=alpha,
            skill=skill,
            clock=desk.clock,
        )
        return [each.as_json() for each in found]

    return _listed(await desk.look(request, part))


async def stats(desk: Desk, request: Request) -> Response:
    """Say how each skill did, by half-lives of 1, 7 and 30 days."""
    skill = fields.asked_text(request, "skill") or None
    by_version = fields.asked_text(request, "by_version", most=5)
    if by_version not in {"", "true", "false"}:
        raise BadField("by_version is neither true nor false", "by_version")

    def part(store: Store, by: Principal) -> list[dict[str, Any]]:
        check_is_person(by)
        found = skill_stats(
            store, skill=skill, by_version=by_version == "true", clock=desk.clock
        )
        return [each.as_json() for each in found]

    return _listed(await desk.look(request, part))


def _listed(skills: list[dict[str, Any]]) -> Response:
    return answer({"count": len(skills), "skills": skills})


OPERATIONS = (
    Operation(
        "GET", "/skills/ema", ema, "Say how each skill did in a window.", "person",
        {200: "SkillEmas"},
        query={
            "window_days": _DAYS | {"default": _DEFAULT_WINDOW_DAYS},
            "half_life_days": {
                "type": "number", "minimum": MIN_HALF_LIFE_DAYS, "maximum": MAX_DAYS,
            },
            "alpha": {"type": "number", "minimum": _LEAST_ALPHA, "exclusiveMaximum": 1},
            "skill": _SKILL,
        },
    ),
    Operation(
        "GET", "/skills/stats", stats, "Say how each skill did since its first run.",
        "person", {200: "SkillsStats"},
        query={"skill": _SKILL, "by_version": {"type": "boolean"}},
    ),
)  # fmt: skip
