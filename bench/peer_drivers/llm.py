"""llm's LogStore: messages by the hash of what they say and of what came before."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

from bench.peer_drivers.contract import run


class LLM:
    """A thread a session, each append in a transaction of its own."""

    is_async = False

    def __init__(self, path: str) -> None:
        self._parts = import_module("llm.parts")
        self._database = import_module("sqlite_utils").Database(path)
        import_module("llm.migrations").migrate(self._database)
        self._log = import_module("llm.logs").LogStore(self._database)
        self._known: set[str] = set()

    def shaped(self, message: dict[str, Any]) -> Any:  # noqa: ANN401 - of its package
        """Make one of its message objects."""
        parts = self._parts
        if message["role"] == "tool":
            result = parts.ToolResultPart(
                name=message["name"],
                output=message["content"],
                tool_call_id=message["tool_call_id"],
            )
            return parts.Message(role="tool", parts=[result])
        said = [parts.TextPart(text=message["content"])] if message["content"] else []
        called = [
            parts.ToolCallPart(
                name=call["function"]["name"],
                arguments=json.loads(call["function"]["arguments"]),
                tool_call_id=call["id"],
            )
            for call in message.get("tool_calls", ())
        ]
        return parts.Message(role=message["role"], parts=[*said, *called])

    def append(self, uid: str, entry: Any) -> None:  # noqa: ANN401
        """Add one message to the thread."""
        with self._database.atomic():
            if uid not in self._known:
                self._log.ensure_thread(uid)
                self._known.add(uid)
            self._log.append(uid, [entry])

    def load(self, uid: str) -> Any:  # noqa: ANN401
        """Return the thread's messages."""
        return self._log.thread_messages(uid)

    def end(self, uid: str) -> None:
        """It has no word for that."""

    def settle(self) -> None:
        """Nothing is left for later."""

    def close(self) -> None:
        """Close the connection."""
        self._database.close()


if __name__ == "__main__":
    run(LLM)
