"""How skills do: a table that is read from the sums, and the trends as a picture."""

from __future__ import annotations

import datetime

from starlette.requests import Request
from starlette.responses import Response

from oldhand.app.trend_picture import picture
from oldhand.confirm.model import Principal
from oldhand.confirm.principals import check_is_person
from oldhand.confirm.requests.facts import BadField
from oldhand.ledger.decayed import HALF_LIVES_DAYS
from oldhand.ledger.stats import daily_stats, faded, skill_stats
from oldhand.ledger.sums import are_stale
from oldhand.ledger.trend import trends_of
from oldhand.store import Store
from oldhand.web import fields
from oldhand.web.desk import Desk
from oldhand.web.pages.frame import Frame, framed
from oldhand.web.pages.look import page
from oldhand.web.routes import Page

_DEFAULT_DAYS = 7
_PICTURED_DAYS = 90


async def show(desk: Desk, request: Request) -> Response:
    """Show how each skill does with each model."""
    days = _half_life(request)

    def part(store: Store, frame: Frame) -> Response:
        rows = [
            (each, faded(days, each.faded[days]))
            for each in skill_stats(store, clock=desk.clock)
        ]
        return page(
            "skills.html", frame=frame, rows=rows, half_life_days=days,
            half_lives=HALF_LIVES_DAYS, is_stale=are_stale(store),
            pictured_days=_PICTURED_DAYS,
        )  # fmt: skip

    return await framed(desk, request, part)


async def trend(desk: Desk, request: Request) -> Response:
    """Send the picture, apart from the page: it reads every run, and may take a while."""
    days = _half_life(request)
    today = datetime.datetime.fromtimestamp(desk.clock() / 1e6, tz=datetime.UTC).date()
    since = today - datetime.timedelta(days=_PICTURED_DAYS)

    def part(store: Store, by: Principal) -> str:
        check_is_person(by)
        found = trends_of(
            daily_stats(store, since=since.isoformat()), half_life_days=days
        )
        return picture(found, half_life_days=days)

    return Response(await desk.look(request, part), media_type="image/svg+xml")


def _half_life(request: Request) -> int:
    said = fields.asked_text(request, "half_life_days", most=10) or str(_DEFAULT_DAYS)
    if said not in map(str, HALF_LIVES_DAYS):
        kept = ", ".join(map(str, HALF_LIVES_DAYS))
        raise BadField(f"half_life_days is not one of {kept}", "half_life_days")
    return int(said)


PAGES = (Page("GET", "/skills", show), Page("GET", "/skills/trend.svg", trend))
