"""Hermes' SessionDB: columns by message, and two search indexes filled in the append."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from bench.peer_drivers.contract import run


class Hermes:
    """One SessionDB, as its gateway has it."""

    is_async = False

    def __init__(self, path: str) -> None:
        self._database = import_module("hermes_state").SessionDB(Path(path))
        self._known: set[str] = set()

    def shaped(self, message: dict[str, Any]) -> dict[str, Any]:
        """Name the parts as `append_message` does."""
        return {
            "role": message["role"],
            "content": message["content"],
            "tool_name": message.get("name"),
            "tool_calls": message.get("tool_calls"),
            "tool_call_id": message.get("tool_call_id"),
        }

    def append(self, uid: str, entry: dict[str, Any]) -> None:
        """Add one message."""
        if uid not in self._known:
            self._database.ensure_session(uid, "cli")
            self._known.add(uid)
        self._database.append_message(uid, **entry)

    def load(self, uid: str) -> Any:  # noqa: ANN401 - of its package
        """Return the conversation."""
        return self._database.get_messages_as_conversation(uid)

    def end(self, uid: str) -> None:
        """Note that it ended."""
        self._database.end_session(uid, "done")

    def settle(self) -> None:
        """Its index is filled in the append."""

    def close(self) -> None:
        """Close it."""
        self._database.close()


if __name__ == "__main__":
    run(Hermes)
