"""Import files: pass over what has not changed, write what has.

Several files share a transaction, because a durable commit costs more than a small file
does; what was committed stays when a later file turns out to be unreadable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from oldhand.clock import Clock, system_clock
from oldhand.errors import UnreadableSource
from oldhand.sessions.belonging import principal_of, project_of
from oldhand.sessions.importers.source import ReadContext
from oldhand.sessions.importers.tally import Tally
from oldhand.sessions.importers.units import Unit
from oldhand.sessions.keep.tombstones import Tombstones
from oldhand.sessions.model import Session
from oldhand.sessions.record import SessionWriter, Written
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.sessions")
_BYTES_PER_TRANSACTION = 64 * 1024 * 1024

Progress = Callable[[int, int], None]
"""Called with the numbers of bytes and of sessions read since the last call."""


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


def import_units(
    store: Store,
    units: Iterable[Unit],
    *,
    belonging: Belonging | None = None,
    progress: Progress | None = None,
    again: bool = False,
    clock: Clock = system_clock,
) -> ImportReport:
    """Import files into the store.

    Args:
        store: Where to.
        units: In the order in which they are to be read.
        belonging: Whose they are.
        progress: Called while it reads.
        again: Read files that have not changed too, and bring back what was pruned.
        clock: Gives the time of the import.

    Returns:
        The counts. A file that cannot be read is named there and stops nothing.
    """
    run = _Run(
        store,
        belonging=belonging or Belonging(),
        progress=progress or _no_progress,
        again=again,
        clock=clock,
    )
    for batch in _batches(units):
        run.write(batch)
    return run.report


def _no_progress(_bytes: int, _sessions: int) -> None:
    """Show nothing."""


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
        progress: Progress,
        again: bool,
        clock: Clock,
    ) -> None:
        self.report = ImportReport()
        self._store = store
        self._belonging = belonging
        self._progress = progress
        self._clock = clock
        self._again = again
        self._writer = SessionWriter(store, restores_pruned=again, clock=clock)
        self._tombstones = Tombstones(store)
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
            tally=tally,
            is_current=self._is_current,
            progress=lambda size_bytes: self._progress(size_bytes, 0),
        )
        empty_before = tally.empty
        malformed_before = len(tally.malformed)
        has_sessions = has_erased = False
        try:
            for session in unit.source.read(unit.path, context):
                written = self._writer.write(self._placed(session))
                self._count(written)
                self._progress(0, 1)
                has_erased |= written.kept_out == "erased"
                has_sessions |= written.kept_out is None
                if written.kept_out is None:
                    self._put_origin(session.uid, unit)
        except UnreadableSource as fault:
            del tally.malformed[malformed_before:]  # the file as a whole is
            self.report.unreadable.append(str(fault))
            return
        self._store.execute(
            _SQL["put_import"],
            {
                "source": unit.source.name,
                "path": self._tombstones.path_name(unit.name)
                if has_erased and not has_sessions
                else unit.name,
                "size_bytes": unit.size_bytes,
                "modified_ns": unit.modified_ns,
                "empty_sessions": tally.empty - empty_before,
                "imported_at_us": self._clock(),
            },
        )

    def _put_origin(self, uid: str, unit: Unit) -> None:
        self._store.execute(
            _SQL["put_origin"],
            {"source": unit.source.name, "path": unit.name, "uid": uid},
        )

    def _is_unchanged(self, unit: Unit) -> bool:
        names = (unit.name, self._tombstones.path_name(unit.name))
        known = (
            self._store.query_one(
                _SQL["import_of"], {"source": unit.source.name, "path": name}
            )
            for name in names
        )
        if self._again or (unit.size_bytes, unit.modified_ns) not in known:
            return False
        self.report.tally.skipped += 1
        self._progress(unit.size_bytes, 0)
        return True

    def _is_current(self, uid: str, revision: str) -> bool:
        known = self._store.query_one(_SQL["session_by_uid"], {"uid": uid})
        return known is not None and known[1] == revision

    def _placed(self, session: Session) -> Session:
        forced = self._belonging.forced_principal
        named = session.principal or principal_of(
            session.cwd, default=self._belonging.principal
        )
        return session.but(
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
        tally.erased += written.kept_out == "erased"
        tally.pruned += written.kept_out == "pruned"
