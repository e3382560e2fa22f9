"""Two switches that people turn, and that the statements of a decision look at themselves.

The stop switch: while it is on, nothing is approved and no grant is used; agents can still
ask, and people can still deny. Solo mode: who owns an agent may decide what it asks, which
is what somebody alone needs, and what two people should not want.
"""

from __future__ import annotations

from oldhand.clock import Clock
from oldhand.confirm.audit.chain import Chain
from oldhand.confirm.model import Principal
from oldhand.confirm.principals import check_is_person
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.confirm")
_STOPPED = "confirm.stopped"
_SOLO = "confirm.solo"


def is_stopped(store: Store) -> bool:
    """Say whether the stop switch is on."""
    return _is_on(store, _STOPPED)


def is_solo(store: Store) -> bool:
    """Say whether owners decide what their own agents ask."""
    return _is_on(store, _SOLO)


def set_stopped(store: Store, *, to: bool, by: Principal, clock: Clock) -> None:
    """Turn the stop switch; as it is already is harmless.

    Raises:
        Forbidden: `by` is no person.
    """
    check_is_person(by)
    words = ("stopped", "resumed")
    _turn(store, _STOPPED, to=to, by=by.name, words=words, clock=clock)


def set_solo(store: Store, *, to: bool, by: Principal | None, clock: Clock) -> None:
    """Turn solo mode; as it is already is harmless.

    Args:
        store: Where the requests are.
        to: What it is to be.
        by: Who does it; None: whoever starts the daemon.
        clock: Tells the time.

    Raises:
        Forbidden: `by` is no person.
    """
    if by is not None:
        check_is_person(by)
    words = ("solo_on", "solo_off")
    name = None if by is None else by.name
    _turn(store, _SOLO, to=to, by=name, words=words, clock=clock)


def _is_on(store: Store, key: str) -> bool:
    return store.query_one(_SQL["is_set"], (key,)) is not None


def _turn(
    store: Store,
    key: str,
    *,
    to: bool,
    by: str | None,
    words: tuple[str, str],
    clock: Clock,
) -> None:
    with store.transaction():
        chain = Chain(store, clock)
        if to == _is_on(store, key):
            return
        if to:
            store.execute(_SQL["set_key"], (key, by or "daemon"))
        else:
            store.execute(_SQL["unset_key"], (key,))
        chain.append(words[0] if to else words[1], principal=by)
