"""Connections whose heads are bounded: a request line and headers, in length and in time.

uvicorn bounds neither with its fast parser: whoever can connect, known or not, could have a
head of any length kept in memory, or hold a connection for ever by never ending one.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD_BYTES = 64_000
"""Of all of a request that is not its body: also of what stands between and after chunks.

What comes in one read of the socket, at most 256 KiB, is looked at together.
"""
HEAD_SECONDS = 20.0
"""For the first head from when one connects, for others from their first byte."""
_TOO_LONG = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-length: 0\r\nconnection: close\r\n\r\n"
)


class BoundedHeads(HttpToolsProtocol):
    """One connection."""

    _has_head = False
    _framing_bytes = 0
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._begin_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._end_head()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came, and give up on who sends too much that is no body."""
        self._framing_bytes += len(data)
        super().data_received(data)
        if not self._framing_bytes or self.transport.is_closing():
            return  # the request is whole, as most are at once
        if self._framing_bytes > MOST_HEAD_BYTES:
            if not self._has_head:
                self.transport.write(_TOO_LONG)
            self.transport.close()
        elif self._deadline is None and not self._has_head:
            self._begin_head()

    def on_headers_complete(self) -> None:
        """Note that a head is whole."""
        self._has_head = True
        self._end_head()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Leave the body out of the count: the application counts it."""
        self._framing_bytes -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the next thing to come is a head."""
        self._has_head = False
        self._framing_bytes = 0
        super().on_message_complete()

    def _begin_head(self) -> None:
        self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _end_head(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
