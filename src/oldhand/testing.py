"""Stand-ins for the outside world, for oldhand's tests and for yours."""

from __future__ import annotations


class FakeClock:
    """A clock that goes only when it is told to, and backwards too.

    Example:
        >>> clock = FakeClock(1_000_000)
        >>> clock.advance(-250_000)
        >>> clock()
        750000
    """

    def __init__(self, at_us: int = 1_767_225_600_000_000) -> None:
        """Set it; by default to the first moment of 2026.

        Args:
            at_us: Microseconds since 1970-01-01 UTC.
        """
        self.at_us = at_us

    def __call__(self) -> int:
        """Return the time it shows, in microseconds since 1970-01-01 UTC."""
        return self.at_us

    def advance(self, by_us: int) -> None:
        """Move it on, or back where `by_us` is below 0.

        Args:
            by_us: Microseconds.
        """
        self.at_us += by_us
