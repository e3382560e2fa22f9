"""LangGraph's SqliteSaver, driven as a graph's loop drives it: put_writes, then put."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any, NamedTuple

from bench.peer_drivers.contract import run


class _Thread(NamedTuple):
    """Where a thread stands: its newest checkpoint and all its messages."""

    config: dict[str, Any]
    messages: list[Any]
    step: int


class LangGraph:
    """A checkpoint a message; each holds the whole history."""

    is_async = False

    def __init__(self, path: str) -> None:
        self._types = import_module("langchain_core.messages")
        self._checkpoint = import_module("langgraph.checkpoint.base").empty_checkpoint
        saver = import_module("langgraph.checkpoint.sqlite").SqliteSaver
        self._context = saver.from_conn_string(path)
        self._saver = self._context.__enter__()
        self._saver.setup()
        self._threads: dict[str, _Thread] = {}

    def shaped(self, message: dict[str, Any]) -> Any:  # noqa: ANN401 - of its package
        """Make one of its message objects."""
        content = message["content"]
        if message["role"] == "user":
            return self._types.HumanMessage(content)
        if message["role"] == "tool":
            return self._types.ToolMessage(
                content, tool_call_id=message["tool_call_id"], name=message["name"]
            )
        calls = [
            {
                "id": call["id"],
                "name": call["function"]["name"],
                "args": json.loads(call["function"]["arguments"]),
            }
            for call in message.get("tool_calls", ())
        ]
        return self._types.AIMessage(content, tool_calls=calls)

    def append(self, uid: str, entry: Any) -> None:  # noqa: ANN401
        """Write the message, then the checkpoint that it leads to."""
        thread = self._threads.get(uid)
        if thread is None:
            names = {"thread_id": uid, "checkpoint_ns": ""}
            thread = _Thread({"configurable": names}, [], 0)
        else:
            writes = [("messages", [entry])]
            self._saver.put_writes(thread.config, writes, f"task-{thread.step}")
        messages = [*thread.messages, entry]
        step = thread.step + 1
        checkpoint = self._checkpoint()
        versions = {"messages": f"{step:032}.0"}
        checkpoint["channel_values"] = {"messages": messages}
        checkpoint["channel_versions"] = versions
        config = self._saver.put(
            thread.config,
            checkpoint,
            {"source": "loop", "step": step, "parents": {}},
            versions,
        )
        self._threads[uid] = _Thread(config, messages, step)

    def load(self, uid: str) -> Any:  # noqa: ANN401
        """Read the newest checkpoint."""
        found = self._saver.get_tuple({"configurable": {"thread_id": uid}})
        return found.checkpoint["channel_values"]["messages"]

    def end(self, uid: str) -> None:
        """It has no word for that."""

    def settle(self) -> None:
        """Nothing is left for later."""

    def close(self) -> None:
        """Close the connection."""
        self._context.__exit__(None, None, None)


if __name__ == "__main__":
    run(LangGraph)
