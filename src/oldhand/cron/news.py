"""How a scheduler that rests hears of what others write; without it a second goes by."""

from __future__ import annotations

import logging
import threading
import time
from typing import Self

from oldhand.errors import StoreError
from oldhand.store import Store
from oldhand.store.watch import Watch

_POLL_SECONDS = 0.05

logger = logging.getLogger(__name__)


class News:
    """Says whether somebody else wrote.

    Where that cannot be told, as while the server is away, a new watch is begun when it is
    asked next.

    Args:
        store: Of which.
        channel: By which PostgreSQL tells.
    """

    def __init__(self, store: Store, channel: str) -> None:
        """Begin to watch when it is entered."""
        self._store = store
        self._channel = channel
        self._watch: Watch | None = None

    def has_come(self) -> bool:
        """Say whether something was written since the last call."""
        try:
            if self._watch is None:
                self._watch = self._store.watch(self._channel)
            return self._watch.has_news()
        except StoreError as fault:
            logger.warning("what others write is noticed late: %s", fault)
            self._end()
            return False

    def rest(self, seconds: float, own: threading.Event) -> None:
        """Wait until something was written or our own news came, at most so long."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if own.wait(min(left, _POLL_SECONDS)) or self.has_come():
                break
        own.clear()

    def __enter__(self) -> Self:
        self.has_come()
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _end(self) -> None:
        watch, self._watch = self._watch, None
        if watch is not None:
            watch.close()
