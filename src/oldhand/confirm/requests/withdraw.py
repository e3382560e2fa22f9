"""Take a request back before it is decided, or an approval before it is used."""

from __future__ import annotations

from oldhand.clock import Clock
from oldhand.confirm.audit.chain import Chain
from oldhand.confirm.model import Principal, Request
from oldhand.confirm.principals import check_is_person
from oldhand.confirm.requests.facts import text_field
from oldhand.confirm.requests.read import find_request
from oldhand.confirm.requests.refusal import why_not_ended
from oldhand.errors import NotFound
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.confirm")


def cancel(store: Store, request_id: str, *, by: Principal, clock: Clock) -> Request:
    """Take back what one asked oneself; return the request as `cancelled`.

    Raises:
        NotFound: There is no such request of the caller's.
        RequestConflict: It is decided or expired.
    """
    with store.transaction():
        chain = Chain(store, clock)
        request = find_request(store, request_id, by=by)
        if request.requester_id != by.id:
            raise NotFound(f"{by.name} has no request of that id")
        values = {"id": request_id, "by_id": by.id, "now_us": chain.now_us}
        if not store.execute(_SQL["cancel"], values):
            raise why_not_ended(request, now_us=chain.now_us)
        chain.append(
            "cancelled", principal=by.name, request_id=request_id, digest=request.digest
        )
        return find_request(store, request_id, by=by)


def revoke(
    store: Store, request_id: str, *, by: Principal, reason: str = "", clock: Clock
) -> Request:
    """Take an approval back that was not used yet; return the request as `revoked`.

    Raises:
        NotFound: There is no such request.
        Forbidden: `by` is no person.
        RequestConflict: It is not approved, or was used.
    """
    check_is_person(by)
    text_field({"reason": reason}, "reason")
    with store.transaction():
        chain = Chain(store, clock)
        request = find_request(store, request_id, by=by)
        values = {"id": request_id, "reason": reason, "now_us": chain.now_us}
        if not store.execute(_SQL["revoke"], values):
            raise why_not_ended(request, now_us=chain.now_us)
        chain.append(
            "revoked", principal=by.name, request_id=request_id, digest=request.digest,
            reason=reason or None,
        )  # fmt: skip
        return find_request(store, request_id, by=by)
