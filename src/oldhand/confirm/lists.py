"""What people look through: versions of the policy, tokens and sessions, earlier requests."""

from __future__ import annotations

from typing import NamedTuple

from oldhand.confirm.model import Request
from oldhand.confirm.rows import request_of
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.confirm")


class PolicyVersion(NamedTuple):
    """One version of the policy; `active_from_us` in microseconds since 1970-01-01 UTC."""

    version: int
    digest: str
    active_from_us: int


class Credential(NamedTuple):
    """A token or a session that holds now.

    Attributes:
        id: What `credentials.revoke_credential` takes.
        holder: The name of the principal.
        kind: `token` or `web_session`.
        label: Where it is used.
        expires_at_us: None: never.
    """

    id: int
    holder: str
    kind: str
    label: str
    created_at_us: int
    expires_at_us: int | None


def list_policies(store: Store) -> list[PolicyVersion]:
    """Return the versions of the policy, the newest first; at most 100."""
    return [PolicyVersion(*row) for row in store.query_all(_SQL["policies"])]


def policy_text(store: Store, version: int) -> str | None:
    """Return the text of a version; None where there is no such version."""
    row = store.query_one(_SQL["policy_version"], (version,))
    return None if row is None else str(row[1])


def list_credentials(store: Store, *, now_us: int) -> list[Credential]:
    """Return the tokens and sessions that hold now, the oldest first."""
    rows = store.query_all(_SQL["credentials"], {"now_us": now_us})
    return [Credential(*row) for row in rows]


def like_requests(store: Store, request: Request, *, limit: int) -> list[Request]:
    """Return earlier requests of the same requester for the same action, the newest first."""
    values = {
        "requester_id": request.requester_id,
        "action": request.action,
        "id": request.id,
        "before_us": request.created_at_us,
        "limit": limit,
    }
    return [request_of(row) for row in store.query_all(_SQL["like_requests"], values)]
