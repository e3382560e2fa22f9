"""Read a PostgreSQL URL, and say where it points without its password."""

from __future__ import annotations

from typing import Any, NamedTuple

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from oldhand.errors import InvalidInput

_DEFAULTS: dict[str, Any] = {"application_name": "oldhand", "connect_timeout": "10"}


class Target(NamedTuple):
    """Where a URL points.

    Attributes:
        conninfo: What the driver is given.
        shown: The URL for messages: user, hosts and database, and nothing else.
    """

    conninfo: str
    shown: str


def read_url(url: str) -> Target:
    """Take a URL apart.

    A password with an unescaped `@`, `/` or `#` makes part of it a host, a port or a
    database. That is refused here, since a message of the driver would show it.

    Raises:
        InvalidInput: The URL is not one that PostgreSQL takes. Its text is not repeated.

    Example:
        >>> read_url("postgresql://ada:pw@db.example/oldhand?sslmode=require").shown
        'postgresql://ada@db.example/oldhand'
    """
    try:
        found: dict[str, Any] = {
            name: str(v) for name, v in conninfo_to_dict(url).items() if v
        }
    except psycopg.Error:
        found = {"port": "none"}
    host, port = found.get("host", ""), found.get("port", "")
    is_odd = "@" in host + found.get("dbname", "")
    if is_odd or not all(part.isdigit() for part in port.split(",") if part):
        # Not raised from the driver's error, which may hold a piece of the password.
        raise InvalidInput(
            "not a PostgreSQL URL; expected postgresql://USER:PASSWORD@HOST:PORT/NAME, "
            "odd characters in a password written as %40"
        )
    return Target(make_conninfo(**_DEFAULTS | found), _shown(found))


def _shown(found: dict[str, str]) -> str:
    user, host = found.get("user"), found.get("host", "")
    name, port = found.get("dbname", ""), found.get("port", "")
    who = f"{user}@" if user else ""
    if host.startswith("/"):
        return f"postgresql://{who}/{name}?host={host}" + (port and f"&port={port}")
    hosts = host.split(",")
    ports = port.split(",") if port else []
    ports = ports * len(hosts) if len(ports) == 1 else ports + [""] * len(hosts)
    where = ",".join(
        f"[{h}]" * (":" in h) + h * (":" not in h) + (p and f":{p}")
        for h, p in zip(hosts, ports, strict=False)
    )
    return f"postgresql://{who}{where}/{name}"
