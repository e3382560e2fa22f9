"""Bring in the sessions that agents left on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from oldhand import settings as _settings
from oldhand.errors import NotFound
from oldhand.sessions.importers import (
    Belonging,
    ImportReport,
    Unit,
    find_units,
    import_units,
    source_named,
    source_names,
)
from oldhand.sessions.importers.sniff import source_of
from oldhand.settings import Settings
from oldhand.store import Store


@dataclass(slots=True, frozen=True, kw_only=True)
class ImportPlan:
    """What an import will read, before it reads.

    Attributes:
        units: The files, in order.
        searched: The places that were looked at.
    """

    units: list[Unit]
    searched: list[Path]

    @property
    def size_bytes(self) -> int:
        """How much there is to read."""
        return sum(unit.size_bytes for unit in self.units)

    def by_source(self) -> dict[str, tuple[int, int]]:
        """Return the number of files and of bytes by source."""
        totals: dict[str, tuple[int, int]] = {}
        for unit in self.units:
            files, size = totals.get(unit.source.name, (0, 0))
            totals[unit.source.name] = files + 1, size + unit.size_bytes
        return totals


def plan_import(
    settings: Settings,
    *,
    source: str = "auto",
    paths: Sequence[Path] = (),
    exclude: Iterable[str] = (),
) -> ImportPlan:
    """Find what an import would read.

    Args:
        settings: Where agents keep their sessions, and what to pass over.
        source: One source's name, or `auto`.
        paths: Files or directories; none for the places where agents keep sessions.
        exclude: Globs over whole paths, added to those of the settings.

    Raises:
        NotFound: A path does not exist.
        InvalidInput: There is no such source.
        UnreadableSource: With `auto`, a file is of no format that oldhand reads.
    """
    patterns = (*settings.exclude, *exclude)
    units: list[Unit] = []
    searched: list[Path] = []
    for name, roots in _roots(settings, source, paths):
        searched.extend(roots)
        units.extend(find_units(source_named(name), roots, exclude=patterns))
    return ImportPlan(units=units, searched=searched)


def run_import(
    store: Store,
    plan: ImportPlan,
    *,
    settings: Settings,
    principal: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> ImportReport:
    """Read what a plan names into the store."""
    return import_units(
        store,
        plan.units,
        belonging=Belonging(principal=settings.principal, forced_principal=principal),
        progress=progress,
    )


def import_sessions(
    store: Store,
    source: str = "auto",
    *paths: Path | str,
    exclude: Iterable[str] = (),
    principal: str | None = None,
) -> ImportReport:
    """Import sessions: those found on this machine, or those in the paths given.

    Args:
        store: Where to.
        source: `claude-code`, `codex`, `hermes`, `openai` or `auto`.
        paths: Files or directories.
        exclude: Globs over whole paths that are passed over.
        principal: Whose they are; by default read off each session.

    Returns:
        The counts, and the files that could not be read.

    Raises:
        NotFound: A path does not exist.
        InvalidInput: There is no such source.
    """
    settings = _settings.load()
    plan = plan_import(
        settings, source=source, paths=[Path(p) for p in paths], exclude=exclude
    )
    return run_import(store, plan, settings=settings, principal=principal)


def _roots(
    settings: Settings, source: str, paths: Sequence[Path]
) -> list[tuple[str, list[Path]]]:
    """Return the places to look at, by the name of the source that reads them."""
    missing = [path for path in paths if not path.exists()]
    if missing:
        raise NotFound(f"{missing[0]}: no such file or directory")
    if source != "auto":
        return [(source, list(paths) or _homes(settings, source))]
    if paths:
        return [(source_of(path), [path]) for path in paths]
    return [(name, _homes(settings, name)) for name in source_names()]


def _homes(settings: Settings, source: str) -> list[Path]:
    return source_named(source).homes(settings.agent_environment, settings.user_home)
