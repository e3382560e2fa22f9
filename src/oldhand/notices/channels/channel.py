"""What a channel is: a name, and a way to send."""

from __future__ import annotations

from typing import Protocol

from oldhand.errors import OldhandError
from oldhand.notices.message import Message


class NotSent(OldhandError):
    """A channel did not take a message. What it says holds no secret."""

    def __init__(self, why: str, *, retry_after: float | None = None) -> None:
        """Say why, and when to come again.

        Args:
            why: For a person; no address, as those hold tokens.
            retry_after: Seconds from now, as far as the service said.
        """
        super().__init__(why)
        self.retry_after = retry_after


class Channel(Protocol):
    """Carries messages to people, as text that decides nothing."""

    @property
    def name(self) -> str:
        """Stands in the outbox and in logs, and stays the same over a restart."""

    def send(self, message: Message) -> None:
        """Send it, or raise `NotSent`."""
