"""OpenAI Agents' SQLiteSession: one row of JSON an item."""

from __future__ import annotations

from collections.abc import Awaitable
from importlib import import_module
from typing import Any

from bench.peer_drivers.contract import run


class OpenAIAgents:
    """One session object a uid, as its documentation has it."""

    is_async = True

    def __init__(self, path: str) -> None:
        self._make = import_module("agents").SQLiteSession
        self._path = path
        self._sessions: dict[str, Any] = {}

    def shaped(self, message: dict[str, Any]) -> dict[str, Any]:
        """Take it as it is: items are any JSON."""
        return message

    def append(self, uid: str, entry: dict[str, Any]) -> Awaitable[None]:
        """Add one item."""
        adding: Awaitable[None] = self._session(uid).add_items([entry])
        return adding

    def load(self, uid: str) -> Awaitable[list[Any]]:
        """Return all items."""
        loading: Awaitable[list[Any]] = self._session(uid).get_items()
        return loading

    def end(self, uid: str) -> None:
        """It has no word for that."""

    def settle(self) -> None:
        """Nothing is left for later."""

    def close(self) -> None:
        """Close all sessions."""
        for session in self._sessions.values():
            session.close()

    def _session(self, uid: str) -> Any:  # noqa: ANN401 - of the peer's package
        if uid not in self._sessions:
            self._sessions[uid] = self._make(uid, self._path)
        return self._sessions[uid]


if __name__ == "__main__":
    run(OpenAIAgents)
