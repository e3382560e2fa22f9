"""One POST of JSON to a service, with the patience of a good guest.

After a refusal for all (429, 5xx, no connection) the service is left alone for as long as
it asked, so that a hundred waiting messages do not knock a hundred times. An answer has a
time limit as a whole: one that comes byte by byte would outlast every other limit.
"""

from __future__ import annotations

import http.client
import json
import math
import ssl
import threading
from collections.abc import Sequence
from contextlib import closing, suppress
from http import HTTPStatus
from socket import SHUT_RDWR
from typing import Any
from urllib.parse import urlsplit

from oldhand.notices.channels.channel import NotSent
from oldhand.notices.channels.rest import Rest
from oldhand.notices.visible import visible
from oldhand.redact import redact

_MAX_ANSWER_BYTES = 65_536
_MAX_WHY_CHARS = 200
_MIN_SECRET_CHARS = 8


class JsonPoster:
    """Posts to one service.

    Args:
        base_url: `http(s)://host[:port][/path]`.
        secrets: What must not stand in a fault: the token, the path that holds it.
        timeout_seconds: For each step: to connect, to be answered.
        answer_seconds: For the answer as a whole.
        rest: How long the service is left alone; the usual by default.
    """

    def __init__(
        self,
        base_url: str,
        *,
        secrets: Sequence[str] = (),
        timeout_seconds: float = 10.0,
        answer_seconds: float = 20.0,
        rest: Rest | None = None,
    ) -> None:
        """Remember where; nothing is opened."""
        self._url = urlsplit(base_url)
        # One of a few characters is no secret, and would take other words apart.
        self._secrets = [each for each in secrets if len(each) >= _MIN_SECRET_CHARS]
        self._timeout_seconds = timeout_seconds
        self._answer_seconds = answer_seconds
        self._rest = rest or Rest()

    def post(self, path: str, body: object) -> Any:  # noqa: ANN401 - any JSON value
        """Post JSON; return the answer's JSON, or None where it is none.

        Raises:
            NotSent: No connection, no answer in time, or one that is no success.
        """
        self._rest.check()
        try:
            status, retry_header, data = self._exchange(path, json.dumps(body).encode())
        except (OSError, http.client.HTTPException, ValueError) as fault:
            self._rest.begin()
            why = self._clean(f"{type(fault).__name__}: {fault}")
            raise NotSent(why) from None  # the fault may hold the address
        answer = _json(data)
        if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
            return answer
        retry_after = _seconds(retry_header) or _seconds(_asked(answer))
        if (
            status == HTTPStatus.TOO_MANY_REQUESTS
            or status >= HTTPStatus.INTERNAL_SERVER_ERROR
        ):
            self._rest.begin(retry_after)
        raise NotSent(
            self._clean(f"{status} {_explanation(answer)}".strip()),
            retry_after=retry_after,
        )

    def _exchange(self, path: str, body: bytes) -> tuple[int, str | None, bytes]:
        with closing(self._connection()) as connection:
            connection.connect()
            guard = threading.Timer(
                self._answer_seconds, _shut, args=(connection.sock,)
            )
            guard.daemon = True
            guard.start()
            try:
                connection.request(
                    "POST",
                    self._url.path.rstrip("/") + path,
                    body,
                    {"Content-Type": "application/json", "User-Agent": "oldhand"},
                )
                with connection.getresponse() as answer:
                    data = answer.read(_MAX_ANSWER_BYTES)
                    return answer.status, answer.headers.get("Retry-After"), data
            finally:
                guard.cancel()

    def _connection(self) -> http.client.HTTPConnection:
        host, port = self._url.hostname or "", self._url.port
        if self._url.scheme == "http":
            return http.client.HTTPConnection(host, port, timeout=self._timeout_seconds)
        return http.client.HTTPSConnection(
            host,
            port,
            timeout=self._timeout_seconds,
            context=ssl.create_default_context(),
        )

    def _clean(self, why: str) -> str:
        for secret in self._secrets:
            why = why.replace(secret, "[redacted]")
        return visible(redact(why))[:_MAX_WHY_CHARS]


def _shut(sock: Any) -> None:  # noqa: ANN401 - a socket, plain or TLS
    with suppress(OSError):  # closed already
        sock.shutdown(SHUT_RDWR)


def _json(data: bytes) -> Any:  # noqa: ANN401 - any JSON value
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _asked(answer: object) -> object:
    """Find how long to wait in what Discord and Telegram answer."""
    if not isinstance(answer, dict):
        return None
    inner = answer.get("parameters")
    return answer.get("retry_after") or (
        inner.get("retry_after") if isinstance(inner, dict) else None
    )


def _seconds(value: object) -> float | None:
    try:
        seconds = float(value)  # type: ignore[arg-type]  # anything may come
    except (TypeError, ValueError, OverflowError):
        return None
    return seconds if 0 < seconds < math.inf else None


def _explanation(answer: object) -> str:
    """Return Telegram's or Discord's own words for a refusal."""
    if not isinstance(answer, dict):
        return ""
    return str(answer.get("description") or answer.get("message") or "")
