"""Whose program listens on a port of this machine, as Linux tells it.

While a daemon is down, anybody on the machine can listen in its place: be handed the token
and the password, and "approve" what they please to have run by whoever asked.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

_LISTENS = "0A"
_TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
_ROOT = 0


def stranger_at(port: int) -> int | None:
    """Return the number of another user whose program listens at a port.

    Returns:
        None where all that listens is this user's own or root's, and where the system does
        not tell.
    """
    trusted = {_ROOT, os.getuid()}
    return next((uid for uid in _listeners(port) if uid not in trusted), None)


def _listeners(port: int) -> Iterator[int]:
    for table in _TABLES:
        try:
            with Path(table).open(encoding="ascii") as lines:
                next(lines)
                for line in lines:
                    _, local, _, state, *rest = line.split()
                    if state != _LISTENS:  # all that listen come first
                        break
                    if int(local.rpartition(":")[2], 16) == port:
                        yield int(rest[3])
        except OSError:  # no Linux, or no IPv6
            continue
