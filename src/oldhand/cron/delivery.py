"""What became of the message about a run, apart from how the run went; and to send it again.

The outbox has the message, its text with it, for seven days after it was sent or given up.
"""

from __future__ import annotations

import json
from typing import Literal, NamedTuple

from oldhand.clock import Clock, system_clock
from oldhand.cron.deliver import key_of
from oldhand.cron.rows import job_of
from oldhand.cron.targets import targets_of
from oldhand.errors import Conflict, NotFound
from oldhand.notices import find_message, put_again
from oldhand.store import Queries, Store

DeliveryState = Literal[
    "none", "silent", "repeat", "waiting", "sent", "failed", "forgotten"
]
_SQL = Queries("oldhand.cron")
_STATES: dict[str | None, DeliveryState] = {
    "waiting": "waiting",
    "sent": "sent",
    "given_up": "failed",
    "withdrawn": "none",
    None: "forgotten",
}
_HAVE_NO_MESSAGE: dict[str, DeliveryState] = {
    "none": "none",
    "silent": "silent",
    "repeat": "repeat",
}


class Delivery(NamedTuple):
    """What became of the message about a run.

    Attributes:
        state: `none` where the job wants none; `silent` where the agent said that there
            is nothing to tell; `repeat` where it failed as before, which was told;
            `waiting`, also between two tries; `sent` to all; `failed` where some channel
            did not take it for a day; `forgotten` where the outbox has it no more.
        fault: What went wrong last, by channel, or "".
        sent_to: The channels that have it.
    """

    state: DeliveryState = "none"
    fault: str = ""
    sent_to: tuple[str, ...] = ()


def delivery_from(
    delivery: str, state: str | None, fault: str | None, sent_to: str | None
) -> Delivery:
    """Read what `job_runs` returns of it.

    Args:
        delivery: Of the run.
        state: Of the message in the outbox; None where it has none, or none any more.
        fault: The same.
        sent_to: The same, a JSON list.

    Example:
        >>> delivery_from("put", "given_up", "telegram: 403", '["discord"]')
        Delivery(state='failed', fault='telegram: 403', sent_to=('discord',))
    """
    if delivery in _HAVE_NO_MESSAGE:
        return Delivery(_HAVE_NO_MESSAGE[delivery])
    sent = tuple(json.loads(sent_to or "[]"))
    return Delivery(_STATES[state], fault or "", sent)


def redeliver(
    store: Store, run_id: int, *, clock: Clock = system_clock
) -> tuple[str, ...]:
    """Have the message about a run sent again, to where the job now says; run nothing.

    Channels that have it do not get it twice. It is tried at once, then later and later
    for a day.

    Returns:
        The names that it goes to.

    Raises:
        NotFound: There is no such run, or no message of it (any more).
        Conflict: All channels have it, the job wants nothing delivered, or it is just
            on its way.
    """
    with store.transaction():
        row = store.query_one(_SQL["job_of_run"], (run_id,))
        if row is None:
            raise NotFound(f"run {run_id}: there is no such run of a job")
        held = find_message(store, key_of(run_id))
        if held is None:
            raise NotFound(
                f"run {run_id}: there is no message of it, or none any more",
                advice=f"oldhand jobs runs --show {run_id}",
            )
        to = targets_of(job_of(row).spec)
        if not to:
            raise Conflict(f"run {run_id}: its job wants nothing delivered")
        if held.state == "sent" and set(to) <= {*held.sent_to, *held.message.to}:
            raise Conflict(f"run {run_id}: it was delivered to {', '.join(to)}")
        put_again(store, held, to=to, clock=clock)
    return to
