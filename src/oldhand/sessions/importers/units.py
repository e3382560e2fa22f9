"""The files that an import will read, each known by its size and time.

A file is looked for and never opened here: what an import would read can be said before it
reads.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from oldhand.sessions.importers.files import is_there
from oldhand.sessions.importers.source import Source


class Unit(NamedTuple):
    """One file to import and how large it is now.

    Attributes:
        source: Who reads it.
        path: Where it is.
        size_bytes: With what lies beside it and belongs to it, as a write-ahead log.
        modified_ns: The newest change of it and of that.
    """

    source: Source
    path: Path
    size_bytes: int
    modified_ns: int

    @property
    def name(self) -> str:
        """The path as a text that a database holds; bytes that are no text are escaped."""
        return os.fsencode(self.path).decode("utf-8", "backslashreplace")


def find_units(
    source: Source, roots: Iterable[Path], *, exclude: Iterable[str] = ()
) -> list[Unit]:
    """Return the files of a source below some directories, none of them twice.

    Args:
        source: Who reads them.
        roots: Directories or files; those that do not exist are passed over.
        exclude: Globs over whole paths, as `*/secret/*`; see `is_excluded`.
    """
    patterns = tuple(exclude)
    units: dict[Path, Unit] = {}
    for path in chain.from_iterable(_found(source, root) for root in roots):
        if path not in units and not is_excluded(path, patterns):
            units[path] = _unit(source, path)
    return list(units.values())


def is_excluded(path: Path, patterns: Iterable[str]) -> bool:
    """Say whether a path, or a directory that it lies in, matches a pattern.

    A path is looked at as it is given and with its links followed. In a pattern `~` is
    the home directory, and one that begins with a name begins in the current directory.
    """
    globs = [
        glob if glob[:1] in {"*", "?", "["} else str(Path(glob).absolute())
        for glob in map(os.path.expanduser, patterns)
    ]
    if not globs:
        return False
    ways = (path, Path(os.path.realpath(path)))
    places = {str(place) for way in ways for place in (way, *way.parents)}
    return any(fnmatch(place, glob) for place in places for glob in globs)


def _found(source: Source, root: Path) -> Iterator[Path]:
    """Yield a source's files below a root; of one that is closed to us, the root itself."""
    if not is_there(root):
        return
    try:
        found = list(source.find(root))
    except PermissionError:
        found = [root]
    for path in found:
        yield path.absolute()  # the same file, wherever the next import is started


def _unit(source: Source, path: Path) -> Unit:
    size_bytes = modified_ns = 0
    for name in (path.name, f"{path.name}-wal"):
        try:
            stat = path.with_name(name).stat()
        except OSError:
            continue
        size_bytes += stat.st_size
        modified_ns = max(modified_ns, stat.st_mtime_ns)
    return Unit(source, path, size_bytes, modified_ns)
