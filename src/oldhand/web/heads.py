"""Connections whose heads are bounded: a request line and headers, in length and in time.

uvicorn bounds neither with its fast parser: whoever can connect, known or not, could have a
head of any length kept in memory, or hold a connection for ever by never ending one.
"""

from __future__ import annotations

import asyncio
from urllib.parse import unquote

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from oldhand.web.answers import WRITE
from oldhand.web.exchange import Exchange
from oldhand.web.patience import Patience
from oldhand.web.security import BODY

MOST_HEAD_BYTES = 64_000
"""Of all of a request that is not its body: also of what stands between and after chunks.

What comes in one read of the socket, at most 256 KiB, is looked at together.
"""
MOST_BODY_BYTES = 64_000
"""Of a body that is at hand when its request is answered; a longer one is read as it comes."""
HEAD_SECONDS = 20.0
"""For the first head from when one connects, for others from their first byte."""
_TOO_LONG = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-length: 0\r\nconnection: close\r\n\r\n"
)


class BoundedHeads(HttpToolsProtocol):
    """One connection."""

    _has_head = False
    _is_in_head = True
    _is_new = False
    _framing_bytes = 0
    _patience: Patience

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._patience = Patience(self.loop, transport.close)
        self._patience.begin(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._patience.close()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came, and give up on who sends too much that is no body."""
        self._framing_bytes += len(data)
        self._is_new = False
        super().data_received(data)
        if not self._framing_bytes or self.transport.is_closing():
            return  # the request is whole, as most are at once
        if self._framing_bytes > MOST_HEAD_BYTES:
            if not self._has_head:
                self.transport.write(_TOO_LONG)
            self.transport.close()
        elif not self._has_head and not self._is_in_head:
            self._is_in_head = True
            self._patience.begin(HEAD_SECONDS)

    def on_headers_complete(self) -> None:
        """Have the request of a whole head answered, after those before it."""
        self._has_head = self._is_new = True
        self._is_in_head = False
        self._patience.end()
        before = self.cycle
        self.cycle = self._exchange()
        if before is None or before.response_complete:  # type: ignore[redundant-expr]
            self._start_asgi_task(self.cycle, self.app)
        else:
            self.flow.pause_reading()
            self.pipeline.appendleft((self.cycle, self.app))

    def on_body(self, body: bytes) -> None:
        """Leave the body out of the count: the application counts it."""
        self._framing_bytes -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the next thing to come is a head."""
        self._has_head = False
        self._framing_bytes = 0
        super().on_message_complete()
        # Nobody has begun to read it yet: to have it without waiting for it saves 6 us.
        if self._is_new and len(self.cycle.body) <= MOST_BODY_BYTES:
            self.scope[BODY] = bytes(self.cycle.body)  # type: ignore[literal-required]

    def on_response_complete(self) -> None:
        """Go on with the next request, or wait for one."""
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
        elif not self._is_in_head:
            self._patience.begin(self.timeout_keep_alive)

    def _unset_keepalive_if_required(self) -> None:
        """Called where something came in; a head that has begun is waited for on."""
        if not self._is_in_head:
            self._patience.end()

    def _exchange(self) -> Exchange:
        scope, parser = self.scope, self.parser
        version = parser.get_http_version()
        url = httptools.parse_url(self.url)
        path = url.path.decode("ascii")
        scope["method"] = parser.get_method().decode("ascii")
        scope["http_version"] = version
        scope["raw_path"] = url.path
        scope["path"] = unquote(path) if "%" in path else path
        scope["query_string"] = url.query or b""
        exchange = Exchange(
            scope=scope,
            transport=self.transport,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=False,
            default_headers=self.server_state.default_headers,
            message_event=asyncio.Event(),
            expect_100_continue=self.expect_100_continue,
            keep_alive=version != "1.0" and parser.should_keep_alive(),
            on_response=self.on_response_complete,
        )
        scope[WRITE] = exchange.write  # type: ignore[literal-required]
        return exchange
