"""A person decides, on just what was on the screen.

`rev` and `digest` are of what was shown, so that nobody approves what has changed since.
What must hold is asked by the statement that writes the decision: two people, two daemons
and the clock race for one row.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oldhand.canonical_json import canonical_json
from oldhand.clock import Clock
from oldhand.confirm.audit.chain import Chain
from oldhand.confirm.model import Draft, Principal, Request
from oldhand.confirm.policies import active_policy, asked_of, policy_digest_of
from oldhand.confirm.policy import decide
from oldhand.confirm.requests.differences import differences
from oldhand.confirm.requests.facts import check_details, digest_of, text_field
from oldhand.confirm.requests.read import find_request
from oldhand.confirm.requests.refusal import why_not_decided
from oldhand.confirm.standing import Remember, add_standing_grant
from oldhand.confirm.switches import is_solo, is_stopped
from oldhand.errors import RequestConflict
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.confirm")


def approve(  # noqa: PLR0913 - what a decision is made of
    store: Store,
    request_id: str,
    *,
    by: Principal,
    rev: int,
    digest: str,
    reason: str = "",
    details: Mapping[str, Any] | None = None,
    remember: Remember | None = None,
    via: str,
    clock: Clock,
) -> Request:
    """Let an agent do what it asked, once; return the request as `approved`.

    Args:
        store: Where the requests are.
        request_id: Which one.
        by: Who does it.
        rev: Of the request as it was shown.
        digest: Likewise.
        reason: For the agent and the log.
        details: Instead of what was asked: then this is what may run, and the agent is
            told what was changed.
        remember: Leave for the like of it later on.
        via: How it was said, as `page`.
        clock: Tells the time.

    Raises:
        NotFound: There is no such request.
        Forbidden: It is not the caller's to decide; or what it is cannot be remembered.
        RequestConflict: It is decided, expired, or other than it was shown.
        BadField: The reason or the details are not as they must be.
    """
    text_field({"reason": reason}, "reason")
    with store.transaction():
        chain = Chain(store, clock)
        request = find_request(store, request_id, by=by)
        edited = None if details is None else _edited(request, details)
        may_run = request.details if edited is None else edited
        _refuse_denied(store, request, edited)
        new_digest = request.digest
        if edited is not None:
            new_digest = digest_of(
                _draft_of(request), details=edited, requester=request.requester,
                policy_digest=policy_digest_of(store, request.policy_version),
            )  # fmt: skip
        values = _values(request_id, by, rev, digest, reason, chain) | {
            "details": canonical_json(may_run),
            "original_details": None
            if edited is None
            else canonical_json(request.details),
            "new_digest": new_digest,
        }
        if not store.execute(_SQL["approve"], values):
            raise _why_not(store, request, by, rev, digest, chain)
        _keep(
            store, chain, "approve", by=by, request=request, digest=digest,
            details=None if edited is None else values["details"], reason=reason, via=via,
        )  # fmt: skip
        chain.append(
            "approved", principal=by.name, request_id=request_id, digest=digest,
            new_digest=new_digest if edited is not None else None,
            edits=None if edited is None else differences(request.details, edited),
            reason=reason or None, via=via, policy=request.policy_version,
        )  # fmt: skip
        if remember is not None:
            add_standing_grant(
                store, request.action, details=may_run, by=by, remember=remember,
                requester=request.requester, from_request=request_id, clock=clock,
                session_key=request.session_key if remember.scope == "session" else None,
                target=request.target,
            )  # fmt: skip
        return request._replace(
            state="approved",
            rev=rev + 1,
            details=may_run,
            original_details=None if edited is None else request.details,
            digest=new_digest,
            decided_at_us=chain.now_us,
            decided_by=by.name,
            reason=reason,
            expires_at_us=chain.now_us + request.grant_seconds * 1_000_000,
        )


def deny(  # noqa: PLR0913 - what a decision is made of
    store: Store,
    request_id: str,
    *,
    by: Principal,
    rev: int,
    digest: str,
    reason: str = "",
    via: str,
    clock: Clock,
) -> Request:
    """Say no; return the request as `denied`. The reason goes to the agent.

    Raises:
        As `approve`.
    """
    text_field({"reason": reason}, "reason")
    with store.transaction():
        chain = Chain(store, clock)
        request = find_request(store, request_id, by=by)
        values = _values(request_id, by, rev, digest, reason, chain)
        if not store.execute(_SQL["deny"], values):
            raise _why_not(store, request, by, rev, digest, chain)
        _keep(
            store, chain, "deny", by=by, request=request, digest=digest,
            details=None, reason=reason, via=via,
        )  # fmt: skip
        chain.append(
            "denied", principal=by.name, request_id=request_id, digest=digest,
            reason=reason or None, via=via,
        )  # fmt: skip
        return request._replace(
            state="denied",
            rev=rev + 1,
            decided_at_us=chain.now_us,
            decided_by=by.name,
            reason=reason,
            finished_at_us=chain.now_us,
        )


def _values(
    request_id: str,
    by: Principal,
    rev: int,
    digest: str,
    reason: str,
    chain: Chain,
) -> dict[str, Any]:
    return {
        "id": request_id,
        "rev": rev,
        "digest": digest,
        "by_id": by.id,
        "by_name": by.name,
        "reason": reason,
        "now_us": chain.now_us,
    }


def _keep(  # noqa: PLR0913 - a row's fields
    store: Store,
    chain: Chain,
    decision: str,
    *,
    by: Principal,
    request: Request,
    digest: str,
    details: str | None,
    reason: str,
    via: str,
) -> None:
    row = (request.id, by.id, decision, reason, digest, details, via, chain.now_us)
    store.execute(_SQL["add_decision"], row)


def _why_not(
    store: Store,
    request: Request,
    by: Principal,
    rev: int,
    digest: str,
    chain: Chain,
) -> Exception:
    return why_not_decided(
        request, by=by, rev=rev, digest=digest, now_us=chain.now_us,
        is_stopped=is_stopped(store),
        is_solo=is_solo(store),
    )  # fmt: skip


def _refuse_denied(
    store: Store, request: Request, edited: Mapping[str, Any] | None
) -> None:
    """Refuse what the policy denies, as it is now or as it was edited to be."""
    active = active_policy(store)
    if active is None or request.state != "pending":
        return
    if edited is None and active.version == request.policy_version:
        return  # it was weighed when it was asked
    asked = asked_of(request)
    if edited is not None:
        asked = asked._replace(details=edited)
    verdict = decide(active.policy, asked)
    if verdict.effect == "deny":
        raise RequestConflict(f"the policy denies this: {verdict.why}", "blocked")


def _edited(request: Request, details: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return edited details; None where they are as they were."""
    checked = check_details(details)
    is_same = canonical_json(checked) == canonical_json(request.details)
    return None if is_same else checked


def _draft_of(request: Request) -> Draft:
    return Draft(
        action=request.action,
        details=request.details,
        target=request.target,
        session_key=request.session_key,
    )
