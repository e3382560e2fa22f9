"""Standing grants: leave given beforehand, for just what a person saw.

What is remembered is literal: a `*` in a command stays a `*`. Each has an end, in time and
if wished in uses; each use is written into the log with the request that it let pass.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from oldhand.canonical_json import canonical_json
from oldhand.clock import Clock
from oldhand.confirm.audit.chain import Chain
from oldhand.confirm.model import Principal, StandingGrant
from oldhand.confirm.policies import policy_in_force
from oldhand.confirm.policy import (
    Asked,
    Policy,
    decide,
    literal_matcher,
    matches_literal,
)
from oldhand.confirm.principals import check_is_person, find_principal
from oldhand.confirm.rows import standing_grant_of
from oldhand.confirm.switches import is_solo
from oldhand.errors import Conflict, Forbidden, InvalidInput
from oldhand.ids import random_id
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.confirm")
MAX_SECONDS = 90 * 86_400
"""No leave lasts longer."""


class Remember(NamedTuple):
    """For what, and how long, a person gives leave beforehand.

    Attributes:
        scope: `session`: for the session of the request alone; `requester`: for all its
            sessions.
        seconds: Until it ends, at most `MAX_SECONDS`.
        uses: How often; None: no limit.
        keys: The details that must be as they are; None: all. Those left out may be
            anything: a person has to say so.
    """

    scope: str = "session"
    seconds: int = 3600
    uses: int | None = None
    keys: tuple[str, ...] | None = None


def add_standing_grant(  # noqa: PLR0913 - what a grant is made of
    store: Store,
    action: str,
    *,
    details: Mapping[str, Any],
    by: Principal,
    remember: Remember,
    requester: str | None = None,
    session_key: str | None = None,
    target: str = "",
    from_request: str | None = None,
    clock: Clock,
) -> StandingGrant:
    """Give leave for what an agent may ask for later.

    Args:
        store: Where the requests are.
        action: Literal.
        details: As an agent would send them; they are matched literally.
        by: Who does it.
        remember: How long, and for what.
        requester: Whose requests; None: anybody's.
        session_key: Of which session; None: of any.
        target: Literal, as the action is.
        from_request: Where it was said to remember it.
        clock: Tells the time.

    Raises:
        Forbidden: `by` is no person, or the requester is an agent of theirs and solo mode
            is off; or the action is always risky, which no leave given beforehand lets
            pass; or the policy denies it.
        InvalidInput: It names no action, would last too long, or be used less than once.
    """
    check_is_person(by)
    _check(remember)
    if not action.strip():
        raise InvalidInput("action is empty")
    asked = Asked(
        action=action, details=details, target=target, requester=requester or ""
    )
    with store.transaction():
        policy = policy_in_force(store, clock=clock).policy
        _check_may(policy, asked, remember, session_key=session_key)
        chain = Chain(store, clock)
        whose = find_principal(store, requester) if requester else None
        if whose is not None and whose.owner_id == by.id and not is_solo(store):
            raise Forbidden(
                f"{whose.name} works for {by.name}: somebody else must give it leave, "
                "unless solo mode is on"
            )
        grant = StandingGrant(
            id=random_id(),
            action=action,
            literal=literal_matcher(asked, keys=remember.keys),
            requester=requester,
            session_key=session_key,
            uses_left=remember.uses,
            use_count=0,
            expires_at_us=chain.now_us + remember.seconds * 1_000_000,
            created_at_us=chain.now_us,
            created_by=by.name,
            from_request=from_request,
            revoked_at_us=None,
            revoked_by=None,
        )
        values = grant._asdict() | {
            "literal": canonical_json(grant.literal),
            "requester_id": whose.id if whose else None,
        }
        store.execute(_SQL["add_standing_grant"], values)
        chain.append(
            "standing_grant_added", principal=by.name, request_id=from_request,
            standing_grant=grant.id, action=action, requester=requester,
            session_key=session_key, uses=remember.uses, seconds=remember.seconds,
            keys=None if remember.keys is None else list(remember.keys),
        )  # fmt: skip
        return grant


def list_standing_grants(
    store: Store, *, now_us: int, with_ended: bool = False, limit: int = 1000
) -> list[StandingGrant]:
    """Return the standing grants that hold, the newest first.

    Args:
        store: Where the requests are.
        now_us: The time, in microseconds since 1970-01-01 UTC.
        with_ended: Also those that were used up, are revoked or too old.
        limit: At most so many.
    """
    values = {"now_us": now_us, "with_ended": int(with_ended), "limit": limit}
    rows = store.query_all(_SQL["standing_grants"], values)
    return [standing_grant_of(row) for row in rows]


def revoke_standing_grant(
    store: Store, grant_id: str, *, by: Principal, clock: Clock
) -> None:
    """Take leave back.

    Raises:
        Forbidden: `by` is no person.
        Conflict: There is none of that id, or it was revoked already.
    """
    check_is_person(by)
    with store.transaction():
        chain = Chain(store, clock)
        values = {"id": grant_id, "now_us": chain.now_us, "by_name": by.name}
        if not store.execute(_SQL["revoke_standing_grant"], values):
            raise Conflict("there is no standing grant of that id to revoke")
        chain.append(
            "standing_grant_revoked", principal=by.name, standing_grant=grant_id
        )


def matching_grant(
    store: Store, asked: Asked, *, requester: Principal, now_us: int
) -> str | None:
    """Return the oldest standing grant that says just this; None where there is none.

    What the owner of the requester gave counts in solo mode alone.
    """
    values = {
        "action": asked.action,
        "now_us": now_us,
        "requester_id": requester.id,
        "owner_id": requester.owner_id,
        "session_key": asked.session_key,
    }
    for number, literal in store.query_all(_SQL["standing_grants_for"], values):
        if matches_literal(json.loads(literal), asked):
            return str(number)
    return None


def use_grant(store: Store, grant_id: str, *, now_us: int) -> bool:
    """Use it once; False where it has ended meanwhile."""
    values = {"id": grant_id, "now_us": now_us}
    return bool(store.execute(_SQL["use_standing_grant"], values))


def _check_may(
    policy: Policy, asked: Asked, remember: Remember, *, session_key: str | None
) -> None:
    """Refuse leave that the policy would pass over, or that lasts longer than it says."""
    passed = decide(policy, asked, has_standing_grant=lambda: True)
    if passed.effect not in {"granted", "allow"}:
        raise Forbidden(f"no leave beforehand for {asked.action}: {passed.why}")
    asking = decide(policy, asked)
    most = asking.remember
    if asking.effect != "ask" or most == "never":
        return
    if most == "session":
        if session_key is None:
            raise Forbidden(f"the rule {asking.rule} gives leave for one session alone")
        return
    if most.seconds is not None and remember.seconds > most.seconds:
        raise Forbidden(
            f"the rule {asking.rule} gives leave for {most.seconds} seconds at most"
        )
    if most.uses is not None and (remember.uses is None or remember.uses > most.uses):
        raise Forbidden(
            f"the rule {asking.rule} gives leave for {most.uses} uses at most"
        )


def _check(remember: Remember) -> None:
    if remember.scope not in {"session", "requester"}:
        raise InvalidInput(
            f"scope is {remember.scope!r}; expected session or requester"
        )
    if not 1 <= remember.seconds <= MAX_SECONDS:
        raise InvalidInput(
            f"a grant of {remember.seconds} seconds; expected 1 to {MAX_SECONDS}"
        )
    if remember.uses is not None and remember.uses < 1:
        raise InvalidInput(f"a grant for {remember.uses} uses; expected 1 or more")
