"""What is held, by whom it is asked and decided, and what is written down of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

Risk = Literal["low", "medium", "high"]
Kind = Literal["agent", "person", "service"]

AGENT: Kind = "agent"
PERSON: Kind = "person"

LEVELS = ("guardrail", "separated", "brokered")
"""Levels of assurance, 0 to 2: what an agent on the same machine could get round."""


class Principal(NamedTuple):
    """An agent, a person or a service that an audit row can name.

    Attributes:
        id: In the table.
        name: Unique.
        kind: Agents and services ask, persons decide.
        owner: The name of the person whom an agent works for.
        owner_id: The same, in the table.
        is_disabled: It may do nothing any more.
    """

    id: int
    name: str
    kind: Kind
    owner: str | None = None
    owner_id: int | None = None
    is_disabled: bool = False


class Draft(NamedTuple):
    """What an agent asks for, checked and not yet judged.

    Attributes:
        action: A name, 1 to 200 characters.
        details: What it would be done with: the facts that are approved.
        description: The agent's words; they are approved by nobody.
        target: What it would be done to, where that is worth a line of its own.
        session_key: The agent's session, so that a grant can be for that alone.
        timeout_seconds: How long it waits for a person; None: as the rule or 300 says.
        risk: As the agent sees it; a rule can only raise it.
        idempotency_key: The same request again where it is the same.
    """

    action: str
    details: Mapping[str, Any]
    description: str = ""
    target: str = ""
    session_key: str = ""
    timeout_seconds: int | None = None
    risk: Risk = "low"
    idempotency_key: str | None = None


class Rules(NamedTuple):
    """What holds for all requests of a daemon, beside the policy.

    Attributes:
        per_hour: So many of one action may a requester ask for in an hour; 0: no limit;
            None: as the policy says, or 10.
        max_pending: So many of a requester's may wait at once.
        level: 0 guardrail, 1 separated, 2 brokered: what was shown to hold. A daemon leaves
            it at 0: only who runs as the agents' user can try what they could open.
        longest_seconds: No request waits longer, unless its rule says so.
        grant_seconds: So long an approval waits to be used.
    """

    per_hour: int | None = None
    max_pending: int = 100
    level: int = 0
    longest_seconds: int = 3600
    grant_seconds: int = 300


class Request(NamedTuple):
    """One action held for a person; times are microseconds since 1970-01-01 UTC.

    Attributes:
        id: 130 random bits, 26 characters.
        rev: 1 when asked, one more with each transition.
        state: One of `states.STATES`.
        requester: Its name; `requester_id` in the table.
        owner_id: The person for whom the requester worked when it asked.
        details: What is to run, as edited where a person did.
        original_details: What was asked, where a person edited it.
        digest: Names all that is approved: `facts.digest_of`.
        rule: The policy's, that decided or had it asked; `why` says it in a sentence.
        standing_grant: The one that let it pass.
        expires_at_us: When the state ends by itself; meaningless in a final one.
        reason: What the person said.
        result: What the agent reported: `success` and `summary`.
    """

    id: str
    rev: int
    state: str
    requester: str
    requester_id: int
    owner_id: int | None
    action: str
    details: Mapping[str, Any]
    original_details: Mapping[str, Any] | None
    description: str
    target: str
    session_key: str
    risk: Risk
    digest: str
    policy_version: int
    rule: str
    why: str
    standing_grant: str | None
    level: int
    timeout_seconds: int
    grant_seconds: int
    created_at_us: int
    expires_at_us: int
    decided_at_us: int | None
    decided_by: str | None
    reason: str
    consumed_at_us: int | None
    grant_id: str | None
    finished_at_us: int | None
    result: Mapping[str, Any] | None


class StandingGrant(NamedTuple):
    """Leave given beforehand, for requests that say just this.

    Attributes:
        id: 130 random bits, 26 characters.
        action: Literal: no character of it stands for others.
        literal: What the details must be, as `policy.literal_matcher` made it.
        requester: Whose requests; None: anybody's.
        session_key: Of which session; None: of any.
        uses_left: None: no limit.
        from_request: The request at which a person said to remember it.
    """

    id: str
    action: str
    literal: Mapping[str, Any]
    requester: str | None
    session_key: str | None
    uses_left: int | None
    use_count: int
    expires_at_us: int
    created_at_us: int
    created_by: str
    from_request: str | None
    revoked_at_us: int | None
    revoked_by: str | None


class AuditRow(NamedTuple):
    """One line of the log.

    Attributes:
        seq: 1, 2, 3 … without a gap.
        kind: What happened, as `approved`.
        body: JSON: the particulars.
        hash: SHA-256 over this row and the hash of the one before.
    """

    seq: int
    at_us: int
    kind: str
    request_id: str | None
    principal: str | None
    body: Mapping[str, Any]
    hash: str
