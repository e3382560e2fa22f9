"""Our reading with how each call went, which no peer has."""

from __future__ import annotations

from typing import Any

from bench.peer_drivers.contract import run
from bench.peer_drivers.ours import Ours
from oldhand.sessions.read import load_messages


class Judged(Ours):
    """Ours, but every message is loaded with its judged calls."""

    def load(self, uid: str) -> list[Any]:
        """Return all messages with their judged calls."""
        return load_messages(self.store, self.find(uid))


if __name__ == "__main__":
    run(Judged)
