"""How often somebody may try to sign in: by name, and everybody together.

A password is checked slowly on purpose, so that whoever tries many also keeps the machine
busy. Both are bounded here; a person who is signed in notices nothing of it.
"""

from __future__ import annotations

from collections import OrderedDict

from oldhand.clock import Clock
from oldhand.errors import TooMany

WINDOW_SECONDS = 60
MOST_FOR_NAME = 5
MOST_FOR_ALL = 30
MOST_AT_ONCE = 8
_NAMES = 1000


class Attempts:
    """What failed within the last minute, and what is being tried now."""

    def __init__(self) -> None:
        """Begin with none."""
        self._failures: OrderedDict[str, list[int]] = OrderedDict()
        self._all: list[int] = []
        self._running = 0

    def begin(self, name: str, *, clock: Clock) -> None:
        """Take up a try; `end` is to follow.

        Raises:
            TooMany: Too many failed, or are being tried.
        """
        now_us = clock()
        for failed, most in (
            (self._failures.get(name, []), MOST_FOR_NAME),
            (self._all, MOST_FOR_ALL),
        ):
            recent = [at_us for at_us in failed if at_us > now_us - _WINDOW_US]
            if len(recent) >= most:
                raise _too_many((recent[-most] + _WINDOW_US - now_us) // 1_000_000 + 1)
        if self._running >= MOST_AT_ONCE:
            raise _too_many(1)
        self._running += 1

    def end(self, name: str, *, is_right: bool, clock: Clock) -> None:
        """Say how it went."""
        self._running -= 1
        if is_right:
            self._failures.pop(name, None)
            return
        now_us = clock()
        kept = self._failures.pop(name, [])[1 - MOST_FOR_NAME :]
        self._failures[name] = [*kept, now_us]
        self._all = [*self._all[1 - MOST_FOR_ALL :], now_us]
        if len(self._failures) > _NAMES:
            self._failures.popitem(last=False)


_WINDOW_US = WINDOW_SECONDS * 1_000_000


def _too_many(seconds: int) -> TooMany:
    return TooMany(
        "too many tries to sign in; wait a little",
        window_seconds=WINDOW_SECONDS,
        retry_after_seconds=seconds,
    )
