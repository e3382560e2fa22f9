"""Decisions sent by forms: on one request, or on several that ask for the same.

Each form says what was on the screen, as revision and digest. Several are decided in one
transaction, all of them or none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from oldhand.confirm.principals import check_is_person
from oldhand.confirm.requests.decide import approve, deny
from oldhand.confirm.requests.facts import BadField, check_details, read_json
from oldhand.confirm.requests.read import find_request
from oldhand.confirm.requests.withdraw import revoke
from oldhand.confirm.standing import Remember
from oldhand.store import Store
from oldhand.web import fields
from oldhand.web.desk import Desk
from oldhand.web.forms import read_form
from oldhand.web.pages.frame import back_to
from oldhand.web.pages.inbox import MOST_WAITING, same_as
from oldhand.web.routes import Page

_VIA = "page"
_UNITS = {"min": 60, "h": 3_600, "days": 86_400}


async def say_yes(desk: Desk, request: Request) -> Response:
    """Approve one, as asked or as edited."""
    request_id = fields.request_id(request)
    form = await read_form(desk, request)
    rev, digest = _shown(form.fields)
    edited = form.fields.get("details")
    details = None if edited is None else check_details(read_json(edited.encode()))

    def part(store: Store) -> None:
        by = form.caller(store)
        held = find_request(store, request_id, by=by)
        approve(
            store, request_id, by=by, rev=rev, digest=digest, via=_VIA,
            reason=form.fields.get("reason", ""), details=details, clock=desk.clock,
            remember=_remember(form.fields, held.details if details is None else details),
        )  # fmt: skip
        desk.settle(store, request_id)

    await desk.write(part)
    return back_to("/inbox", said="approved")


async def say_no(desk: Desk, request: Request) -> Response:
    """Deny one."""
    request_id = fields.request_id(request)
    form = await read_form(desk, request)
    rev, digest = _shown(form.fields)

    def part(store: Store) -> None:
        deny(
            store, request_id, by=form.caller(store), rev=rev, digest=digest, via=_VIA,
            reason=form.fields.get("reason", ""), clock=desk.clock,
        )  # fmt: skip
        desk.settle(store, request_id)

    await desk.write(part)
    return back_to("/inbox", said="denied")


async def decide_several(desk: Desk, request: Request) -> Response:
    """Decide requests that ask for the same, all of them or none."""
    form = await read_form(desk, request)
    shown = _several(form.fields)
    decision = form.fields.get("decision")
    if decision not in {"approve", "deny"}:
        raise BadField("decision is neither approve nor deny", "decision")
    decide = approve if decision == "approve" else deny

    def part(store: Store) -> None:
        by = form.caller(store)
        held = [find_request(store, name, by=by) for name, _, _ in shown]
        if len({same_as(each) for each in held}) > 1:
            raise BadField("these do not ask for the same", "one.0")
        for name, rev, digest in shown:
            decide(
                store, name, by=by, rev=rev, digest=digest, via=_VIA,
                reason=form.fields.get("reason", ""), clock=desk.clock,
            )  # fmt: skip
            desk.settle(store, name)

    await desk.write(part)
    return back_to("/inbox", said="approved" if decision == "approve" else "denied")


async def take_back(desk: Desk, request: Request) -> Response:
    """Take an approval back."""
    request_id = fields.request_id(request)
    form = await read_form(desk, request)

    def part(store: Store) -> None:
        by = form.caller(store)
        check_is_person(by)
        reason = form.fields.get("reason", "")
        revoke(store, request_id, by=by, reason=reason, clock=desk.clock)

    await desk.write(part)
    return back_to(f"/inbox/{request_id}", said="revoked")


def whole_number(form: Mapping[str, str], name: str, *, most: int) -> int | None:
    """Return a field of a form that is a whole number; None where it is empty.

    Raises:
        BadField: It is something else.
    """
    text = form.get(name, "").strip()
    if not text:
        return None
    is_whole = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    if not is_whole or not 1 <= int(text) <= most:
        raise BadField(f"{name} is {text[:50]!r}; expected 1 to {most}", name)
    return int(text)


def seconds_of(form: Mapping[str, str]) -> int:
    """Return how long a standing grant is to hold, from the fields `for` and `unit`.

    Raises:
        BadField: It is no time.
    """
    unit = form.get("unit", "h")
    if unit not in _UNITS:
        raise BadField(f"unit is {unit[:20]!r}; expected min, h or days", "unit")
    return (whole_number(form, "for", most=100_000) or 1) * _UNITS[unit]


def _remember(form: Mapping[str, str], details: Mapping[str, Any]) -> Remember | None:
    scope = form.get("remember", "never")
    if scope == "never":
        return None
    if scope not in {"session", "requester"}:
        raise BadField(f"remember is {scope[:20]!r}", "remember")
    widened = {
        form.get(f"key.{at}") for at in range(len(details)) if f"widen.{at}" in form
    }
    if widened - details.keys():
        raise BadField("a field that is widened is none of the details", "remember")
    kept = tuple(key for key in details if key not in widened)
    return Remember(
        scope=scope,
        seconds=seconds_of(form),
        uses=whole_number(form, "uses", most=1_000_000),
        keys=kept if widened else None,
    )


def _shown(form: Mapping[str, str]) -> tuple[int, str]:
    """Return the revision and the digest of what was on the screen."""
    rev = whole_number(form, "rev", most=1_000_000)
    if rev is None:
        raise BadField("rev is missing", "rev")
    return rev, form.get("digest", "")


def _several(form: Mapping[str, str]) -> list[tuple[str, int, str]]:
    found = []
    for at in range(MOST_WAITING):
        if f"one.{at}" not in form:
            break
        name, _, shown = form[f"one.{at}"].partition(" ")
        rev, _, digest = shown.partition(" ")
        found.append((name, _shown({"rev": rev})[0], digest))
    if not found or len({name for name, _, _ in found}) < len(found):
        raise BadField("nothing to decide, or something twice", "one.0")
    return found


PAGES = (
    Page("POST", "/inbox/decide", decide_several),
    Page("POST", "/inbox/{id}/approve", say_yes),
    Page("POST", "/inbox/{id}/deny", say_no),
    Page("POST", "/inbox/{id}/revoke", take_back),
)
