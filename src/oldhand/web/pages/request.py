"""One request: what would be done, why a person is asked, and what to say to it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from oldhand.canonical_json import canonical_json
from oldhand.confirm.audit.read import read_audit
from oldhand.confirm.lists import like_requests
from oldhand.confirm.model import AuditRow, Principal
from oldhand.confirm.model import Request as HeldRequest
from oldhand.confirm.policies import active_policy, asked_of
from oldhand.confirm.policy import RememberLimits, Verdict, decide
from oldhand.confirm.principals import list_principals
from oldhand.confirm.requests.differences import differences
from oldhand.confirm.requests.facts import BadField, check_details, read_json
from oldhand.confirm.requests.read import find_request, list_requests
from oldhand.confirm.requests.states import WHYS
from oldhand.errors import RequestConflict
from oldhand.notices.visible import visible
from oldhand.store import Store
from oldhand.web import fields
from oldhand.web.desk import Desk
from oldhand.web.forms import read_form
from oldhand.web.pages.deciding import whole_number
from oldhand.web.pages.facts import MOST_CHARS, ascii_json, facts_of
from oldhand.web.pages.frame import Frame, framed
from oldhand.web.pages.inbox import MOST_WAITING, same_as
from oldhand.web.pages.look import page
from oldhand.web.pages.may_decide import may_revoke, state_now, why_not
from oldhand.web.routes import Page

_MOST_ALIKE = 5
_MOST_ROWS = 100


class About(NamedTuple):
    """What the database tells about a request.

    Attributes:
        rows: What the log says of it, the oldest first.
        alike: Earlier requests of the requester for the same action.
        same: Others that wait and ask for just the same.
        owner: Of the requester, by name, or "".
        verdict: What the policy says now; None without one.
    """

    request: HeldRequest
    rows: list[AuditRow]
    alike: list[HeldRequest]
    same: list[HeldRequest]
    owner: str
    verdict: Verdict | None


async def show(desk: Desk, request: Request) -> Response:
    """Show one request."""
    request_id = fields.request_id(request)
    return await framed(
        desk, request, lambda store, frame: _shown(desk, store, frame, request_id)
    )


async def edit(desk: Desk, request: Request) -> Response:
    """Show what edited details would change, before anything is decided.

    Raises:
        BadField: They are no details.
    """
    request_id = fields.request_id(request)
    form = await read_form(desk, request)
    details = check_details(read_json(form.fields.get("details", "").encode()))

    def part(store: Store, frame: Frame) -> Response:
        held = find_request(store, request_id, by=frame.me)
        return _previewed(desk, frame, held, details=details, form=form.fields)

    return await framed(desk, request, part)


def _shown(desk: Desk, store: Store, frame: Frame, request_id: str) -> Response:
    about = _about(store, request_id, frame.me)
    held = about.request
    return page(
        "request.html",
        frame=frame,
        about=about,
        held=held,
        state=state_now(held, frame),
        facts=facts_of(held.details),
        raw=_raw(held.details),
        edits=_edits(held.original_details, held.details),
        code=desk.check_code(held),
        why_not=why_not(held, frame.me, frame),
        may_revoke=may_revoke(held, frame),
        editable=_editable(held),
        **_remembering(about.verdict),
    )


def _previewed(
    desk: Desk,
    frame: Frame,
    held: HeldRequest,
    *,
    details: Mapping[str, Any],
    form: Mapping[str, str],
) -> Response:
    rev = whole_number(form, "rev", most=1_000_000)
    if (rev, form.get("digest")) != (held.rev, held.digest):
        raise RequestConflict(WHYS["stale"], "stale")
    edits = _edits(held.details, details)
    if not edits:
        raise BadField("nothing was changed in the details", "details")
    return page(
        "edit.html",
        frame=frame,
        held=held,
        edits=edits,
        details=canonical_json(details),
        facts=facts_of(details),
        reason=form.get("reason", ""),
        code=desk.check_code(held),
        why_not=why_not(held, frame.me, frame),
    )


def _about(store: Store, request_id: str, by: Principal) -> About:
    held = find_request(store, request_id, by=by)
    rows = read_audit(store, limit=_MOST_ROWS, request_id=request_id)
    names = {each.id: each.name for each in list_principals(store)}
    active = active_policy(store)
    same: list[HeldRequest] = []
    if held.state == "pending":
        waiting = list_requests(store, by=by, states=("pending",), limit=MOST_WAITING)
        meant = same_as(held)
        same = [
            each for each in waiting if each.id != held.id and same_as(each) == meant
        ]
    return About(
        request=held,
        rows=rows[::-1],
        alike=like_requests(store, held, limit=_MOST_ALIKE),
        same=same,
        owner=names.get(held.owner_id or 0, ""),
        verdict=decide(active.policy, asked_of(held)) if active else None,
    )


def _remembering(verdict: Verdict | None) -> dict[str, Any]:
    """Say what may be made of an approval, and its bounds."""
    most = "never" if verdict is None else verdict.remember
    bounds = most if isinstance(most, RememberLimits) else RememberLimits(None, None)
    return {
        "may_remember": most != "never",
        "most_seconds": bounds.seconds,
        "most_uses": bounds.uses,
    }


def _edits(before: object, after: object) -> list[dict[str, str]]:
    """List what differs, each value as JSON."""
    if before is None:
        return []
    return [
        {
            key: value if key == "path" else canonical_json(value)
            for key, value in each.items()
        }
        for each in differences(before, after)
    ]


def _raw(details: object) -> str:
    """Write the details as what is digested; in ASCII where that would be too much."""
    raw = canonical_json(details)
    return raw if len(raw) <= MOST_CHARS else ascii_json(details)


def _editable(held: HeldRequest) -> str:
    """Write details to be edited; "" where they are too long for it."""
    text = json.dumps(held.details, ensure_ascii=False, indent=2)
    if len(text) > MOST_CHARS:
        return ""
    # A field shows characters as they are, so that those which hide stand as escapes.
    return "".join(
        char if char.isascii() or visible(char) == char else json.dumps(char)[1:-1]
        for char in text
    )


PAGES = (Page("GET", "/inbox/{id}", show), Page("POST", "/inbox/{id}/edit", edit))
