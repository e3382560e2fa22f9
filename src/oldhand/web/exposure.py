"""To whom the daemon shows itself, and where it listens."""

from __future__ import annotations

import errno
import socket
import ssl
from pathlib import Path
from typing import NamedTuple

from oldhand.errors import InvalidInput
from oldhand.web.address import Address, address_of
from oldhand.web.ports import check_port

_LOOPBACK = {"127.0.0.1", "localhost", "::1", ""}
_ANY = {"0.0.0.0", "::"}  # noqa: S104 - to know them when they are asked for
_BACKLOG = 2048
_TRIES = 20


class Exposure(NamedTuple):
    """Where a daemon is to listen, and how it is reached.

    Attributes:
        host: A name or a number; by default this machine alone.
        port: 0: one that is free.
        tls_cert: A file with the certificate, PEM; `tls_key` with its key.
        public_url: How it is reached from elsewhere.
        is_behind_proxy: A proxy before it speaks TLS, under `public_url`.
        insecure_reason: Why it may be reached from elsewhere without TLS.
    """

    host: str = "127.0.0.1"
    port: int = 6060
    tls_cert: str | None = None
    tls_key: str | None = None
    public_url: str | None = None
    is_behind_proxy: bool = False
    insecure_reason: str = ""


def check_exposure(exposure: Exposure) -> None:
    """Refuse what no browser opens, and what others could listen in on.

    Raises:
        InvalidInput: With what to do instead.
    """
    check_port(exposure.port)
    if bool(exposure.tls_cert) != bool(exposure.tls_key):
        raise InvalidInput("TLS needs both a certificate and its key")
    if exposure.tls_cert and exposure.tls_key:
        _check_certificate(exposure.tls_cert, exposure.tls_key)
    address_at(exposure, port=exposure.port)
    is_https = (exposure.public_url or "").startswith("https://")
    if exposure.is_behind_proxy and not is_https:
        raise InvalidInput(
            "behind a proxy, the address at which the proxy speaks TLS is needed: "
            "--url https://…"
        )
    if exposure.host in _LOOPBACK:
        return
    is_open = not (exposure.tls_cert or exposure.is_behind_proxy)
    if is_open and not exposure.insecure_reason.strip():
        raise InvalidInput(
            f"{exposure.host}: others on the network could read passwords and tokens; give "
            "--tls-cert and --tls-key, or --behind-proxy, or say why not: "
            "--insecure REASON"
        )
    if exposure.host in _ANY and exposure.public_url is None:
        raise InvalidInput(
            f"{exposure.host} is every address and no name: say how it is reached, --url "
            "https://…; requests for other names are refused"
        )


def listen(exposure: Exposure) -> list[socket.socket]:
    """Bind the sockets, all to one port; the loopback in both its forms.

    A browser may take either for `localhost`: on the one that were left free another
    program could show a page in our place.

    Raises:
        InvalidInput: The host is none of this machine, or the port is taken.
    """
    if exposure.host not in _LOOPBACK:
        return [_bound(exposure.host, exposure.port)]
    for _ in range(_TRIES):
        first = _bound("127.0.0.1", exposure.port)
        try:
            return [first, *_bound_v6(first.getsockname()[1])]
        except InvalidInput:
            first.close()
            if exposure.port:
                raise
    raise InvalidInput("no port is free at both 127.0.0.1 and ::1")


def address_at(exposure: Exposure, *, port: int) -> Address:
    """Return the names under which it is reached at the port that was bound."""
    return address_of(
        host=exposure.host,
        port=port,
        has_tls=exposure.tls_cert is not None,
        public_url=exposure.public_url,
    )


def _check_certificate(cert: str, key: str) -> None:
    """Refuse a certificate or a key that cannot be used, before anything is begun."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    for file in (cert, key):
        try:
            Path(file).read_bytes()
        except OSError as fault:
            raise InvalidInput(f"{file}: {fault.strerror}") from fault
    try:
        context.load_cert_chain(cert, key, password="")
    except (ssl.SSLError, ValueError) as fault:
        raise InvalidInput(f"{cert}, {key}: no certificate with its key") from fault


def _bound(host: str, port: int) -> socket.socket:
    try:
        found = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except OSError as fault:
        raise InvalidInput(f"{host}: {fault.strerror}") from fault
    family, _, _, _, where = found[0]
    # With its protocol by name: asyncio sends at once only from sockets that it knows for
    # TCP. From others each answer waited 40 ms for the client to confirm its first half.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listening.bind(where)
        listening.listen(_BACKLOG)
    except OSError as fault:
        listening.close()
        said = fault.strerror or str(fault)
        if fault.errno == errno.EADDRINUSE:
            said = "another program listens there; is oldhand running? Else take --port"
        raise InvalidInput(f"{host} port {port}: {said}") from fault
    return listening


def _bound_v6(port: int) -> list[socket.socket]:
    if not socket.has_ipv6:
        return []
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
            probe.bind(("::1", 0))
    except OSError:  # this machine has no IPv6, so that nobody else can listen there
        return []
    return [_bound("::1", port)]
