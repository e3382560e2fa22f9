"""A large database of Hermes': its tables filled at once, listed, and scanned."""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.peer_drivers.contract import Answer, run_tasks, summary, timed
from bench.peer_drivers.hermes import Hermes
from bench.store_workload import Workload


def build(path: str, arguments: dict[str, Any]) -> Answer:
    """Fill its tables by bulk inserts, without its search index, to save minutes."""
    start = time.perf_counter()
    Hermes(path).close()
    connection = sqlite3.connect(path)
    _drop_triggers(connection)
    messages = 0
    for number, session in enumerate(
        Workload(arguments["seed"]).sessions(arguments["sessions"])
    ):
        connection.execute(
            "INSERT INTO sessions (id, source, started_at, message_count)"
            " VALUES (?, 'cli', ?, ?)",
            (session.uid, float(number * 1_000), len(session.messages)),
        )
        connection.executemany(
            "INSERT INTO messages (session_id, role, content, tool_call_id, tool_calls,"
            " tool_name, timestamp) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                _row(session.uid, message, number * 1_000 + place)
                for place, message in enumerate(session.messages)
            ],
        )
        messages += len(session.messages)
    connection.commit()
    connection.close()
    return {"seconds": time.perf_counter() - start, "messages": messages}


def recent(path: str, arguments: dict[str, Any]) -> Answer:
    """List 50 sessions, those with the newest message first, with their counts."""
    database = import_module("hermes_state").SessionDB(Path(path), read_only=True)

    def listing() -> None:
        found = database.list_sessions_rich(limit=50, order_by_last_active=True)
        if len(found) != 50:
            raise RuntimeError(f"{len(found)} sessions came back, not 50")

    return timed(listing, rounds=arguments["rounds"])


def mine(path: str, _arguments: dict[str, Any]) -> Answer:
    """Count outcome by tool and keys: read all rows, parse, match, look at the result.

    The look is a cheap one, two beginnings of a text; judging well would take longer.
    """
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    start = time.perf_counter()
    counts: Counter[tuple[str, str, str]] = Counter()
    made: dict[str, tuple[str, str]] = {}
    for role, content, call_id, calls in connection.execute(
        "SELECT role, content, tool_call_id, tool_calls FROM messages ORDER BY id"
    ):
        if calls:
            for call in json.loads(calls):
                function = call["function"]
                keys = " ".join(sorted(json.loads(function["arguments"])))
                made[call["id"]] = function["name"], keys
        elif role == "tool" and call_id in made:
            failed = content.startswith(('{"success": false', '{"error"'))
            counts[*made.pop(call_id), "error" if failed else "ok"] += 1
    seconds = time.perf_counter() - start
    return summary([seconds]) | {"calls": counts.total(), "groups": len(counts)}


def _drop_triggers(connection: sqlite3.Connection) -> None:
    names = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    ).fetchall()
    for (name,) in names:
        connection.execute(f"DROP TRIGGER {name}")


def _row(uid: str, message: dict[str, Any], at_seconds: int) -> tuple[Any, ...]:
    calls = message.get("tool_calls")
    return (
        uid,
        message["role"],
        message["content"],
        message.get("tool_call_id"),
        json.dumps(calls) if calls else None,
        message.get("name"),
        float(at_seconds),
    )


if __name__ == "__main__":
    run_tasks(build=build, recent=recent, mine=mine)
