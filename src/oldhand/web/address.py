"""Where the daemon is reached: what it prints, what it links to, and whom it answers."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlsplit

from oldhand.errors import InvalidInput

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_DEFAULT_PORTS = {"http": 80, "https": 443}


class Address(NamedTuple):
    """The names under which a daemon is reached.

    Attributes:
        url: What is printed and linked to, without a slash at the end.
        hosts: What a `Host` header may say, in lower case.
        origins: What an `Origin` header may say.
        is_secure: It is reached by TLS, so that cookies are for that alone.
    """

    url: str
    hosts: frozenset[str]
    origins: frozenset[str]
    is_secure: bool

    @property
    def cookie_name(self) -> str:
        """Of the session; the prefix has a browser keep it to this host and to TLS."""
        return f"{'__Host-' if self.is_secure else ''}oldhand_session"


def address_of(
    *, host: str, port: int, has_tls: bool = False, public_url: str | None = None
) -> Address:
    """Work out under which names a daemon is reached.

    Args:
        host: To which it is bound.
        port: Likewise.
        has_tls: Whether it speaks TLS itself.
        public_url: How it is reached from elsewhere, as through a proxy.

    Raises:
        InvalidInput: The URL is none, or has a path.

    Example:
        >>> address_of(host="127.0.0.1", port=6060).url
        'http://localhost:6060'
    """
    scheme = "https" if has_tls else "http"
    names = list(LOOPBACK)
    if host not in {"", "0.0.0.0", "::", *LOOPBACK}:  # noqa: S104 - to leave them out
        names.insert(0, f"[{host}]" if ":" in host and host[0] != "[" else host.lower())
    reached = [(scheme, _with_port(scheme, name, port)) for name in names]
    if public_url is not None:
        reached.insert(0, _split(public_url))
    url = "://".join(reached[0])
    return Address(
        url=url,
        hosts=frozenset(name for _, name in reached),
        origins=frozenset("://".join(each) for each in reached),
        is_secure=url.startswith("https://"),
    )


def _split(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as fault:
        raise InvalidInput(f"{url!r} is no URL: {fault}") from fault
    is_bare = parts.path in {"", "/"} and not (parts.query or parts.fragment)
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname or not is_bare:
        raise InvalidInput(
            f"{url!r}: expected as https://confirm.example, without a path"
        )
    if parts.username is not None or parts.password is not None:
        raise InvalidInput("a public URL holds no name and no password")
    name = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return parts.scheme, _with_port(parts.scheme, name, port)


def _with_port(scheme: str, name: str, port: int | None) -> str:
    is_default = port is None or _DEFAULT_PORTS[scheme] == port
    return name if is_default else f"{name}:{port}"
