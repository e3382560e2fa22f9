"""Tokens of agents: 256 random bits, of which the database keeps a digest.

Nothing slow is needed to hash them, since nobody can guess them; passwords are in
`people.py`.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import NamedTuple

from oldhand.clock import Clock
from oldhand.confirm.audit.chain import Chain
from oldhand.confirm.model import PERSON, Principal
from oldhand.confirm.rows import principal_of
from oldhand.errors import Conflict, InvalidInput
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.confirm")
TOKEN_PREFIX = "oha_"  # noqa: S105 - so that it is known for what it is wherever it is found


def issue_token(
    store: Store,
    principal: Principal,
    *,
    label: str = "",
    expires_at_us: int | None = None,
    by: str | None,
    clock: Clock,
) -> str:
    """Make a token for an agent or a service; it is shown this once.

    Args:
        store: Where the requests are.
        principal: Who.
        label: Where it is used, for the list.
        expires_at_us: When it ends by itself; None: never.
        by: The name of the person who issues it; None: whoever set oldhand up.
        clock: Tells the time.

    Raises:
        InvalidInput: The principal is a person, or disabled.
    """
    if principal.kind == PERSON or principal.is_disabled:
        raise InvalidInput(f"{principal.name} can have no token: people sign in")
    token = TOKEN_PREFIX + secrets.token_urlsafe(32)
    with store.transaction():
        chain = Chain(store, clock)
        keep_secret(
            store, principal, token, kind="token", label=label,
            now_us=chain.now_us, expires_at_us=expires_at_us,
        )  # fmt: skip
        chain.append("token_issued", principal=by, to=principal.name, label=label)
    return token


def authenticate_token(store: Store, token: str, *, now_us: int) -> Principal | None:
    """Say whose token it is; None where it is nobody's, expired or revoked."""
    return owner_of_secret(store, token, kind="token", now_us=now_us)


def revoke_credential(
    store: Store, number: int, *, by: Principal, clock: Clock
) -> None:
    """Take a token or a session from its holder.

    Raises:
        Conflict: There is none of that number that is not revoked.
    """
    with store.transaction():
        chain = Chain(store, clock)
        values = {"id": number, "at_us": chain.now_us}
        if not store.execute(_SQL["revoke_credential"], values):
            raise Conflict(f"there is no credential {number} to revoke")
        chain.append("credential_revoked", principal=by.name, credential=number)


def keep_secret(  # noqa: PLR0913 - the fields of a row
    store: Store,
    principal: Principal,
    secret: str,
    *,
    kind: str,
    label: str = "",
    now_us: int,
    expires_at_us: int | None,
) -> None:
    """Write down the digest of a random secret."""
    values = {
        "principal_id": principal.id,
        "kind": kind,
        "secret_digest": digest_of_secret(secret),
        "label": label,
        "created_at_us": now_us,
        "expires_at_us": expires_at_us,
    }
    store.execute(_SQL["add_credential"], values)


class Holder(NamedTuple):
    """Whose a secret is, and until when; None: for ever."""

    principal: Principal
    expires_at_us: int | None


def holder_of_secret(
    store: Store, secret: str, *, kind: str, now_us: int
) -> Holder | None:
    """Return whose secret it is, where it holds."""
    values = {
        "secret_digest": digest_of_secret(secret),
        "kind": kind,
        "now_us": now_us,
    }
    row = store.query_one(_SQL["principal_of_secret"], values)
    return None if row is None else Holder(principal_of(row[:-1]), row[-1])


def owner_of_secret(
    store: Store, secret: str, *, kind: str, now_us: int
) -> Principal | None:
    """Return whose secret it is, where it holds."""
    holder = holder_of_secret(store, secret, kind=kind, now_us=now_us)
    return None if holder is None else holder.principal


def digest_of_secret(secret: str) -> str:
    """Return what is kept of a random secret: its SHA-256."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
