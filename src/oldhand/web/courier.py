"""Takes notices out of the outbox, in a thread: to send one may take a minute."""

from __future__ import annotations

import logging
import threading

from oldhand.clock import Clock
from oldhand.notices import Channels, Delivered, counts, deliver_due, prune
from oldhand.store import Store

EVERY_SECONDS = 1.0
_FAULT = "notices"
_PRUNE_EVERY = 3600

logger = logging.getLogger(__name__)


class Courier:
    """A thread that delivers what is due, until it is stopped."""

    def __init__(
        self,
        store: Store,
        channels: Channels,
        *,
        clock: Clock,
        faults: dict[str, str],
    ) -> None:
        """Start it.

        Args:
            store: Its own to use until it has stopped.
            channels: Where to.
            clock: Says now.
            faults: Of the daemon; holds one while a channel refuses what waits.
        """
        self._faults = faults
        self._store = store
        self._channels = channels
        self._clock = clock
        self._is_over = threading.Event()
        # A daemon: the process need not wait for a channel that hangs. What was being sent
        # is due again when its lease is over.
        self._thread = threading.Thread(
            target=self._run, name="oldhand-courier", daemon=True
        )
        self._thread.start()

    def stop(self, *, wait_seconds: float) -> bool:
        """Stop it, and say whether it has ended."""
        self._is_over.set()
        self._thread.join(wait_seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        rounds = 0
        while not self._is_over.wait(EVERY_SECONDS):
            try:
                done = deliver_due(self._store, self._channels, clock=self._clock)
                self._tell(done, is_first=rounds == 0)
                if rounds % _PRUNE_EVERY == 0:
                    prune(self._store, clock=self._clock)
            except Exception as fault:
                logger.exception("notices cannot be delivered for now")
                self._faults[_FAULT] = f"notices cannot be delivered for now: {fault}"
            rounds += 1

    def _tell(self, done: Delivered, *, is_first: bool) -> None:
        """Say in the daemon's faults whether a channel refuses what waits."""
        if not (done.postponed or _FAULT in self._faults or is_first):
            return  # to count means to read the whole outbox
        failing = counts(self._store).failing
        if failing:
            self._faults[_FAULT] = (
                f"notices: {failing} not sent, as a channel refused them; the log says why"
            )
        else:
            self._faults.pop(_FAULT, None)
