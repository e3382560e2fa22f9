"""Databases in the documented shape of several versions of Hermes, for tests.

Hermes grew its tables column by column; here each version is the columns of the one before
it and its own.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import apsw

from oldhand.sessions.importers.hermes import SOURCE
from oldhand.sessions.importers.source import ReadContext
from oldhand.sessions.importers.tally import Tally
from oldhand.sessions.model import Session

START = 1_790_000_000.0

_SESSIONS = {
    11: """
        id TEXT PRIMARY KEY, source TEXT NOT NULL, user_id TEXT, model TEXT,
        model_config TEXT, system_prompt TEXT, parent_session_id TEXT,
        started_at REAL NOT NULL, ended_at REAL, end_reason TEXT,
        message_count INTEGER DEFAULT 0, tool_call_count INTEGER DEFAULT 0,
        input_tokens INTEGER DEFAULT 0, output_tokens INTEGER DEFAULT 0,
        cache_read_tokens INTEGER DEFAULT 0, cache_write_tokens INTEGER DEFAULT 0,
        reasoning_tokens INTEGER DEFAULT 0, billing_provider TEXT,
        billing_base_url TEXT, billing_mode TEXT, estimated_cost_usd REAL,
        actual_cost_usd REAL, cost_status TEXT, cost_source TEXT, pricing_version TEXT,
        title TEXT, api_call_count INTEGER DEFAULT 0, handoff_state TEXT,
        handoff_platform TEXT, handoff_error TEXT
    """,
    16: """
        cwd TEXT, rewind_count INTEGER NOT NULL DEFAULT 0,
        archived INTEGER NOT NULL DEFAULT 0
    """,
    22: """
        session_key TEXT, chat_id TEXT, chat_type TEXT, thread_id TEXT,
        display_name TEXT, origin_json TEXT, expiry_finalized INTEGER DEFAULT 0,
        git_branch TEXT, git_repo_root TEXT, profile_name TEXT
    """,
    30: """
        system_prompt_hash TEXT, created_source TEXT, title_source TEXT,
        tool_names TEXT, hidden INTEGER DEFAULT 0, pinned INTEGER DEFAULT 0
    """,
}
_MESSAGES = {
    11: """
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session_id TEXT NOT NULL REFERENCES sessions(id), role TEXT NOT NULL,
        content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT,
        timestamp REAL NOT NULL, token_count INTEGER, finish_reason TEXT,
        reasoning TEXT, reasoning_content TEXT, reasoning_details TEXT,
        codex_reasoning_items TEXT, codex_message_items TEXT
    """,
    16: """
        platform_message_id TEXT, observed INTEGER DEFAULT 0,
        active INTEGER NOT NULL DEFAULT 1
    """,
    22: """
        compacted INTEGER NOT NULL DEFAULT 0, effect_disposition TEXT, api_content TEXT
    """,
    30: """
        _compressed_summary INTEGER, display_kind TEXT, display_metadata TEXT,
        display_identity TEXT, display_order INTEGER
    """,
}
_OTHERS = {
    22: """
        CREATE TABLE session_model_usage(
            session_id TEXT NOT NULL, model TEXT NOT NULL,
            billing_provider TEXT NOT NULL DEFAULT '', task TEXT NOT NULL DEFAULT '',
            input_tokens INTEGER NOT NULL DEFAULT 0,
            output_tokens INTEGER NOT NULL DEFAULT 0,
            cache_read_tokens INTEGER NOT NULL DEFAULT 0,
            cache_write_tokens INTEGER NOT NULL DEFAULT 0,
            estimated_cost_usd REAL NOT NULL DEFAULT 0,
            actual_cost_usd REAL NOT NULL DEFAULT 0, cost_status TEXT,
            PRIMARY KEY (session_id, model, billing_provider, task))
    """,
    30: "CREATE TABLE system_prompts(hash TEXT PRIMARY KEY, prompt TEXT NOT NULL)",
}
VERSIONS = (11, 16, 22, 30)


class HermesDatabase:
    """A state.db that a test fills, in write-ahead mode and open as if Hermes ran.

    Args:
        path: Where to make it; its directory is made too.
        version: One of `VERSIONS`.
    """

    def __init__(self, path: Path, version: int = 22) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.version = version
        self._now = START
        self._connection = apsw.Connection(str(path))
        self.run("PRAGMA journal_mode=WAL")
        self.run("PRAGMA synchronous=OFF")
        self.run("CREATE TABLE schema_version(version INTEGER NOT NULL)")
        self.run("INSERT INTO schema_version VALUES (?)", version)
        self.run(f"CREATE TABLE sessions({self._columns(_SESSIONS)})")
        self.run(f"CREATE TABLE messages({self._columns(_MESSAGES)})")
        self.run("CREATE INDEX by_session ON messages(session_id, timestamp)")
        for since, statement in _OTHERS.items():
            if since <= version:
                self.run(statement)

    def session(self, session_id: str = "s1", **columns: Any) -> str:
        """Add a session and return its id."""
        row = {"source": "cli", "started_at": START, **columns}
        self.insert("sessions", id=session_id, **row)
        return session_id

    def say(
        self, role: str, content: str | None, session_id: str = "s1", **columns: Any
    ) -> int:
        """Add a message, ten seconds after the last, and return its id."""
        self._now += 10.0
        row = {"timestamp": self._now, **columns}
        self.insert(
            "messages", session_id=session_id, role=role, content=content, **row
        )
        return self._connection.last_insert_rowid()

    def call(
        self,
        tool: str,
        arguments: dict[str, Any],
        result: str,
        *,
        call_id: str,
        session_id: str = "s1",
        **columns: Any,
    ) -> None:
        """Add a call and its result, both with `columns`."""
        calls = json.dumps([_call(tool, arguments, call_id)])
        self.say("assistant", "", session_id, tool_calls=calls, **columns)
        self.say("tool", result, session_id, tool_call_id=call_id, **columns)

    def use(self, model: str, session_id: str = "s1", **columns: Any) -> None:
        """Add what a session used of one model."""
        self.insert(
            "session_model_usage", session_id=session_id, model=model, **columns
        )

    def insert(self, table: str, **columns: Any) -> None:
        """Add a row to any table."""
        names, marks = ", ".join(columns), ", ".join("?" * len(columns))
        self.run(f"INSERT INTO {table}({names}) VALUES ({marks})", *columns.values())  # noqa: S608 - names from a test

    def run(self, statement: str, *values: Any) -> None:
        """Run one statement."""
        self._connection.execute(statement, values).fetchall()

    def close(self) -> None:
        """Close it, which moves the log into the file."""
        self._connection.close()

    def _columns(self, by_version: dict[int, str]) -> str:
        return ", ".join(
            part for since, part in by_version.items() if since <= self.version
        )


def _call(tool: str, arguments: dict[str, Any], call_id: str) -> dict[str, Any]:
    return {
        "id": call_id,
        "call_id": call_id,
        "type": "function",
        "function": {"name": tool, "arguments": json.dumps(arguments)},
    }


def read_home(path: Path, **context: Any) -> tuple[list[Session], Tally]:
    """Read all sessions below a home of Hermes, or in one file."""
    tally = Tally()
    files = list(SOURCE.find(path))
    sessions = [
        session
        for file in files
        for session in SOURCE.read(file, ReadContext(tally=tally, **context))
    ]
    return sessions, tally
