"""Take messages out of the outbox and send them, each at least once.

A row is claimed by moving the time at which it is due past the time that sending takes;
then it is sent with no transaction open, and the row says how it went. A process that is
killed in between leaves a row that is due again when that lease is over: that message may
come twice, and none is lost. Where a person's channels all fail the log has the message,
and they are tried again, later and later, for a day. A message that names its channels
goes to each of them, and is tried again only by those that do not have it.
"""

from __future__ import annotations

import json
import logging
import random
import traceback
from collections.abc import Callable
from typing import NamedTuple

from oldhand.clock import Clock, system_clock
from oldhand.errors import InvalidInput
from oldhand.notices.channels import Channel, NotSent
from oldhand.notices.message import Message
from oldhand.notices.settings import Channels
from oldhand.notices.stored import from_json
from oldhand.notices.targets import find_targets
from oldhand.redact import redact
from oldhand.store import Queries, Store

LEASE_US = 60_000_000
"""Longer than one channel takes to send. It also bounds what daemons' clocks may differ."""
_SECOND_US = 1_000_000
_LONGEST_WAIT_US = 3_600 * _SECOND_US
_MAX_FAULT_CHARS = 1_000

logger = logging.getLogger(__name__)
_SQL = Queries(__package__)


class Delivered(NamedTuple):
    """What one call did.

    Attributes:
        sent: Messages that are everywhere where they belong.
        postponed: Messages that a channel refused; they are tried again.
        given_up: Messages that were refused for a day.
    """

    sent: int = 0
    postponed: int = 0
    given_up: int = 0


class _LeaseLost(Exception):
    """The row is somebody else's now, or was withdrawn."""


class _Claimed(NamedTuple):
    id: int
    tries: int
    message: str
    sent_to: str
    give_up_at_us: int


def deliver_due(
    store: Store,
    channels: Channels,
    *,
    clock: Clock = system_clock,
    draw: Callable[[], float] = random.random,
    limit: int = 100,
) -> Delivered:
    """Send the messages that are due, oldest first, each tried once.

    It may run in several threads, processes and machines at once. No transaction is open
    while it sends; a call where nothing is due writes nothing.

    Args:
        store: Not within a transaction.
        channels: Where to.
        clock: Says now; set back, it neither holds messages up nor sends them early.
        draw: A number from 0 to below 1; waits are spread by it.
        limit: So many messages at most.

    Raises:
        StoreError: The database refused. What was claimed comes again after the lease.
    """
    results = {"sent": 0, "waiting": 0, "given_up": 0}
    began = clock()
    for _ in range(limit):
        row = _claim(store, clock(), began)
        if row is None:
            break
        try:
            results[_Delivery(store, row, clock).run(channels, draw)] += 1
        except _LeaseLost:
            logger.info("notices: message %s was taken back while it was sent", row.id)
    return Delivered(results["sent"], results["waiting"], results["given_up"])


def _claim(store: Store, now: int, began: int) -> _Claimed | None:
    # Not what came due meanwhile: a slow channel's second try would go before new messages.
    before = min(now, began)
    if store.query_one(_SQL["has_due"], {"now": now, "before": before}) is None:
        return None
    with store.transaction():
        store.execute(_SQL["follow_clock"], {"now": now})
        lease = {"now": now, "before": before, "lease": now + LEASE_US}
        row = store.query_one(_SQL["claim"], lease)
    return None if row is None else _Claimed(*row)


