"""The log: what happened, whether it is as it was written, and a copy to take away."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import islice
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from oldhand.confirm.audit.checkpoint import checkpoints_in
from oldhand.confirm.audit.export import export_lines
from oldhand.confirm.audit.read import newest_seq, read_audit
from oldhand.confirm.audit.verify import ChainVerdict, verify_chain
from oldhand.confirm.principals import check_is_person
from oldhand.confirm.requests.states import STATES
from oldhand.errors import OldhandError
from oldhand.store import Store
from oldhand.web import fields
from oldhand.web.desk import Desk
from oldhand.web.pages.frame import Frame, framed
from oldhand.web.pages.look import page
from oldhand.web.routes import Page

_ON_A_PAGE = 50
_AT_ONCE = 1_000
_MOST_CHARS = 2_000
KINDS = (
    "asked", *(state for state in STATES if state != "pending"),
    "policy_put", "standing_grant_added", "standing_grant_revoked", "principal_added",
    "principal_disabled", "token_issued", "credential_revoked", "link_made",
    "password_set", "signed_in", "signed_out", "stopped", "resumed", "solo_on", "solo_off",
    "refused", "policy_refused",
)  # fmt: skip


async def show(desk: Desk, request: Request) -> Response:
    """List rows, the newest first."""
    return await _shown(desk, request, verdict=None, fault="")


async def verify(desk: Desk, request: Request) -> Response:
    """Follow the whole log, and say what was found."""
    check_is_person(await desk.caller(request))

    def part(store: Store) -> ChainVerdict:
        signed = {*checkpoints_in(store), *desk.outside_checkpoints()}
        return verify_chain(store, checkpoints=signed, verify=desk.key.verify)

    verdict, fault = None, ""
    try:
        async with desk.verifying:
            verdict = await desk.read(part)
    except OldhandError as found:
        fault = str(found)
    return await _shown(desk, request, verdict=verdict, fault=fault)


async def export(desk: Desk, request: Request) -> Response:
    """Send the whole log as a file, one JSON list a line."""
    check_is_person(await desk.caller(request))
    name = f"oldhand-audit-{await desk.glance(newest_seq)}.jsonl"
    return StreamingResponse(
        _lines(desk),
        media_type="application/jsonl",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


async def _shown(
    desk: Desk, request: Request, *, verdict: ChainVerdict | None, fault: str
) -> Response:
    before = fields.asked_whole(
        request, "before", least=1, most=fields.GREATEST, default=fields.GREATEST
    )
    wanted = {
        name: fields.asked_text(request, name)
        for name in ("kind", "principal", "request")
    }

    asked = {name: value for name, value in wanted.items() if value}

    def part(store: Store, frame: Frame) -> Response:
        rows = read_audit(
            store, limit=_ON_A_PAGE + 1, before_seq=before, kind=wanted["kind"] or None,
            principal=wanted["principal"] or None,
            request_id=wanted["request"] or None,
        )  # fmt: skip
        older = ""
        if len(rows) > _ON_A_PAGE:
            rows = rows[:_ON_A_PAGE]
            older = urlencode(asked | {"before": str(rows[-1].seq)})
        return page(
            "audit.html", frame=frame, rows=rows, wanted=wanted, older=older,
            newest="?" + urlencode(asked) if before != fields.GREATEST else "",
            verdict=verdict, fault=fault, kinds=KINDS, most_chars=_MOST_CHARS,
        )  # fmt: skip

    return await framed(desk, request, part)


async def _lines(desk: Desk) -> AsyncIterator[str]:
    after = 0

    def part(store: Store) -> list[str]:
        return list(islice(export_lines(store, after_seq=after), _AT_ONCE))

    while lines := await desk.read(part):
        yield "".join(lines)
        after += len(lines)  # numbered 1, 2, 3 … without a gap


PAGES = (
    Page("GET", "/audit", show),
    Page("GET", "/audit/verify", verify),
    Page("GET", "/audit/export", export),
)
