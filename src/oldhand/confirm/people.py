"""How people get in: a link that works once, then a password, then a session.

Passwords are hashed with scrypt, which takes 16 MiB and about 50 ms, as for somebody who
does not exist, so that time tells nobody who does.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from typing import NamedTuple

from oldhand.clock import Clock
from oldhand.confirm.audit.chain import Chain
from oldhand.confirm.credentials import (
    digest_of_secret,
    holder_of_secret,
    keep_secret,
    owner_of_secret,
)
from oldhand.confirm.model import PERSON, Principal
from oldhand.confirm.principals import check_is_person
from oldhand.confirm.rows import principal_of
from oldhand.errors import InvalidInput, Unauthenticated
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.confirm")
MIN_PASSWORD_CHARS = 10
MAX_PASSWORD_CHARS = 1_000
LINK_SECONDS = 3600
SESSION_SECONDS = 12 * 3600
_COST = 2**14
_NOBODY = f"scrypt${_COST}${'00' * 16}${'00' * 32}"


class WebSession(NamedTuple):
    """Somebody who is signed in.

    Attributes:
        token: What the browser keeps.
        csrf: What a form of ours must send along.
        expires_at_us: When one signs in again.
    """

    token: str
    csrf: str
    principal: Principal
    expires_at_us: int


def make_link(store: Store, person: Principal, *, by: str | None, clock: Clock) -> str:
    """Make the secret of a link by which a person sets a password, once, within an hour.

    Earlier links of the person end.
    """
    check_is_person(person)
    link = "ohl_" + secrets.token_urlsafe(32)
    with store.transaction():
        chain = Chain(store, clock)
        _end_all(store, person, "link", chain.now_us)
        keep_secret(
            store, person, link, kind="link",
            now_us=chain.now_us, expires_at_us=chain.now_us + LINK_SECONDS * 1_000_000,
        )  # fmt: skip
        chain.append("link_made", principal=by, to=person.name)
    return link


def person_of_link(store: Store, link: str, *, now_us: int) -> Principal | None:
    """Say whose link it is, and leave it as it is: a preview may look at it."""
    return owner_of_secret(store, link, kind="link", now_us=now_us)


def redeem_link(store: Store, link: str, *, password: str, clock: Clock) -> Principal:
    """Set a password by a link, which is used up by it.

    Raises:
        Unauthenticated: The link is nobody's, used or too old.
        InvalidInput: The password is too short or too long.
    """
    hashed = _hash_password(password)
    with store.transaction():
        chain = Chain(store, clock)
        person = person_of_link(store, link, now_us=chain.now_us)
        used = {
            "secret_digest": digest_of_secret(link),
            "kind": "link",
            "at_us": chain.now_us,
        }
        if person is None or not store.execute(_SQL["revoke_secret"], used):
            raise Unauthenticated("this link was used, is too old, or never was one")
        _end_all(store, person, "password", chain.now_us)
        _end_all(store, person, "web_session", chain.now_us)
        values = (person.id, "password", hashed, "", chain.now_us, None)
        store.execute(_SQL["add_credential"], values)
        chain.append("password_set", principal=person.name)
        return person


def has_password(store: Store, person: Principal) -> bool:
    """Say whether somebody has set a password, and so can sign in."""
    return store.query_one(_SQL["password_of"], (person.id,)) is not None


def check_password(store: Store, name: str, password: str) -> Principal:
    """Say who it is by name and password; slow on purpose, so not within a transaction.

    Raises:
        Unauthenticated: It is not the password of a person of that name.
    """
    row = store.query_one(_SQL["principal_named"], (name,))
    person = principal_of(row) if row else None
    kept = store.query_one(_SQL["password_of"], (person.id,)) if person else None
    is_right = _is_password(password, kept[0] if kept else _NOBODY)
    if not is_right or person is None or person.kind != PERSON or person.is_disabled:
        raise Unauthenticated("the name or the password is wrong")
    return person


def open_session(
    store: Store, person: Principal, *, via: str, clock: Clock
) -> WebSession:
    """Begin a new session for a person whose password was right; its secret is new."""
    token = "ohs_" + secrets.token_urlsafe(32)
    with store.transaction():
        chain = Chain(store, clock)
        expires_at_us = chain.now_us + SESSION_SECONDS * 1_000_000
        # What ended long ago is of no use, and each sign-in would add to it.
        store.execute(_SQL["drop_old_credentials"], (chain.now_us - 86_400_000_000,))
        keep_secret(
            store, person, token, kind="web_session", label=via,
            now_us=chain.now_us, expires_at_us=expires_at_us,
        )  # fmt: skip
        chain.append("signed_in", principal=person.name, via=via)
    return WebSession(token, csrf_of(token), person, expires_at_us)


def owner_of_session(store: Store, token: str, *, now_us: int) -> Principal | None:
    """Say who is signed in with a session's secret, and no more; None where nobody is."""
    return owner_of_secret(store, token, kind="web_session", now_us=now_us)


def authenticate_session(store: Store, token: str, *, now_us: int) -> WebSession | None:
    """Say who is signed in with a session's secret; None where nobody is."""
    holder = holder_of_secret(store, token, kind="web_session", now_us=now_us)
    if holder is None:
        return None
    ends_at_us = now_us if holder.expires_at_us is None else holder.expires_at_us
    return WebSession(token, csrf_of(token), holder.principal, ends_at_us)


def sign_out(store: Store, session: WebSession, *, clock: Clock) -> None:
    """End a session; ending it twice is harmless."""
    with store.transaction():
        chain = Chain(store, clock)
        values = {
            "secret_digest": digest_of_secret(session.token),
            "kind": "web_session",
            "at_us": chain.now_us,
        }
        if store.execute(_SQL["revoke_secret"], values):
            chain.append("signed_out", principal=session.principal.name)


def csrf_of(token: str) -> str:
    """Return what a form sends along to show that it is ours, 64 hexadecimal digits."""
    return digest_of_secret("csrf\n" + token)


def _end_all(store: Store, person: Principal, kind: str, at_us: int) -> None:
    values = {"principal_id": person.id, "kind": kind, "at_us": at_us}
    store.execute(_SQL["revoke_credentials"], values)


def _hash_password(password: str) -> str:
    if not MIN_PASSWORD_CHARS <= len(password) <= MAX_PASSWORD_CHARS:
        raise InvalidInput(
            f"the password has {len(password)} characters; expected "
            f"{MIN_PASSWORD_CHARS} to {MAX_PASSWORD_CHARS}"
        )
    salt = os.urandom(16)
    return f"scrypt${_COST}${salt.hex()}${_scrypt(password, salt, _COST).hex()}"


def _is_password(password: str, kept: str) -> bool:
    _, cost, salt, hashed = kept.split("$")
    found = _scrypt(password[:MAX_PASSWORD_CHARS], bytes.fromhex(salt), int(cost))
    return hmac.compare_digest(found.hex(), hashed)


def _scrypt(password: str, salt: bytes, cost: int) -> bytes:
    text = password.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(text, salt=salt, n=cost, r=8, p=1, dklen=32)
