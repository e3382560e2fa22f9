"""oldhand's Recorder and reading, through what it offers to everybody."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bench.peer_drivers.contract import run
from oldhand import Recorder, open_store


class Ours:
    """A Recorder a session, over one open store."""

    is_async = False

    def __init__(self, path: str) -> None:
        self._store = open_store(path)
        self._recorders: dict[str, Recorder] = {}

    def shaped(self, message: dict[str, Any]) -> dict[str, Any]:
        """Take it as it is."""
        return message

    def append(self, uid: str, entry: dict[str, Any]) -> None:
        """Record one message."""
        recorder = self._recorders.get(uid)
        if recorder is None:
            recorder = Recorder(self._store, uid=uid, source="bench")
            self._recorders[uid] = recorder
        recorder.append([entry])

    def load(self, uid: str) -> list[Any]:
        """Return all messages with their judged calls."""
        read = import_module("oldhand.sessions.read")
        session = read.find_session(self._store, uid)
        found: list[Any] = read.load_messages(self._store, session)
        return found

    def settle(self) -> None:
        """Fill the search index, as the next search would."""
        import_module("oldhand.sessions.search").search_sessions(self._store, "kalo")

    def close(self) -> None:
        """Close the store."""
        self._store.close()


if __name__ == "__main__":
    run(Ours)
