"""Who can be named: agents and services, which ask, and people, who decide."""

from __future__ import annotations

import re

from oldhand.clock import Clock
from oldhand.confirm.audit.chain import Chain
from oldhand.confirm.model import PERSON, Kind, Principal
from oldhand.confirm.rows import principal_of
from oldhand.errors import Conflict, Forbidden, InvalidInput, NotFound
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.confirm")
_NAME = re.compile(r"[a-z0-9][a-z0-9._@:+-]{0,99}")
_RESERVED = frozenset({"policy", "daemon", "oldhand"})


def add_principal(
    store: Store,
    name: str,
    *,
    kind: Kind,
    owner: str | None = None,
    by: str | None,
    clock: Clock,
) -> Principal:
    """Add an agent, a person or a service.

    Args:
        store: Where the requests are.
        name: Lower case: letters, digits and `._@:+-`, at most 100.
        kind: What it is.
        owner: The person whom an agent works for.
        by: The name of the person who adds it; None: whoever set oldhand up.
        clock: Tells the time.

    Raises:
        InvalidInput: The name is none, or its owner is no person.
        Conflict: There is one of that name.
    """
    if not _NAME.fullmatch(name) or name in _RESERVED:
        raise InvalidInput(
            f"{name!r} cannot be a name; expected lower-case letters, digits and ._@:+-"
        )
    with store.transaction():
        chain = Chain(store, clock)
        if store.query_one(_SQL["principal_named"], (name,)):
            raise Conflict(f"there is a principal {name} already")
        owner_id = find_person(store, owner).id if owner is not None else None
        row = (name, kind, owner_id, "[]", chain.now_us)
        store.execute(_SQL["add_principal"], row)
        chain.append("principal_added", principal=by, name=name, is_a=kind, owner=owner)
        return find_principal(store, name)


def find_principal(store: Store, name: str) -> Principal:
    """Return the principal of a name.

    Raises:
        NotFound: There is none.
    """
    row = store.query_one(_SQL["principal_named"], (name,))
    if row is None:
        raise NotFound(f"there is no principal {name!r}")
    return principal_of(row)


def find_person(store: Store, name: str) -> Principal:
    """Return the person of a name.

    Raises:
        NotFound: There is none.
        InvalidInput: It is an agent or a service.
    """
    found = find_principal(store, name)
    if found.kind != PERSON:
        raise InvalidInput(f"{name} is no person but of kind {found.kind}")
    return found


def list_principals(store: Store) -> list[Principal]:
    """Return all principals, the oldest first."""
    return [principal_of(row) for row in store.query_all(_SQL["principals"])]


def disable_principal(
    store: Store, name: str, *, by: Principal, clock: Clock
) -> Principal:
    """Take all rights from a principal; its name stays in the log.

    Raises:
        NotFound: There is none of that name.
        Forbidden: `by` is no person.
        Conflict: It would leave nobody who can sign in, or it is disabled already.
    """
    check_is_person(by)
    with store.transaction():
        chain = Chain(store, clock)
        found = find_principal(store, name)
        if found.kind == PERSON and not _others_than(store, found):
            raise Conflict(f"{name} is the last person: nobody could decide any more")
        values = {"id": found.id, "at_us": chain.now_us}
        if not store.execute(_SQL["disable_principal"], values):
            raise Conflict(f"{name} is disabled already")
        for kind in ("token", "password", "link", "web_session"):
            revoked = {"principal_id": found.id, "kind": kind, "at_us": chain.now_us}
            store.execute(_SQL["revoke_credentials"], revoked)
        chain.append("principal_disabled", principal=by.name, name=name)
        return find_principal(store, name)


def check_is_person(by: Principal) -> None:
    """Refuse agents and services.

    Raises:
        Forbidden: `by` is no person, or is disabled.
    """
    if by.kind != PERSON or by.is_disabled:
        raise Forbidden(f"{by.name} is of kind {by.kind}: only people may do this")


def _others_than(store: Store, person: Principal) -> list[Principal]:
    people = (each for each in list_principals(store) if each.kind == PERSON)
    return [each for each in people if not each.is_disabled and each.id != person.id]
