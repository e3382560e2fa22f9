"""Codex's rollouts as records, for tests: written to a file and read as sessions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from oldhand.sessions.importers.codex import SOURCE
from oldhand.sessions.importers.source import ReadContext
from oldhand.sessions.importers.tally import Tally
from oldhand.sessions.model import Message, Session

SESSION_ID = "019b76da-a800-7000-8000-000000000001"
Json = dict[str, Any]


def record(record_type: str, payload: Json) -> Json:
    stamp = "2026-01-01T00:00:00.000Z"
    return {"timestamp": stamp, "type": record_type, "payload": payload}


def item(item_type: str, **payload: Any) -> Json:
    return record("response_item", {"type": item_type, **payload})


def event(event_type: str, **payload: Any) -> Json:
    return record("event_msg", {"type": event_type, **payload})


def said(role: str, text: str) -> Json:
    kind = "output_text" if role == "assistant" else "input_text"
    return item("message", role=role, content=[{"type": kind, "text": text}])


def call(call_id: str, name: str = "shell", arguments: str = "{}") -> Json:
    return item("function_call", name=name, arguments=arguments, call_id=call_id)


def output(call_id: str, value: object) -> Json:
    return item("function_call_output", call_id=call_id, output=value)


def meta(**payload: Any) -> Json:
    return record("session_meta", {"id": SESSION_ID, "cwd": "/repo", **payload})


class Rollout:
    """Writes records to a file and reads them as one session."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / "rollout-2026-01-01.jsonl"
        self.tally = Tally()

    def __call__(self, *records: Json) -> Session:
        """Read the one session that the records make."""
        (session,) = self.sessions(*records)
        return session

    def sessions(self, *records: Json) -> list[Session]:
        """Read all sessions that the records make."""
        self.path.write_text("".join(json.dumps(line) + "\n" for line in records))
        return list(SOURCE.read(self.path, ReadContext(tally=self.tally)))

    def result(self, *records: Json) -> Message:
        """Read the one result that the records hold."""
        (message,) = [m for m in self(*records).messages if m.role == "tool"]
        return message
