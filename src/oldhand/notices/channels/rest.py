"""A pause after a refusal for all, so that what waits does not knock once for each message."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from oldhand.notices.channels.channel import NotSent

USUAL_SECONDS = 10.0
"""How long a service that is down, and names no time, is left alone."""


class Rest:
    """Remembers until when a service is left alone.

    Args:
        usual_seconds: Where the service names no time.
        counter: Seconds since some moment; nobody sets it.
    """

    def __init__(
        self,
        *,
        usual_seconds: float = USUAL_SECONDS,
        counter: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin awake."""
        self._usual_seconds = usual_seconds
        self._counter = counter
        self._until = -math.inf

    def begin(self, seconds: float | None = None) -> None:
        """Leave it alone from now on for so long, or as long as usual."""
        self._until = self._counter() + (seconds or self._usual_seconds)

    def check(self) -> None:
        """Raise `NotSent` while it is left alone."""
        left = self._until - self._counter()
        if left > 0:
            raise NotSent("left alone, as it asked or was down", retry_after=left)
