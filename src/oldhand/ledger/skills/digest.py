"""A version for a skill: a digest of all that is in its folder.

The same files give the same version on every machine, whatever their times and modes; a
changed byte in a script gives another. Links are named and not followed, so that a folder
cannot make us read what lies elsewhere; very large files and very many are refused.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from oldhand.errors import InvalidInput

MAX_BYTES = 64_000_000
MAX_FILES = 2_000
_LEFT_OUT = frozenset((".git", "__pycache__", ".DS_Store"))
_DIGITS = 12


def version_of(folder: Path) -> str:
    """Return twelve hexadecimal digits that name a folder's content.

    Raises:
        InvalidInput: It holds more than 2,000 files or 64 MB, or cannot be read.
    """
    digest = hashlib.sha256()
    total = 0
    try:
        for place, path in enumerate(_files(folder)):
            if place >= MAX_FILES:
                raise InvalidInput(f"{folder}: over {MAX_FILES} files; not a skill")
            content = _content(path, limit=MAX_BYTES - total)
            if content is None:
                raise InvalidInput(
                    f"{folder}: over {MAX_BYTES} bytes; expected a smaller skill"
                )
            total += len(content)
            name = os.fsencode(path.relative_to(folder))
            for part in (name, content):
                digest.update(len(part).to_bytes(8))
                digest.update(part)
    except OSError as fault:
        raise InvalidInput(f"{fault.filename or folder}: {fault.strerror}") from fault
    return digest.hexdigest()[:_DIGITS]


def _files(folder: Path) -> Iterator[Path]:
    """Yield regular files and links in the order of their names' bytes."""
    found = []
    for place, folders, names in os.walk(folder, onerror=_raise):
        linked = [name for name in folders if (Path(place) / name).is_symlink()]
        folders[:] = [name for name in folders if name not in _LEFT_OUT]
        found += [
            Path(place, name) for name in (*names, *linked) if name not in _LEFT_OUT
        ]
        if len(found) > MAX_FILES:
            break
    return iter(sorted(found, key=os.fsencode))


def _content(path: Path, *, limit: int) -> bytes | None:
    """Return a file's bytes, or where a link leads; None where they are too many."""
    if path.is_symlink():
        return b"-> " + os.fsencode(path.readlink())
    if not path.is_file():  # a pipe, a device: never opened
        return b""
    with path.open("rb") as file:
        content = file.read(limit + 1)
    return content if len(content) <= limit else None


def _raise(fault: OSError) -> None:
    raise fault
