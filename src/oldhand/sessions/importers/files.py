"""Find files in a directory that somebody else arranges.

A named pipe would hold a reader up for ever, a link may lead nowhere, a file may go away
between being found and being read, and a directory may be closed to us. What is closed is
found all the same, so that reading it names it: to pass over it in silence would look like
having read everything.
"""

from __future__ import annotations

import fnmatch
import os
import stat
from collections.abc import Iterator
from pathlib import Path


def is_there(path: Path) -> bool:
    """Say whether there is anything at a path, open to us or not."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def is_file_or_closed(path: Path) -> bool:
    """Say whether a path may be opened: it is a file, or what it is cannot be seen."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True


def files_below(directory: Path, *patterns: str) -> Iterator[Path]:
    """Yield the files below a directory whose names fit a glob, by path.

    Links to directories are not followed, so that a loop of them ends.

    Args:
        directory: Where to look.
        *patterns: As `*.jsonl`; one that fits is enough.

    Yields:
        Files, and in place of its files a directory that may not be listed.
    """
    closed: list[Path] = []
    found: list[Path] = []

    def note(fault: OSError) -> None:
        if isinstance(fault, PermissionError):
            closed.append(Path(fault.filename))

    for folder, _, names in os.walk(directory, onerror=note):
        fitting = {name for glob in patterns for name in fnmatch.filter(names, glob)}
        found.extend(Path(folder, name) for name in fitting)
    yield from sorted([*filter(is_file_or_closed, found), *closed])


def changed_ns(path: Path) -> int:
    """Return when a file changed last, in nanoseconds; 0 where that cannot be seen."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
