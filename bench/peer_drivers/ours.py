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
        self.store = open_store(path)
        self._recorders: dict[str, Recorder] = {}

    def shaped(self, message: dict[str, Any]) -> dict[str, Any]:
        """Take it as it is."""
        return message

    def append(self, uid: str, entry: dict[str, Any]) -> None:
        """Record one message."""
        recorder = self._recorders.get(uid)
        if recorder is None:
            recorder = Recorder(self.store, uid=uid, source="bench")
            self._recorders[uid] = recorder
        recorder.append([entry])

    def load(self, uid: str) -> list[Any]:
        """Return the conversation, as peers do."""
        conversation = import_module("oldhand.sessions.conversation")
        found: list[Any] = conversation.load_conversation(self.store, self.find(uid))
        return found

    def find(self, uid: str) -> Any:  # noqa: ANN401 - a cold start reads no module for it
        """Return what is known of a session."""
        return import_module("oldhand.sessions.read").find_session(self.store, uid)

    def end(self, uid: str) -> None:
        """Note that it ended; its long texts are compressed now."""
        self._recorders.pop(uid).end("done")

    def settle(self) -> None:
        """Fill the search index, as the next search would."""
        import_module("oldhand.sessions.search.find").search_sessions(
            self.store, "kalo"
        )

    def close(self) -> None:
        """Close the store."""
        self.store.close()


if __name__ == "__main__":
    run(Ours)
