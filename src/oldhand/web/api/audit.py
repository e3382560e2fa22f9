"""The log, and whether it is whole."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from oldhand.confirm.audit.checkpoint import checkpoints_in
from oldhand.confirm.audit.kinds import KINDS
from oldhand.confirm.audit.read import read_audit
from oldhand.confirm.audit.verify import ChainVerdict, verify_chain
from oldhand.confirm.model import AuditRow, Principal
from oldhand.confirm.principals import check_is_person
from oldhand.confirm.requests.facts import BadField
from oldhand.store import Store
from oldhand.web import fields, wire
from oldhand.web.answers import answer
from oldhand.web.desk import Desk
from oldhand.web.operation import Operation

_MOST_LISTED = 500


async def list_(desk: Desk, request: Request) -> Response:
    """List rows of the log, the newest first."""
    limit = fields.asked_whole(
        request, "limit", least=1, most=_MOST_LISTED, default=100
    )
    before = fields.asked_whole(
        request, "before", least=1, most=fields.GREATEST, default=fields.GREATEST
    )
    kind = fields.asked_text(request, "kind") or None
    if kind is not None and kind not in KINDS:
        raise BadField(f"kind is none of {', '.join(KINDS)}", "kind")
    principal = fields.asked_text(request, "principal") or None
    request_id = fields.asked_text(request, "request") or None

    def part(store: Store, by: Principal) -> list[AuditRow]:
        check_is_person(by)
        return read_audit(
            store, limit=limit, before_seq=before, kind=kind, principal=principal,
            request_id=request_id,
        )  # fmt: skip

    entries = [wire.audit_row_json(row) for row in await desk.look(request, part)]
    return answer({"count": len(entries), "entries": entries})


async def verify(desk: Desk, request: Request) -> Response:
    """Follow the whole log; one at a time, since it takes a processor meanwhile."""
    check_is_person(await desk.caller(request))

    def part(store: Store) -> ChainVerdict:
        signed = {*checkpoints_in(store), *desk.outside_checkpoints()}
        return verify_chain(store, checkpoints=signed, verify=desk.key.verify)

    async with desk.verifying:
        verdict = await desk.read(part)
    return answer({"intact": verdict.is_intact, **verdict._asdict()})


OPERATIONS = (
    Operation(
        "GET", "/audit", list_, "List rows of the log, the newest first.", "person",
        {200: "Audit"},
        query={
            "limit": {"type": "integer", "minimum": 1, "maximum": _MOST_LISTED},
            "before": {"type": "integer", "minimum": 1, "maximum": fields.GREATEST},
            "kind": {"type": "string", "enum": list(KINDS)},
            "principal": {"type": "string", "maxLength": 200},
            "request": {"type": "string", "maxLength": 200},
        },
    ),
    Operation(
        "GET", "/audit/verify", verify, "Say whether the log is as it was written.",
        "person", {200: "ChainVerdict"}, problems=(422,),
    ),
)  # fmt: skip
