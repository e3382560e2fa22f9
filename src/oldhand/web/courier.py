"""Takes notices out of the outbox, in a thread: to send one may take a minute."""

from __future__ import annotations

import logging
import threading

from oldhand.clock import Clock
from oldhand.notices import Channels, deliver_due, prune
from oldhand.store import Store

EVERY_SECONDS = 1.0
_PRUNE_EVERY = 3600

logger = logging.getLogger(__name__)


class Courier:
    """A thread that delivers what is due, until it is stopped."""

    def __init__(self, store: Store, channels: Channels, *, clock: Clock) -> None:
        """Start it; the store is its own to use until it has stopped."""
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
                deliver_due(self._store, self._channels, clock=self._clock)
                if rounds % _PRUNE_EVERY == 0:
                    prune(self._store, clock=self._clock)
            except Exception:
                logger.exception("notices cannot be delivered for now")
            rounds += 1
