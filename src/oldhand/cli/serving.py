"""Which daemon has a database file: told by a lock, which ends with the process.

Two daemons over one database do no harm, as one statement decides; but who starts a second
one has mostly forgotten the first.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Self

_MOST_BYTES = 1_000


class Serving:
    """Holds the lock beside a database for a block; `other` names who has it else.

    Attributes:
        other: What the daemon that has the lock said of itself; "" where none has it, and
            where the system cannot tell.
    """

    def __init__(self, database: Path | None) -> None:
        """Name the file of the database; None: it is on a server, where many may serve."""
        self._file = database and database.with_name(f"{database.name}-serve")
        self._opened: int | None = None
        self.other = ""

    def __enter__(self) -> Self:
        """Take the lock, or hear who has it."""
        if self._file is None:
            return self
        try:
            import fcntl
        except ImportError:  # no such system runs the daemon but for a try
            return self
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        try:
            self._opened = os.open(self._file, flags, 0o600)
            fcntl.flock(self._opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            said = os.read(self._opened or 0, _MOST_BYTES).decode("utf-8", "replace")
            self.other = said.strip() or "one that is just starting"
        except OSError:  # a file system without locks, or a closed directory
            pass
        else:
            self.say(f"process {os.getpid()}")
        return self

    def say(self, text: str) -> None:
        """Say how this daemon is known to others."""
        if self._opened is not None and not self.other:
            os.ftruncate(self._opened, 0)
            os.pwrite(self._opened, text.encode(), 0)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give the lock back; the file stays, as another may be waiting at it."""
        if self._opened is not None:
            os.close(self._opened)
