"""Requests, grants and the rest as JSON: the names and shapes that clients rely on."""

from __future__ import annotations

from typing import Any

from oldhand.clock import to_iso
from oldhand.confirm.model import (
    LEVELS,
    AuditRow,
    Principal,
    Request,
    StandingGrant,
)
from oldhand.confirm.requests.differences import differences
from oldhand.confirm.requests.said import message_for_model


def times_of(name: str, at_us: int | None) -> dict[str, Any]:
    """Write a time as ISO 8601 and as seconds since 1970.

    Example:
        >>> times_of("created", 1_767_225_600_250_000)
        {'created_at': '2026-01-01T00:00:00.250Z', 'created_epoch': 1767225600.25}
    """
    found: dict[str, Any] = {}
    _put_time(found, f"{name}_at", f"{name}_epoch", at_us)
    return found


def _put_time(found: dict[str, Any], iso: str, epoch: str, at_us: int | None) -> None:
    found[iso] = None if at_us is None else to_iso(at_us)
    found[epoch] = None if at_us is None else at_us / 1_000_000


def receipt_of(request: Request, *, url: str) -> dict[str, Any]:
    """Say what became of what was just asked."""
    return {
        "id": request.id,
        "action": request.action,
        "status": request.state,
        "rev": request.rev,
        "timeout_seconds": request.timeout_seconds,
        **times_of("expires", request.expires_at_us),
        "digest": request.digest,
        "risk": request.risk,
        "rule": request.rule,
        "why": request.why,
        "message": message_for_model(request),
        "url": url,
    }


def request_json(request: Request, *, url: str) -> dict[str, Any]:
    """Write all that is known of a request."""
    found: dict[str, Any] = {
        "id": request.id,
        "status": request.state,
        "rev": request.rev,
        "action": request.action,
        "details": request.details,
    }
    if request.original_details is not None:
        found["original_details"] = request.original_details
        found["edits"] = edits_of(request)
    found |= {
        "description": request.description,
        "target": request.target,
        "session_key": request.session_key,
        "risk": request.risk,
        "digest": request.digest,
        "requester": request.requester,
        "rule": request.rule,
        "why": request.why,
        "policy_version": request.policy_version,
        "standing_grant": request.standing_grant,
        "level": LEVELS[request.level],
        "timeout_seconds": request.timeout_seconds,
        "grant_seconds": request.grant_seconds,
        "reason": request.reason,
        "decided_by": request.decided_by,
        "result": request.result,
    }
    _put_time(found, "created_at", "created_epoch", request.created_at_us)
    _put_time(found, "expires_at", "expires_epoch", request.expires_at_us)
    _put_time(found, "decided_at", "decided_epoch", request.decided_at_us)
    _put_time(found, "consumed_at", "consumed_epoch", request.consumed_at_us)
    _put_time(found, "finished_at", "finished_epoch", request.finished_at_us)
    found["message_for_model"] = message_for_model(request)
    found["url"] = url
    return found


def edits_of(request: Request) -> list[dict[str, Any]]:
    """Return what a person changed in the details; nothing where nobody did."""
    if request.original_details is None:
        return []
    return differences(request.original_details, request.details)


def standing_grant_json(grant: StandingGrant) -> dict[str, Any]:
    """Write a standing grant."""
    return {
        "id": grant.id,
        "action": grant.action,
        "literal": grant.literal,
        "requester": grant.requester,
        "session_key": grant.session_key,
        "uses_left": grant.uses_left,
        "use_count": grant.use_count,
        **times_of("created", grant.created_at_us),
        **times_of("expires", grant.expires_at_us),
        **times_of("revoked", grant.revoked_at_us),
        "created_by": grant.created_by,
        "revoked_by": grant.revoked_by,
        "from_request": grant.from_request,
    }


def audit_row_json(row: AuditRow) -> dict[str, Any]:
    """Write a row of the log."""
    iso = to_iso(row.at_us)
    return row._asdict() | {"at": iso, "epoch": row.at_us / 1_000_000}


def principal_json(principal: Principal) -> dict[str, Any]:
    """Write who somebody is."""
    return {
        "name": principal.name,
        "kind": principal.kind,
        "owner": principal.owner,
        "is_disabled": principal.is_disabled,
    }
