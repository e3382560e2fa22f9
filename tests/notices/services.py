"""A real HTTP server on loopback that answers as services of messages do."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, NamedTuple, Self

OK = b'{"ok": true, "result": {}}'


class Reply(NamedTuple):
    """What the service answers."""

    status: int = 200
    body: bytes = OK
    headers: dict[str, str] = {}  # noqa: RUF012 - never changed


class Received(NamedTuple):
    """What came in."""

    path: str
    body: Any


class Service:
    """Keeps what it was sent; answers from `replies`, then always with success."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.replies: deque[Reply] = deque()
        self.before_reply: Callable[[BaseHTTPRequestHandler], None] = lambda _: None
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.received.append(Received(self.path, json.loads(body)))
                service.before_reply(self)
                reply = service.replies.popleft() if service.replies else Reply()
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(reply.body)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}
        )

    def texts(self) -> list[str]:
        """Return the texts that came, as Telegram or Discord name them."""
        return [
            each.body.get("text", each.body.get("content")) for each in self.received
        ]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
