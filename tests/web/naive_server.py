"""A confirmation server as one writes it in an hour, on which every attack succeeds.

It is what the attacks of `test_attacks.py` are shown to work against; nothing of it is
ever served by oldhand.
"""

# ruff: noqa: D102 - each is a word that says it
from __future__ import annotations

import itertools
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs


class NaiveServer(ThreadingHTTPServer):
    """Requests in a dict, approvals from whoever posts them."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: dict[str, dict[str, Any]] = {}
        self.numbers = itertools.count(1)
        self.asked_for: dict[str, int] = {}
        self.links = {"link": "eve"}
        self.sessions: dict[str, str] = {}
        self.now = time.time()
        self._thread = threading.Thread(target=self.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://localhost:{self.server_address[1]}"

    def stop(self) -> None:
        self.shutdown()
        self.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: NaiveServer

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self._answer(self._get)

    def do_POST(self) -> None:
        self._answer(self._post)

    def _answer(self, handle: Any) -> None:
        try:
            status, value = handle(self.path.partition("?")[0].strip("/").split("/"))
        except Exception as fault:  # noqa: BLE001 - as such servers do
            status, value = 500, {"error": repr(fault)}
        data = json.dumps(value).encode()
        self.send_response(status)
        if isinstance(value, dict) and "session" in value:
            self.send_header("Set-Cookie", f"oldhand_session={value['session']}")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _get(self, path: list[str]) -> tuple[int, Any]:
        if path[0] == "welcome":
            self.server.links.pop(path[1])
            return 200, {"signed": "in"}
        if path[0] == "sign-in":
            name = self.server.sessions.get(self._cookie())
            return (200, {"name": name}) if name else (404, {})
        if len(path) == 1:
            return 200, {"requests": list(self.server.requests.values())}
        found = self.server.requests.get(path[1])
        return (200, found) if found else (404, {})

    def _post(self, path: list[str]) -> tuple[int, Any]:  # noqa: PLR0911 - no router
        body = self._body()
        if path[0] == "sign-in":
            session = self._cookie() or "s1"
            self.server.sessions[session] = body["name"]
            return 200, {"session": session}
        if path[0] == "welcome":
            return (200 if self.server.links.pop(path[1], None) else 401), {}
        if len(path) == 1:
            return self._submit(body)
        found = self.server.requests[path[1]]
        if path[2] == "consume":
            return (
                (200, {"grant": "ok"}) if found["status"] == "approved" else (409, {})
            )
        if path[2] == "cancel":
            found["status"] = "cancelled"
            return 200, found
        before = found["status"]
        time.sleep(0.002)  # what a database takes
        if before in {"pending", "approved"}:
            found["status"] = "approved" if path[2] == "approve" else "denied"
            return 200, found
        return 409, {}

    def _submit(self, body: Any) -> tuple[int, Any]:
        action = (body.get("action") or "").strip()
        if self.server.asked_for.get(action, 0) >= 10:
            return 429, {}
        self.server.asked_for[action] = self.server.asked_for.get(action, 0) + 1
        key = self.headers.get("Idempotency-Key")
        number = key or f"{next(self.server.numbers):026d}"
        found = self.server.requests.setdefault(
            number, {"id": number, "status": "pending", "rev": 1, "digest": "0" * 64}
        )
        found |= {"action": action, "details": body["details"]}
        return 202, found

    def _body(self) -> Any:
        if self.headers.get("Transfer-Encoding"):
            data = b""
            while size := int(self.rfile.readline(), 16):
                data += self.rfile.read(size)
                self.rfile.readline()
        else:
            data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if "form" in self.headers.get("Content-Type", ""):
            return {name: values[0] for name, values in parse_qs(data.decode()).items()}
        return json.loads(data or b"{}")

    def _cookie(self) -> str:
        return self.headers.get("Cookie", "").partition("oldhand_session=")[2]
