"""The outbox: messages wait in a table until they were sent.

A message is put in the transaction that makes it true, so that it is there if and only if
that is; whatever happens to the process, it is sent later.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from oldhand.clock import Clock, system_clock
from oldhand.errors import Conflict
from oldhand.notices.deliver import LEASE_US
from oldhand.notices.message import Message
from oldhand.notices.stored import from_json, storable, to_json
from oldhand.store import Queries, Store

KEEP_US = 7 * 24 * 3_600_000_000
"""How long a finished row is kept, and with it the memory of its key."""
GIVE_UP_US = 24 * 3_600_000_000
"""So long after it was due a message is tried."""

_SQL = Queries(__package__)


class Waiting(NamedTuple):
    """A message that was not sent yet.

    Attributes:
        id: The row's.
        message: Without secrets.
        due_at_us: When it is tried next, or given to another deliverer if one has it now.
        tries: How often it was taken up.
        sent_to: The names of the channels that have it.
        fault: What went wrong last, or "".
    """

    id: int
    message: Message
    due_at_us: int
    tries: int
    sent_to: str
    fault: str


class Held(NamedTuple):
    """A message of the outbox, whatever became of it.

    Attributes:
        id: The row's.
        message: Without secrets.
        state: `waiting`, `sent`, `given_up` or `withdrawn`.
        tries: How often it was taken up.
        sent_to: The names of the channels that have it.
        fault: What went wrong last, or "".
    """

    id: int
    message: Message
    state: str
    tries: int
    sent_to: tuple[str, ...]
    fault: str


class Counts(NamedTuple):
    """How full the outbox is.

    Attributes:
        waiting: Messages that were not sent yet.
        failing: Those of them that a channel refused.
        oldest_at_us: When the oldest of the waiting was put; None where none waits.
        given_up: Messages of the last seven days that reached nobody.
    """

    waiting: int
    failing: int
    oldest_at_us: int | None
    given_up: int


def put(
    store: Store,
    message: Message,
    *,
    clock: Clock = system_clock,
    due_us: int | None = None,
) -> int:
    """Put a message into the outbox, redacted, within the caller's transaction.

    Args:
        store: With a transaction open, the message is as durable as that.
        message: Where one of the same key was put in the last seven days, nothing
            happens.
        clock: Says now.
        due_us: Not to be sent before; by default at once.

    Returns:
        The id of its row, or of the row that had the key.

    Raises:
        InvalidInput: The link is none that every channel can carry, or something that
            must be short is long.
    """
    kept = storable(message)
    now = clock()
    due = now if due_us is None else due_us
    row = {
        "key": kept.key or None,
        "message": to_json(kept),
        "now": now,
        "due": due,
        "give_up": max(now, due) + GIVE_UP_US,
    }
    with store.transaction():
        made = store.query_one(_SQL["put"], row)
        if made is None:
            made = store.query_one(_SQL["id_of_key"], (kept.key,))
    return int(made[0]) if made else 0


def pending(store: Store, *, limit: int = 100) -> list[Waiting]:
    """Return messages that were not sent yet, those due first."""
    return [
        Waiting(number, from_json(text, key=key or ""), *rest)
        for number, key, text, *rest in store.query_all(_SQL["pending"], (limit,))
    ]


def find_message(store: Store, key: str) -> Held | None:
    """Return the message of a key as the outbox has it; None where it has none."""
    row = store.query_one(_SQL["of_key"], (key,))
    if row is None:
        return None
    number, said, text, state, tries, sent_to, fault = row
    sent = tuple(json.loads(sent_to))
    return Held(number, from_json(text, key=said), state, tries, sent, fault)


def put_again(
    store: Store, held: Held, *, to: tuple[str, ...], clock: Clock = system_clock
) -> None:
    """Have a message sent once more, at once, by the channels that do not have it.

    Args:
        store: Within a transaction or not.
        held: As `find_message` returned it.
        to: The channels; they take the place of those that the message named.
        clock: Says now.

    Raises:
        Conflict: It may be on its way, or is tried within a minute anyway.
    """
    now = clock()
    row = {
        "id": held.id, "tries": held.tries, "now": now, "give_up": now + GIVE_UP_US,
        "message": to_json(storable(held.message._replace(to=to))),
        "lease": now + LEASE_US,
    }  # fmt: skip
    if not store.execute(_SQL["put_again"], row):
        raise Conflict("the message is on its way, or tried again within a minute")


def withdraw(store: Store, key: str, *, clock: Clock = system_clock) -> bool:
    """Take back the message of a key that is not sent yet, as it is not true any more.

    Returns:
        Whether one was waiting. One that is being sent right now may still arrive.
    """
    return store.execute(_SQL["withdraw"], {"key": key, "now": clock()}) > 0


def counts(store: Store) -> Counts:
    """Count what waits and what was given up."""
    row = store.query_one(_SQL["counts"])
    return Counts(*row) if row else Counts(0, 0, None, 0)


def prune(store: Store, *, clock: Clock = system_clock) -> int:
    """Delete rows that were finished seven days ago; return how many."""
    return store.execute(_SQL["prune"], (clock() - KEEP_US,))
