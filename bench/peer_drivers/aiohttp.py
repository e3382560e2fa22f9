"""The first design of the confirmation daemon, from its description, as a server to measure.

Requests wait in a dict; one row of SQLite for each is the whole audit, written over at the
decision; each change is a commit of its own, on the event loop, in WAL with FULL. Nobody is
authenticated, there is no policy and no chain: it does less than what it is held against.

    python -P aiohttp.py DATABASE    prints its port
"""

from __future__ import annotations

import asyncio
import json
import socket
import sqlite3
import sys
import time
from importlib import import_module
from typing import Any
from uuid import uuid4

web: Any = import_module("aiohttp.web")
_TABLE = """CREATE TABLE audit (id TEXT PRIMARY KEY, action TEXT, description TEXT,
    details TEXT, session_key TEXT, status TEXT, approver TEXT, created REAL, decided REAL)"""


class Daemon:
    """Holds what is pending, and writes the audit."""

    def __init__(self, path: str) -> None:
        """Open the database."""
        self._pending: dict[str, dict[str, Any]] = {}
        self._database = sqlite3.connect(path)
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute("PRAGMA synchronous=FULL")
        self._database.execute(_TABLE)

    def app(self) -> Any:  # noqa: ANN401 - another environment's type
        """Return the application."""
        app = web.Application()
        app.router.add_post("/confirm", self.ask)
        app.router.add_post("/confirm/{id}/approve", self.approve)
        app.router.add_get("/confirm/{id}", self.show)
        return app

    async def ask(self, request: Any) -> Any:  # noqa: ANN401 - as above
        """Hold an action."""
        body = await request.json()
        action = (body.get("action") or "").strip()
        if not action:
            return web.json_response({"error": "action is required"}, status=400)
        held = {
            "id": uuid4().hex[:12],
            "action": action,
            "description": body.get("description", ""),
            "details": body.get("details", {}),
            "session_key": body.get("session_key", ""),
            "status": "pending",
            "approver": None,
            "created": time.time(),
            "decided": None,
            "timeout": 300,
        }
        self._pending[held["id"]] = held
        self._write(held)
        answer = {
            "id": held["id"],
            "status": "pending",
            "timeout": 300,
            "approve_url": f"/confirm/{held['id']}/approve",
            "deny_url": f"/confirm/{held['id']}/deny",
        }
        return web.json_response(answer, status=202)

    async def approve(self, request: Any) -> Any:  # noqa: ANN401 - as above
        """Approve, whoever it is."""
        held = self._pending.get(request.match_info["id"])
        if held is None:
            return web.json_response({"error": "not found"}, status=404)
        if held["status"] != "pending":
            return web.json_response({"error": "already decided"}, status=409)
        body = await request.json()
        held |= {
            "status": "approved",
            "approver": body.get("approver", "unknown"),
            "decided": time.time(),
        }
        self._write(held)
        return web.json_response({"id": held["id"], "status": "approved"})

    async def show(self, request: Any) -> Any:  # noqa: ANN401 - as above
        """Say what became of it."""
        held = self._pending.get(request.match_info["id"])
        if held is None:
            return web.json_response({"error": "not found"}, status=404)
        if held["status"] == "pending" and time.time() > held["created"] + 300:
            held["status"] = "expired"
            self._write(held)
        return web.json_response(held)

    def _write(self, held: dict[str, Any]) -> None:
        self._database.execute(
            "INSERT OR REPLACE INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                held["id"], held["action"], held["description"],
                json.dumps(held["details"]), held["session_key"], held["status"],
                held["approver"], held["created"], held["decided"],
            ),
        )  # fmt: skip
        self._database.commit()


def main() -> None:
    """Serve until the process is ended."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=2_048)
    print(json.dumps({"port": listening.getsockname()[1]}), flush=True)
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    web.run_app(
        Daemon(sys.argv[1]).app(),
        sock=listening,
        print=None,
        access_log=None,
        loop=loop,
    )


if __name__ == "__main__":
    main()
