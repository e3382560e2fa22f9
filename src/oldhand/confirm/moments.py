"""The time that decides whether something has expired; it never goes back.

Set back, the wall clock would let a request live longer, and an approval with it. So the
time of a daemon is at least what it was, plus what the machine's own counter says has gone
by. It begins at the newest row of the log at least: after a restart with the clock set back,
time would else stand still until the clock is there again, and what waits with it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from oldhand.clock import Clock, system_clock

Counter = Callable[[], int]
"""Returns nanoseconds since some moment; nobody sets it."""

LEAP_US = 300_000_000
"""So far the wall clock may run ahead of the counter before that is told."""
_SLACK_US = 1_000_000


class SteadyClock:
    """A clock in microseconds since 1970-01-01 UTC that never goes back.

    Example:
        >>> from oldhand.testing import FakeClock
        >>> wall, counter = FakeClock(50_000_000), FakeClock(0)
        >>> clock = SteadyClock(wall, counter=counter)
        >>> wall.advance(-40_000_000); counter.advance(2_000_000_000)
        >>> clock()
        52000000
        >>> clock.steps()
        [-42000000]
    """

    def __init__(
        self, wall: Clock = system_clock, *, counter: Counter = time.monotonic_ns
    ) -> None:
        """Take the wall clock's word for now."""
        self._wall = wall
        self._counter = counter
        self._lock = threading.Lock()
        self._steps: list[int] = []
        self._newest = self._seen = wall()
        self._counted = counter()

    def __call__(self) -> int:
        """Return the time, in microseconds since 1970-01-01 UTC."""
        with self._lock:
            wall, counted = self._wall(), self._counter()
            gone = max(0, counted - self._counted) // 1000
            step = wall - self._seen - gone
            if step < -_SLACK_US or step > LEAP_US:
                self._steps.append(step)
            self._newest = max(wall, self._newest + gone)
            self._seen, self._counted = wall, counted
            return self._newest

    def go_on_from(self, at_us: int) -> None:
        """Be at a time at least, as one that something was dated by already."""
        with self._lock:
            self._newest = max(self._newest, at_us)

    def steps(self) -> list[int]:
        """Return how far the wall clock was set since the last look, in microseconds.

        Back is below 0; forward counts from `LEAP_US` on.
        """
        with self._lock:
            steps, self._steps = self._steps, []
        return steps
