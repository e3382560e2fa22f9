"""Import files: find them, pass over what has not changed, write what has.

Several files share a transaction, because a durable commit costs more than a small file
does; what was committed stays when a later file turns out to be unreadable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from oldhand.clock import Clock, system_clock
from oldhand.errors import UnreadableSource
from oldhand.sessions.belonging import principal_of, project_of
from oldhand.sessions.importers.source import ReadContext, Source
from oldhand.sessions.importers.tally import Tally
from oldhand.sessions.model import Session
from oldhand.sessions.record import SessionWriter, Written
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.sessions")
_BYTES_PER_TRANSACTION = 64 * 1024 * 1024


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


@dataclass(slots=True, frozen=True, kw_only=True)
class Belonging:
    """Whose sessions they are, where the sessions do not say.

    Attributes:
        principal: Used where the directory of a session names nobody.
        forced_principal: Used for all; None to read it off each session.
    """

    principal: str = "unknown"
    forced_principal: str | None = None


@dataclass(slots=True, frozen=True, kw_only=True)
class ImportReport:
    """What an import did.

    Attributes:
        tally: The counts.
        unreadable: Files that could not be read at all, with the reason.
    """

    tally: Tally = field(default_factory=Tally)
    unreadable: list[str] = field(default_factory=list)


def find_units(
    source: Source, roots: Iterable[Path], *, exclude: Iterable[str] = ()
) -> list[Unit]:
    """Return the files of a source below some directories, none of them twice.

    Args:
        source: Who reads them.
        roots: Directories or files; those that do not exist are passed over.
        exclude: Glob patterns over the whole path, as `*/secret-project/*`.
    """
    patterns = tuple(exclude)
    units: dict[Path, Unit] = {}
    for path in chain.from_iterable(map(source.find, filter(Path.exists, roots))):
        if path not in units and not is_excluded(path, patterns):
            units[path] = _unit(source, path)
    return list(units.values())


def is_excluded(path: Path, patterns: Iterable[str]) -> bool:
    """Say whether a path matches a pattern; `~` in one is the home directory."""
    text = path.as_posix()
    return any(fnmatch(text, str(Path(pattern).expanduser())) for pattern in patterns)


def import_units(
    store: Store,
    units: Iterable[Unit],
    *,
    belonging: Belonging | None = None,
    progress: Callable[[int], None] | None = None,
    clock: Clock = system_clock,
) -> ImportReport:
    """Import files into the store.

    Args:
        store: Where to.
        units: In the order in which they are to be read.
        belonging: Whose they are.
        progress: Called with the number of bytes read since the last call.
        clock: Gives the time of the import.

    Returns:
        The counts. A file that cannot be read is named there and stops nothing.
    """
    run = _Run(
        store,
        belonging=belonging or Belonging(),
        progress=progress or _no_progress,
        clock=clock,
    )
    for batch in _batches(units):
        run.write(batch)
    return run.report


def _no_progress(_bytes: int) -> None:
    """Show nothing."""


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


def _batches(units: Iterable[Unit]) -> Iterator[list[Unit]]:
    batch: list[Unit] = []
    size = 0
    for unit in units:
        batch.append(unit)
        size += unit.size_bytes
        if size >= _BYTES_PER_TRANSACTION:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


class _Run:
    """One import: its counts and what it needs at hand."""

    def __init__(
        self,
        store: Store,
        *,
        belonging: Belonging,
        progress: Callable[[int], None],
        clock: Clock,
    ) -> None:
        self.report = ImportReport()
        self._store = store
        self._belonging = belonging
        self._progress = progress
        self._clock = clock
        self._writer = SessionWriter(store, clock=clock)
        self._project_of = cache(project_of)

    def write(self, batch: list[Unit]) -> None:
        """Import some files in one transaction."""
        changed = [unit for unit in batch if not self._is_unchanged(unit)]
        if not changed:
            return
        with self._store.transaction():
            for unit in changed:
                self._write_unit(unit)

    def _write_unit(self, unit: Unit) -> None:
        tally = self.report.tally
        context = ReadContext(
            tally=tally, is_current=self._is_current, progress=self._progress
        )
        try:
            for session in unit.source.read(unit.path, context):
                self._count(self._writer.write(self._placed(session)))
        except UnreadableSource as fault:
            self.report.unreadable.append(str(fault))
            return
        self._store.execute(
            _SQL["put_import"],
            {
                "source": unit.source.name,
                "path": str(unit.path),
                "size_bytes": unit.size_bytes,
                "modified_ns": unit.modified_ns,
                "imported_at_us": self._clock(),
            },
        )

    def _is_unchanged(self, unit: Unit) -> bool:
        known = self._store.query_one(
            _SQL["import_of"], {"source": unit.source.name, "path": str(unit.path)}
        )
        if known != (unit.size_bytes, unit.modified_ns):
            return False
        self.report.tally.skipped += 1
        self._progress(unit.size_bytes)
        return True

    def _is_current(self, uid: str, revision: str) -> bool:
        known = self._store.query_one(_SQL["session_by_uid"], {"uid": uid})
        return known is not None and known[1] == revision

    def _placed(self, session: Session) -> Session:
        forced = self._belonging.forced_principal
        named = session.principal or principal_of(
            session.cwd, default=self._belonging.principal
        )
        return replace(
            session,
            principal=forced or named,
            project=session.project or self._project_of(session.cwd),
        )

    def _count(self, written: Written) -> None:
        tally = self.report.tally
        tally.sessions += written.is_new
        tally.updated += not written.is_new and written.messages + written.changed > 0
        tally.messages += written.messages
        tally.calls += written.calls
        tally.duplicates += written.duplicates
        tally.orphans += written.orphans
        tally.empty += written.is_empty
