"""An agent asks: by the policy it is let pass, held for a person, or blocked."""

from __future__ import annotations

from typing import NamedTuple

from oldhand.canonical_json import canonical_json
from oldhand.clock import Clock
from oldhand.confirm.audit.chain import Chain
from oldhand.confirm.model import PERSON, Draft, Principal, Request, Risk, Rules
from oldhand.confirm.policies import ActivePolicy, policy_in_force
from oldhand.confirm.policy import Asked, Verdict, decide
from oldhand.confirm.requests.facts import BadField, digest_of
from oldhand.confirm.requests.limits import check_limits, check_rule_limit
from oldhand.confirm.requests.states import FINAL
from oldhand.confirm.rows import request_of
from oldhand.confirm.standing import matching_grant, use_grant
from oldhand.confirm.switches import is_stopped
from oldhand.errors import Forbidden, RequestConflict
from oldhand.ids import random_id
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.confirm")
DEFAULT_TIMEOUT_SECONDS = 300
_RISKS: tuple[Risk, ...] = ("low", "medium", "high")
_STATE_OF = {
    "ask": "pending",
    "allow": "auto_approved",
    "granted": "auto_approved",
    "deny": "blocked",
}


class _Judged(NamedTuple):
    """What the policy says, and the standing grant that it used."""

    verdict: Verdict
    standing_grant: str | None


def submit(
    store: Store, draft: Draft, *, requester: Principal, rules: Rules, clock: Clock
) -> Request:
    """Take a request; return it as `pending`, `auto_approved` or `blocked`.

    What is let pass or blocked is written into the log as what is held is. The same
    idempotency key again returns the same request.

    Raises:
        Forbidden: A person asks, or the requester is disabled.
        BadField: It would wait longer than it may.
        TooMany: The requester asks too often, or has too much waiting.
        RequestConflict: The idempotency key was used for something else.
    """
    if requester.kind == PERSON or requester.is_disabled:
        raise Forbidden(f"{requester.name} cannot ask: agents ask, people decide")
    with store.transaction():
        active = policy_in_force(store, clock=clock)
        chain = Chain(store, clock)
        earlier = _earlier(store, draft, requester)
        if earlier is not None:
            return earlier
        judged = _judge(store, draft, active, requester=requester, now_us=chain.now_us)
        verdict = judged.verdict
        if verdict.effect == "ask":
            check_limits(
                store, draft, requester=requester, rules=rules,
                limit=active.policy.limit, now_us=chain.now_us,
            )  # fmt: skip
        if verdict.limit is not None and verdict.effect != "deny":
            check_rule_limit(
                store, draft, rule=verdict.rule, limit=verdict.limit,
                requester=requester, now_us=chain.now_us,
            )  # fmt: skip
        return _write(store, chain, draft, active, judged, requester, rules)


def _earlier(store: Store, draft: Draft, requester: Principal) -> Request | None:
    """Return what was asked with this key before."""
    if draft.idempotency_key is None:
        return None
    row = store.query_one(_SQL["request_of_key"], (requester.id, draft.idempotency_key))
    if row is None:
        return None
    found = store.query_one(_SQL["find_request"], row)
    if found is None:
        raise LookupError(row[0])
    request = request_of(found)
    asked = request.original_details or request.details
    is_same = (request.action, request.target, request.session_key) == (
        draft.action, draft.target, draft.session_key,
    )  # fmt: skip
    if not is_same or canonical_json(asked) != canonical_json(draft.details):
        raise RequestConflict(
            f"the idempotency key {draft.idempotency_key!r} was used for something else",
            "key_reused",
        )
    return request


def _judge(
    store: Store,
    draft: Draft,
    active: ActivePolicy,
    *,
    requester: Principal,
    now_us: int,
) -> _Judged:
    asked = Asked(
        action=draft.action,
        details=draft.details,
        target=draft.target,
        requester=requester.name,
        session_key=draft.session_key,
        risk=draft.risk,
    )
    used: list[str] = []

    def has_standing_grant() -> bool:
        found = matching_grant(store, asked, requester=requester, now_us=now_us)
        if found is not None:
            used.append(found)
        return found is not None

    verdict = decide(active.policy, asked, has_standing_grant=has_standing_grant)
    if verdict.effect in {"allow", "granted"} and is_stopped(store):
        why = "The stop switch is on: a person is asked for everything."
        return _Judged(verdict._replace(effect="ask", why=why), None)
    if verdict.effect != "granted":
        return _Judged(verdict, None)
    if not use_grant(store, used[0], now_us=now_us):
        raise LookupError(f"the standing grant {used[0]} is gone")
    return _Judged(verdict, used[0])


def _write(  # noqa: PLR0913, PLR0917 - a request is made of all of them
    store: Store,
    chain: Chain,
    draft: Draft,
    active: ActivePolicy,
    judged: _Judged,
    requester: Principal,
    rules: Rules,
) -> Request:
    verdict, now_us = judged.verdict, chain.now_us
    state = _STATE_OF[verdict.effect]
    is_held = state == "pending"
    timeout = _timeout(draft, verdict, rules)
    grant_seconds = verdict.grant_ttl_seconds or rules.grant_seconds
    waits = timeout if is_held else grant_seconds
    request = Request(
        id=random_id(),
        rev=1,
        state=state,
        requester=requester.name,
        requester_id=requester.id,
        owner_id=requester.owner_id,
        action=draft.action,
        details=draft.details,
        original_details=None,
        description=draft.description,
        target=draft.target,
        session_key=draft.session_key,
        risk=max(draft.risk, verdict.risk, key=_RISKS.index),
        digest=digest_of(
            draft, requester=requester.name, policy_digest=active.policy.digest
        ),
        policy_version=active.version,
        rule=verdict.rule,
        why=verdict.why,
        standing_grant=judged.standing_grant,
        level=rules.level,
        timeout_seconds=timeout,
        grant_seconds=grant_seconds,
        created_at_us=now_us,
        expires_at_us=now_us + waits * 1_000_000,
        decided_at_us=None if is_held else now_us,
        decided_by=None if is_held else "policy",
        reason="",
        consumed_at_us=None,
        grant_id=None,
        finished_at_us=now_us if state in FINAL else None,
        result=None,
    )
    # In the order of the statement: to look 25 up by name took SQLite a fifth of it.
    row = (
        request.id, state, request.requester_id, request.owner_id, request.action,
        canonical_json(draft.details), request.description, request.target,
        request.session_key, request.risk, request.digest, request.policy_version,
        request.rule, request.why, request.standing_grant, request.level, int(is_held),
        draft.idempotency_key, timeout, grant_seconds, now_us, request.expires_at_us,
        request.decided_at_us, request.decided_by, request.finished_at_us,
    )  # fmt: skip
    store.execute(_SQL["add_request"], row)
    chain.append(
        "asked" if is_held else state, principal=requester.name, request_id=request.id,
        action=draft.action, digest=request.digest, rule=verdict.rule,
        policy=active.version, level=rules.level, standing_grant=judged.standing_grant,
    )  # fmt: skip
    return request


def _timeout(draft: Draft, verdict: Verdict, rules: Rules) -> int:
    longest = max(rules.longest_seconds, verdict.ttl_seconds or 0)
    if draft.timeout_seconds is None:
        return verdict.ttl_seconds or DEFAULT_TIMEOUT_SECONDS
    if draft.timeout_seconds > longest:
        raise BadField(
            f"timeout_seconds is {draft.timeout_seconds}; at most {longest} here",
            "timeout_seconds",
        )
    return draft.timeout_seconds