class _Delivery:
    """One message, taken up once."""

    def __init__(self, store: Store, row: _Claimed, clock: Clock) -> None:
        self._store = store
        self._row = row
        self._clock = clock
        self._sent_to: list[str] = json.loads(row.sent_to)
        self._faults: dict[str, str] = {}
        self._asked_us: list[int] = []

    def run(self, channels: Channels, draw: Callable[[], float]) -> str:
        """Send it wherever it was not sent yet; return the row's state after that."""
        try:
            message = from_json(self._row.message)
        except ValueError as fault:
            self._faults["outbox"] = f"the row cannot be read: {fault}"
            return self._end("given_up")
        tell = self._tell_named if message.to else self._tell_usual
        if tell(message, channels):
            return self._end("sent")
        if self._clock() >= self._row.give_up_at_us:
            return self._end("given_up", message.subject)
        return self._postpone(draw())

    def _tell_named(self, message: Message, channels: Channels) -> bool:
        """Send by each channel that the message names; where none takes it, log it, once."""
        targets = find_targets(channels, message.to)
        for name, why in targets.faults.items():
            self._note(name, why)
        missing = [each for each in targets.channels if not self._send(each, message)]
        if not self._sent_to:
            self._send(channels.log, message)
        return not missing and not targets.faults

    def _tell_usual(self, message: Message, channels: Channels) -> bool:
        is_told = self._tell_person(message, channels)
        missing = [each for each in channels.besides if not self._send(each, message)]
        return is_told and not missing

    def _tell_person(self, message: Message, channels: Channels) -> bool:
        """Send by the first channel that takes it, else log it, once."""
        if any(each.name in self._sent_to for each in channels.people):
            return True
        if any(self._send(each, message) for each in channels.people):
            return True
        is_logged = self._send(channels.log, message)
        return is_logged and not channels.people

    def _send(self, channel: Channel, message: Message) -> bool:
        """Send by one channel, unless it has the message; say whether it has it now."""
        if channel.name in self._sent_to:
            return True
        try:
            channel.send(message)
        except NotSent as fault:
            self._note(channel.name, str(fault), retry_after=fault.retry_after or 0)
        except InvalidInput as fault:
            self._note(channel.name, str(fault))
        except Exception as fault:  # noqa: BLE001 - of other people's code; the next must go on
            self._note(channel.name, type(fault).__name__)
            # Not logger.exception: what a fault says may hold an address with a token.
            logger.error(  # noqa: TRY400
                "notices: %s failed\n%s", channel.name, redact(traceback.format_exc())
            )
        else:
            self._sent_to.append(channel.name)
        # Also after a fault: several channels that time out take longer than a lease.
        self._settle("waiting", due_us=self._clock() + LEASE_US)
        return channel.name in self._sent_to

    def _note(self, name: str, why: str, *, retry_after: float = 0) -> None:
        self._faults[name] = why
        self._asked_us.append(int(retry_after * _SECOND_US))

    def _postpone(self, drawn: float) -> str:
        now = self._clock()
        wait = min(_LONGEST_WAIT_US, _SECOND_US << min(self._row.tries - 1, 12))
        wait = max(_SECOND_US, int(wait * (1 + drawn) / 2))
        wait = max(wait, min(self._asked_us))  # one that asked for nothing may go first
        due = min(now + wait, max(self._row.give_up_at_us, now + _SECOND_US))
        self._settle("waiting", due_us=due)
        return "waiting"

    def _end(self, state: str, subject: str = "") -> str:
        now = self._clock()
        if state == "given_up":
            logger.warning(
                "notices: gave up on message %s %r after %s tries: %s",
                self._row.id,
                subject,
                self._row.tries,
                self._fault(),
            )
        self._settle(state, due_us=now, finished_us=now)
        return state

    def _fault(self) -> str:
        said = "; ".join(f"{name}: {why}" for name, why in self._faults.items())
        return said[:_MAX_FAULT_CHARS]

    def _settle(
        self, state: str, *, due_us: int, finished_us: int | None = None
    ) -> None:
        settled = self._store.execute(
            _SQL["settle"],
            {
                "id": self._row.id,
                "tries": self._row.tries,
                "state": state,
                "sent_to": json.dumps(self._sent_to),
                "fault": self._fault(),
                "due": due_us,
                "now": self._clock(),
                "finished": finished_us,
            },
        )
        if not settled:
            raise _LeaseLost
