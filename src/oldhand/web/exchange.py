"""One request and its answer; an answer in JSON leaves in one write.

uvicorn writes head and body apart, two system calls for us and two reads for the client,
and looks each header over by two patterns: 25 of the 90 us that it takes for a request.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from uvicorn.protocols.http.httptools_impl import (
    HEADER_RE,
    HEADER_VALUE_RE,
    STATUS_LINE,
    RequestResponseCycle,
)

from oldhand.web.answers import JSON_HEADERS, WRITE, Header

_LINES = {header: b"%b: %b\r\n" % header for header in JSON_HEADERS}


class Exchange(RequestResponseCycle):
    """One request that is under way on a connection."""

    def write(self, status: int, headers: list[Header], body: bytes) -> bool:
        """Write a whole answer; False where nothing was, as it is for uvicorn to do.

        Args:
            status: Of HTTP.
            headers: With the length of the body.
            body: All of it.
        """
        if not self.keep_alive or self.disconnected or self.flow.write_paused:
            return False
        lines = _lines_of(headers)
        if lines is None or self.scope["method"] == "HEAD":
            return False
        self.scope.pop(WRITE)  # type: ignore[misc]  # which holds this: no work for the collector
        usual = _usual_lines(*self.default_headers)
        self.transport.write(
            b"".join((STATUS_LINE[status], usual, *lines, b"\r\n", body))
        )
        self.response_started = self.response_complete = True
        self.message_event.set()
        self.on_response()
        return True


@lru_cache(maxsize=2)  # the date, which changes once a second
def _usual_lines(*headers: Header) -> bytes:
    return b"".join(b"%b: %b\r\n" % header for header in headers)


def _lines_of(headers: Iterable[Header]) -> list[bytes] | None:
    """Write headers; None where uvicorn would refuse one."""
    lines = []
    for header in headers:
        line = _LINES.get(header)
        if line is None:
            if HEADER_RE.search(header[0]) or HEADER_VALUE_RE.search(header[1]):
                return None
            line = b"%b: %b\r\n" % header
        lines.append(line)
    return lines
