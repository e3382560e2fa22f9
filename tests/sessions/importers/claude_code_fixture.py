"""Lines in the shapes that Claude Code writes, made by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SESSION = "0a1b2c3d-0000-4000-8000-000000000001"


class Log:
    """Writes one session's file line by line, each hung on the one before."""

    def __init__(
        self, session: str = SESSION, *, cwd: str = "/home/ada/engine"
    ) -> None:
        """Begin an empty log."""
        self.session = session
        self.cwd = cwd
        self.lines: list[dict[str, Any]] = []
        self.last: str | None = None

    def line(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Add any line; returns it, so that a test can bend it."""
        uuid = f"{self.session[-8:]}-{len(self.lines):04}"
        made = {
            "type": kind,
            "uuid": uuid,
            "parentUuid": self.last,
            "sessionId": self.session,
            "timestamp": f"2026-01-05T10:{len(self.lines) // 60:02}:{len(self.lines) % 60:02}.000Z",
            "cwd": self.cwd,
            "gitBranch": "main",
            "version": "2.1.7",
            "isSidechain": False,
            **fields,
        }
        self.lines.append(made)
        self.last = made["uuid"]
        return made

    def user(self, content: Any, **fields: Any) -> dict[str, Any]:
        """Add what stands in the user's place."""
        return self.line("user", message={"role": "user", "content": content}, **fields)

    def answer(
        self, *blocks: dict[str, Any], api_id: str | None = None, **fields: Any
    ) -> dict[str, Any]:
        """Add one line of an answer."""
        message = {
            "id": api_id or f"msg_{self.session[-4:]}_{len(self.lines):04}",
            "role": "assistant",
            "model": "model-a",
            "content": list(blocks),
            "usage": {
                "input_tokens": 10,
                "output_tokens": 5,
                "cache_read_input_tokens": 100,
                "cache_creation_input_tokens": 7,
            },
        }
        return self.line("assistant", message=message, requestId="req_1", **fields)

    def call(
        self, call_id: str, tool: str, *, api_id: str | None = None, **arguments: Any
    ) -> dict[str, Any]:
        """Add a call of a tool."""
        block = {"type": "tool_use", "id": call_id, "name": tool, "input": arguments}
        return self.answer(block, api_id=api_id)

    def result(
        self, call_id: str, content: Any, *, is_error: bool | None = None, **fields: Any
    ) -> dict[str, Any]:
        """Add the result of a call."""
        block: dict[str, Any] = {
            "type": "tool_result",
            "tool_use_id": call_id,
            "content": content,
        }
        if is_error is not None:
            block["is_error"] = is_error
        return self.user([block], **fields)

    def write(self, directory: Path, *, name: str | None = None) -> Path:
        """Write the file and return its path."""
        directory.mkdir(parents=True, exist_ok=True)
        path = directory / f"{name or self.session}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in self.lines))
        return path


def text(words: str) -> dict[str, Any]:
    """Return a block of text."""
    return {"type": "text", "text": words}
