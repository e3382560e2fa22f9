"""What was approved runs, once: the agent says again what it will do, and gets a grant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from oldhand.canonical_json import canonical_json
from oldhand.clock import Clock
from oldhand.confirm.audit.chain import Chain
from oldhand.confirm.grants import Sign, write_grant
from oldhand.confirm.model import Draft, Principal, Request
from oldhand.confirm.policies import policy_digest_of
from oldhand.confirm.requests.facts import check_details, digest_of, text_field
from oldhand.confirm.requests.read import find_request
from oldhand.confirm.requests.refusal import why_not_consumed
from oldhand.confirm.switches import is_stopped
from oldhand.errors import Conflict, NotFound, RequestConflict
from oldhand.ids import random_id
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.confirm")
REPORT_SECONDS = 3600
"""So long a result is waited for; then the request ends as `unknown`."""


class Consumed(NamedTuple):
    """What an agent gets for an approval.

    Attributes:
        grant: Signed; `grants.read_grant` verifies it.
    """

    request: Request
    grant: str


def consume(  # noqa: PLR0913 - what is presented, and who presents it
    store: Store,
    request_id: str,
    *,
    by: Principal,
    action: str,
    details: Mapping[str, Any],
    target: str = "",
    clock: Clock,
    sign: Sign,
) -> Consumed:
    """Use an approval, once and for ever.

    Args:
        store: Where the requests are.
        request_id: Which one.
        by: Who does it.
        action: What will run, said again; with `details` and `target` it must be to the
            letter what was approved.
        details: The facts, a JSON object.
        target: To what it is done.
        clock: Tells the time.
        sign: Signs with the daemon's key.

    Raises:
        NotFound: There is no such request of the caller's.
        RequestConflict: It is not approved, was used already, is too old, or what was
            presented is something else.
        BadField: The details are none.
    """
    checked = check_details(details)
    with store.transaction():
        chain = Chain(store, clock)
        request = _own(store, request_id, by)
        presented = digest_of(
            Draft(
                action=action, details=checked, target=target,
                session_key=request.session_key,
            ),
            requester=request.requester,
            policy_digest=policy_digest_of(store, request.policy_version),
        )  # fmt: skip
        values = {
            "id": request_id,
            "by_id": by.id,
            "digest": presented,
            "grant_id": random_id(),
            "now_us": chain.now_us,
            "report_until_us": chain.now_us + REPORT_SECONDS * 1_000_000,
        }
        if not store.execute(_SQL["consume"], values):
            raise why_not_consumed(
                request, digest=presented, now_us=chain.now_us,
                is_stopped=is_stopped(store),
            )  # fmt: skip
        chain.append(
            "consumed", principal=by.name, request_id=request_id, digest=presented,
            grant=values["grant_id"],
        )  # fmt: skip
        used = request._replace(
            state="consumed",
            rev=request.rev + 1,
            consumed_at_us=chain.now_us,
            grant_id=values["grant_id"],
            expires_at_us=values["report_until_us"],
        )
        grant = write_grant(
            used,
            approved_by=used.decided_by or "policy",
            now_us=chain.now_us,
            sign=sign,
        )
        return Consumed(used, grant)


def report_result(
    store: Store,
    request_id: str,
    *,
    by: Principal,
    is_success: bool,
    summary: str = "",
    clock: Clock,
) -> Request:
    """Write down how it went; return the request as `succeeded` or `failed`.

    Raises:
        NotFound: There is no such request of the caller's.
        RequestConflict: Its grant was not used, or its result is known already.
        BadField: The summary is too long.
    """
    told = text_field({"summary": summary}, "summary")
    state = "succeeded" if is_success else "failed"
    with store.transaction():
        chain = Chain(store, clock)
        request = _own(store, request_id, by)
        values = {
            "id": request_id,
            "by_id": by.id,
            "state": state,
            "now_us": chain.now_us,
            "result": canonical_json({"success": is_success, "summary": told}),
        }
        if not store.execute(_SQL["finish"], values):
            raise _why_no_result(request)
        chain.append(
            state, principal=by.name, request_id=request_id, digest=request.digest
        )
        return find_request(store, request_id, by=by)


def _why_no_result(request: Request) -> Conflict:
    if request.finished_at_us is not None and request.consumed_at_us is not None:
        return RequestConflict(
            f"its result is known already: {request.state}", "already_consumed"
        )
    return RequestConflict(
        "its grant was not used, so that there is no result", "not_consumed"
    )


def _own(store: Store, request_id: str, by: Principal) -> Request:
    """Return a request of the caller's own, also where the caller may see others."""
    request = find_request(store, request_id, by=by)
    if request.requester_id != by.id:
        raise NotFound(f"{by.name} has no request of that id")
    return request
