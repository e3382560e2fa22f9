"""Which policy holds, and which held when: versions are added and never changed."""

from __future__ import annotations

from typing import NamedTuple

from oldhand.clock import Clock
from oldhand.confirm.audit.chain import Chain
from oldhand.confirm.model import Request
from oldhand.confirm.policy import (
    DEFAULT_POLICY_TEXT,
    Asked,
    Policy,
    Verdict,
    decide,
    read_policy,
)
from oldhand.confirm.rows import request_of
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.confirm")
_OPEN = ",pending,approved,auto_approved,"
_MOST_COMPILED = 8
_COMPILED: dict[str, Policy] = {}  # by digest: to read one takes milliseconds


class ActivePolicy(NamedTuple):
    """The policy that holds now."""

    version: int
    policy: Policy


def active_policy(store: Store) -> ActivePolicy | None:
    """Return the policy that holds now; None before the first was put."""
    row = store.query_one(_SQL["active_policy"])
    if row is None:
        return None
    version, digest = row
    return ActivePolicy(version, _compiled(store, version, digest))


def policy_in_force(store: Store, *, clock: Clock) -> ActivePolicy:
    """Return the policy that holds now; where none was put yet, the default is."""
    return active_policy(store) or put_policy(store, by=None, clock=clock)


def put_policy(
    store: Store, text: str = DEFAULT_POLICY_TEXT, *, by: str | None, clock: Clock
) -> ActivePolicy:
    """Let a policy hold from now on; the one that holds already stays as it is.

    What waits or was approved is weighed again: what the new one denies is denied or taken
    back, and so is what an old rule let pass and no rule does now.

    Args:
        store: Where the requests are.
        text: TOML.
        by: The name of the person; None: the daemon, as it read the file.
        clock: Tells the time.

    Raises:
        InvalidInput: The text is no policy; what holds goes on to hold.
    """
    policy = read_policy(text)
    with store.transaction():
        chain = Chain(store, clock)
        row = store.query_one(_SQL["active_policy"])
        if row is not None and row[1] == policy.digest:
            return ActivePolicy(row[0], policy)
        version = 1 if row is None else row[0] + 1
        values = (version, policy.digest, policy.text, chain.now_us)
        store.execute(_SQL["add_policy"], values)
        chain.append("policy_put", principal=by, version=version, digest=policy.digest)
        _weigh_again(store, policy, chain)
        return ActivePolicy(version, policy)


def policy_digest_of(store: Store, version: int) -> str:
    """Return the digest of a version."""
    row = store.query_one(_SQL["policy_version"], (version,))
    if row is None:
        raise LookupError(f"no policy {version}")
    return str(row[0])


def asked_of(request: Request) -> Asked:
    """Return what a policy is to look at in a request."""
    return Asked(
        action=request.action,
        details=request.details,
        target=request.target,
        requester=request.requester,
        session_key=request.session_key,
        risk=request.risk,
    )


def _weigh_again(store: Store, policy: Policy, chain: Chain) -> None:
    values = {"requester_id": None, "states": _OPEN, "limit": 1_000_000}
    for row in store.query_all(_SQL["open_requests"], values):
        request = request_of(row)
        verdict = decide(policy, asked_of(request))
        if request.state == "pending" and verdict.effect == "deny":
            _end(store, chain, request, "deny_by_policy", "denied", verdict)
        elif request.state != "pending" and _holds_no_more(request, verdict):
            _end(store, chain, request, "revoke", "revoked", verdict)


def _holds_no_more(request: Request, verdict: Verdict) -> bool:
    if verdict.effect == "deny":
        return True
    was_let_pass = request.state == "auto_approved" and not request.standing_grant
    return was_let_pass and verdict.effect != "allow"


def _end(
    store: Store,
    chain: Chain,
    request: Request,
    query: str,
    state: str,
    verdict: Verdict,
) -> None:
    reason = f"the policy has changed: {verdict.why}"
    values = {"id": request.id, "now_us": chain.now_us, "reason": reason}
    if store.execute(_SQL[query], values):
        chain.append(
            state, principal=None, request_id=request.id, rule=verdict.rule,
            reason=reason, digest=request.digest,
        )  # fmt: skip


def _compiled(store: Store, version: int, digest: str) -> Policy:
    if digest not in _COMPILED:
        row = store.query_one(_SQL["policy_version"], (version,))
        if row is None:
            raise LookupError(f"no policy {version}")
        if len(_COMPILED) >= _MOST_COMPILED:
            _COMPILED.clear()
        _COMPILED[digest] = read_policy(row[1])
    return _COMPILED[digest]
