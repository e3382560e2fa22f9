"""Notices that another connection has written to a database, at next to no cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Watch(Protocol):
    """Looks for news."""

    def has_news(self) -> bool:
        """Say whether something was written since the last call; without waiting.

        Raises:
            StoreError: It cannot be told any more.
        """

    def close(self) -> None:
        """End it."""


class NumberWatch:
    """Asks for a number that changes with each commit of another connection."""

    def __init__(self, read: Callable[[], object]) -> None:
        """Read the number for the first time."""
        self._read = read
        self._number = read()

    def has_news(self) -> bool:
        """Say whether the number has changed since it was read last."""
        number = self._read()
        is_new, self._number = number != self._number, number
        return is_new

    def close(self) -> None:
        """Leave the connection to its owner."""
