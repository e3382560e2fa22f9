"""A file layer under SQLite that loses at a power cut what was not synced.

What is written stays in this process's memory until SQLite asks for it to be synced; a
process that ends by `os._exit` has lost the rest, as a machine without power has.
"""

from __future__ import annotations

from typing import Any

import apsw

NAME = "unsynced"
BENEATH = "unix"


class UnsyncedVFS(apsw.VFS):
    """The system's own layer, with files that hold back what is written to them.

    Making one makes it the default for all connections of the process; keep it.
    """

    def __init__(self) -> None:
        """Register it."""
        super().__init__(NAME, BENEATH, makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> UnsyncedFile:  # noqa: N802 - SQLite's
        """Open a file."""
        return UnsyncedFile(name, flags)


class UnsyncedFile(apsw.VFSFile):
    """A file whose writes wait for a sync."""

    def __init__(self, name: Any, flags: list[int]) -> None:
        """Open the file beneath."""
        super().__init__(BENEATH, name, flags)
        self._held: list[tuple[int, bytes]] = []

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802 - SQLite's name
        """Hold a write back."""
        self._held.append((offset, bytes(data)))

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        """Write what was held back, and sync it."""
        for offset, data in self._held:
            super().xWrite(data, offset)
        self._held.clear()
        super().xSync(flags)

    def xFileSize(self) -> int:  # noqa: N802 - SQLite's name
        """Return the size with what is held back."""
        ends = [offset + len(data) for offset, data in self._held]
        return max([super().xFileSize(), *ends])

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 - SQLite's name
        """Cut the file at once: losing less than a machine might is no harm here."""
        self._held = [
            (offset, data[: newsize - offset])
            for offset, data in self._held
            if offset < newsize
        ]
        super().xTruncate(newsize)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - SQLite's name
        """Read what a program sees: the file with what is held back laid over it."""
        seen = bytearray(super().xRead(amount, offset))
        for start, data in self._held:
            first, after = max(start, offset), min(start + len(data), offset + amount)
            if first < after:
                if after - offset > len(seen):
                    seen.extend(bytes(after - offset - len(seen)))
                seen[first - offset : after - offset] = data[
                    first - start : after - start
                ]
        return bytes(seen)
