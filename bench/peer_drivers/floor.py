"""The least that a SQLite store can do: one table, one INSERT, one commit, in WAL."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

from bench.peer_drivers.contract import run


class Floor:
    """One row a message, in the order in which they came."""

    is_async = False

    def __init__(self, path: str) -> None:
        apsw = import_module("apsw")
        self._connection = apsw.Connection(path)
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            self._connection.execute(f"PRAGMA {pragma}").fetchall()
        self._connection.set_busy_timeout(10_000)
        self._connection.execute(
            "CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY, uid TEXT, json TEXT)"
        )

    def shaped(self, message: dict[str, Any]) -> dict[str, Any]:
        """Take it as it is; writing JSON is part of the append."""
        return message

    def append(self, uid: str, entry: dict[str, Any]) -> None:
        """Insert one row."""
        self._connection.execute(
            "INSERT INTO messages (uid, json) VALUES (?, ?)", (uid, json.dumps(entry))
        )

    def load(self, uid: str) -> list[Any]:
        """Read all rows of a session, for want of an index by a scan."""
        rows = self._connection.execute(
            "SELECT json FROM messages WHERE uid = ? ORDER BY id", (uid,)
        )
        return [json.loads(text) for (text,) in rows]

    def end(self, uid: str) -> None:
        """It has no word for that."""

    def settle(self) -> None:
        """Nothing is left for later."""

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


if __name__ == "__main__":
    run(Floor)
