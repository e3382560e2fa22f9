"""One question to the daemon and its answer, over `http.client` and nothing else.

What comes back is not trusted: it is bounded in size, must be a JSON object, and a redirect
is never followed, as a token would go along. No proxy of the environment is asked either.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from oldhand.errors import InvalidInput, Unreachable
from oldhand.integrations.gate.listener import stranger_at

MAX_ANSWER_BYTES = 16 * 1024 * 1024
"""A request's details, before and after an edit, and what was edited, each of a megabyte."""
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_REDIRECTS = range(300, 400)


class Address(NamedTuple):
    """Where the daemon is.

    Attributes:
        is_own: It is this user's own daemon, so that nobody else may listen there.
    """

    scheme: str
    host: str
    port: int
    is_own: bool = False

    @property
    def is_here(self) -> bool:
        """Whether it is on this machine."""
        return self.host in _LOOPBACK

    @property
    def origin(self) -> str:
        """As a browser names it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        is_usual = self.port == _PORTS[self.scheme]
        return f"{self.scheme}://{host}" + ("" if is_usual else f":{self.port}")


class Reply(NamedTuple):
    """What came back: a JSON object, with names of headers in lower case."""

    status: int
    headers: Mapping[str, str]
    value: dict[str, Any]
    cookies: tuple[str, ...]


_PORTS = {"http": 80, "https": 443}


def read_address(url: str) -> Address:
    """Read the URL of a daemon.

    Raises:
        InvalidInput: It is no URL of one; or it is `http:` to another machine, where a
            token would go through the net for all to read.

    Example:
        >>> read_address("http://localhost:6060/").origin
        'http://localhost:6060'
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as fault:
        raise InvalidInput(f"{url!r} is no URL: {fault}") from fault
    has_more = parts.path.strip("/") or parts.query or parts.fragment or parts.username
    if parts.scheme not in _PORTS or not host or has_more or not url.isprintable():
        raise InvalidInput(
            f"{url!r} is no address of a daemon; expected one like http://localhost:6060"
        )
    if parts.scheme == "http" and host not in _LOOPBACK:
        raise InvalidInput(
            f"{url!r}: another machine must be asked by https, or the token could be read"
        )
    return Address(parts.scheme, host, _PORTS[parts.scheme] if port is None else port)


def exchange(
    address: Address,
    method: str,
    path: str,
    *,
    headers: Mapping[str, str],
    body: Mapping[str, Any] | None = None,
    timeout_seconds: float,
) -> Reply:
    """Ask once.

    Raises:
        OSError: Nobody answers there, or not in time.
        Unreachable: What answers is not the daemon, or another user's program.
    """
    connection = _connection(address, timeout_seconds)
    sent = {
        "Host": address.origin.partition("://")[2],
        "Accept": "application/json",
        "Connection": "close",
        **headers,
    }
    data = None
    if body is not None:
        data = json.dumps(body, allow_nan=False).encode()
        sent["Content-Type"] = "application/json"
    try:
        connection.connect()
        _check_listener(address)
        connection.request(method, path, body=data, headers=sent)
        answer = connection.getresponse()
        text = answer.read(MAX_ANSWER_BYTES + 1)
    except OSError as fault:  # RemoteDisconnected is one, too
        if _is_not_trusted(address, fault):
            raise Unreachable(
                f"{address.origin} shows a certificate that this machine does not trust; "
                "SSL_CERT_FILE names one that it is to"
            ) from fault
        raise
    except http.client.HTTPException as fault:
        raise Unreachable(
            f"{address.origin} does not speak HTTP as expected: {type(fault).__name__}"
        ) from fault
    finally:
        connection.close()
    if answer.status in _REDIRECTS:
        raise Unreachable(f"{address.origin} sends elsewhere, and nobody follows there")
    if len(text) > MAX_ANSWER_BYTES:
        raise Unreachable(
            f"{address.origin} answered more than {MAX_ANSWER_BYTES:,} bytes"
        )
    return Reply(
        answer.status,
        {name.lower(): value for name, value in answer.getheaders()},
        _object_in(text, address),
        tuple(answer.headers.get_all("Set-Cookie") or ()),
    )


def _connection(address: Address, timeout_seconds: float) -> http.client.HTTPConnection:
    host, port = address.host, address.port
    if address.scheme == "https":
        return http.client.HTTPSConnection(host, port, timeout=timeout_seconds)
    # The daemon listens there. `::1`, which else comes first, another user can take, and be
    # handed tokens and passwords.
    host = "127.0.0.1" if host == "localhost" else host
    return http.client.HTTPConnection(host, port, timeout=timeout_seconds)


def _check_listener(address: Address) -> None:
    if not (address.is_own and address.is_here):
        return
    stranger = stranger_at(address.port)
    if stranger is not None:
        raise Unreachable(
            f"at {address.origin} a program of another user listens (number {stranger}), and "
            "was told nothing; take another port"
        )


def _is_not_trusted(address: Address, fault: OSError) -> bool:
    if address.scheme == "http":
        return False
    import ssl  # noqa: PLC0415 - only where it is there already

    return isinstance(fault, ssl.SSLCertVerificationError)


def _object_in(text: bytes, address: Address) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise Unreachable(f"{address.origin} answered no JSON") from fault
    if not isinstance(value, dict):
        raise Unreachable(f"{address.origin} answered no JSON object")
    return value
