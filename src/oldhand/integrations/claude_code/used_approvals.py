"""Which approval a call of Claude Code's used, kept until it is known how the call went.

A file for each call, mode 0600, in a folder of oldhand's home, by the id that Claude Code
gives the call before and after it. What nobody asked for within an hour goes: the daemon
has then taken the result for unknown.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from pathlib import Path

from oldhand.named_tuple import NamedTuple

FOLDER = "used-approvals"
_KEPT_SECONDS = 3600
_MOST_BYTES = 1_000


class UsedApproval(NamedTuple):
    """A request of which the grant was used, and the URL of the daemon that gave it."""

    request_id: str
    url: str


def keep(home: Path, call_id: str, used: UsedApproval) -> None:
    """Remember what a call used.

    Args:
        home: oldhand's.
        call_id: Claude Code's; `events.id_or_none` has taken it for one.
        used: Its approval.

    Raises:
        OSError: It cannot be written.
    """
    folder = home / FOLDER
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _forget_old(folder)
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
    with os.fdopen(os.open(folder / call_id, flags, 0o600), "w") as writing:
        json.dump(list(used), writing)


def take(home: Path, call_id: str) -> UsedApproval | None:
    """Return what a call used, once; None where the gate did not let it pass."""
    file = home / FOLDER / call_id
    try:
        opened = os.open(file, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:  # the usual: there is no gate, or the call was not held by it
        return None
    with os.fdopen(opened, "rb") as reading:
        data = reading.read(_MOST_BYTES)
    with suppress(FileNotFoundError):
        file.unlink()
    try:
        value = json.loads(data)
    except ValueError:  # written by a process that was killed
        return None
    is_used = isinstance(value, list) and all(isinstance(each, str) for each in value)
    if not is_used or len(value) != len(UsedApproval._fields):
        return None
    return UsedApproval(*value)


def _forget_old(folder: Path) -> None:
    before = time.time() - _KEPT_SECONDS
    with os.scandir(folder) as files:
        for file in files:
            with suppress(FileNotFoundError):  # taken by its own hook meanwhile
                if file.stat(follow_symlinks=False).st_mtime < before:
                    os.unlink(file.path)  # noqa: PTH108 - a Path for each is of no use
