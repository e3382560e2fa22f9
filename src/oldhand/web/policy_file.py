"""The file that says which policy holds: read at the start and whenever it has changed."""

from __future__ import annotations

import logging
import stat
from pathlib import Path

from oldhand.confirm.audit.refused import write_policy_fault
from oldhand.confirm.policies import active_policy, put_policy
from oldhand.errors import InvalidInput
from oldhand.store import Store
from oldhand.web.desk import Desk

_MOST_BYTES = 1_000_000

logger = logging.getLogger(__name__)

_Stamp = tuple[int, int, int, int]


class PolicyFile:
    """A file, and what it was when it was read last."""

    def __init__(self, desk: Desk, path: Path | None) -> None:
        """Name the file; None: there is none, and what the database holds holds."""
        self._desk = desk
        self._path = path
        self._read: _Stamp | None = None

    async def look(self) -> None:
        """Let the policy of the file hold, where it is not the one that was read.

        A file that is no policy changes nothing but what `/health` and the log say.
        """
        if self._path is None:
            return
        if not self._path.exists():
            self._forget(self._path)
            return
        stamp = _stamp(self._path)
        if stamp == self._read:
            return
        self._read = stamp
        try:
            text = _text_of(self._path)
            held = await self._desk.write(
                lambda store: put_policy(store, text, by=None, clock=self._desk.clock)
            )
        except InvalidInput as fault:
            await self._refuse(f"{self._path}: {fault}; the policy stays as it was")
        else:
            self._desk.policy_fault = ""
            logger.info(
                "%s holds, as version %d of the policy", self._path, held.version
            )

    async def begin(self) -> None:
        """Look for the first time, and see to it that there is a policy."""
        await self.look()

        def part(store: Store) -> None:
            if active_policy(store) is None:
                put_policy(store, by=None, clock=self._desk.clock)

        await self._desk.write(part)

    def _forget(self, path: Path) -> None:
        """Hear that the file is gone: what held goes on, and a fault in it is over."""
        if self._read is not None:
            self._read = None
            self._desk.policy_fault = ""
            logger.info("%s is gone; the policy stays as it was", path)

    async def _refuse(self, said: str) -> None:
        self._desk.policy_fault = said
        logger.error("%s", said)
        await self._desk.write(
            lambda store: write_policy_fault(store, said, clock=self._desk.clock)
        )


def _stamp(path: Path) -> _Stamp:
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_mode


def _text_of(path: Path) -> str:
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):  # to read a pipe would stop the daemon
            raise InvalidInput("it is no file")
        if about.st_mode & stat.S_IWOTH:
            raise InvalidInput("every user may change it: chmod o-w it")
        if about.st_size > _MOST_BYTES:
            raise InvalidInput(f"longer than {_MOST_BYTES:,} bytes")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        said = fault.strerror if isinstance(fault, OSError) else "it is no UTF-8"
        raise InvalidInput(said or str(fault)) from fault
