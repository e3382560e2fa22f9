"""Bring in the sessions that agents left on this machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from oldhand import settings as _settings
from oldhand.app.skills import count_skills, own_prices
from oldhand.errors import NotFound
from oldhand.experience.repair.keep import mine_sessions
from oldhand.sessions.catch_up import compress_changed
from oldhand.sessions.importers import (
    Belonging,
    ImportReport,
    Progress,
    Source,
    Unit,
    find_units,
    import_units,
    source_named,
    source_names,
)
from oldhand.sessions.importers.files import is_there
from oldhand.sessions.importers.sniff import source_of
from oldhand.settings import Settings
from oldhand.store import Store


class PlannedSource(NamedTuple):
    """What an import will read of one agent.

    Attributes:
        source: Who reads it.
        places: The directories or files that were looked at.
        units: The files found there, in order; there may be none.
    """

    source: Source
    places: list[Path]
    units: list[Unit]

    @property
    def size_bytes(self) -> int:
        """How much there is to read."""
        return sum(unit.size_bytes for unit in self.units)

    @property
    def found_in(self) -> list[Path]:
        """Those of the places that hold any of the files."""
        held = {
            place for unit in self.units for place in (unit.path, *unit.path.parents)
        }
        return [place for place in self.places if place.absolute() in held]


class ImportPlan(NamedTuple):
    """What an import will read, before it reads: each agent's part, in order."""

    parts: list[PlannedSource]

    @property
    def units(self) -> list[Unit]:
        """The files of all agents."""
        return [unit for part in self.parts for unit in part.units]

    @property
    def size_bytes(self) -> int:
        """How much there is to read."""
        return sum(part.size_bytes for part in self.parts)

    def places_of(self, source: str) -> list[Path]:
        """Return the places of one source, by its name."""
        return [
            place
            for part in self.parts
            if part.source.name == source
            for place in part.places
        ]


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
    parts = []
    for name, places in _places(settings, source, paths).items():
        reader = source_named(name)
        units = find_units(reader, places, exclude=patterns)
        parts.append(PlannedSource(reader, places, units))
    return ImportPlan(parts)


def run_import(
    store: Store,
    plan: ImportPlan,
    *,
    settings: Settings,
    principal: str | None = None,
    again: bool = False,
    progress: Progress | None = None,
) -> ImportReport:
    """Read what a plan names into the store; `again` as for `import_sessions`."""
    report = import_units(
        store,
        plan.units,
        belonging=Belonging(principal=settings.principal, forced_principal=principal),
        progress=progress,
        again=again,
    )
    compress_changed(store)
    return report


def import_sessions(
    store: Store,
    source: str = "auto",
    *paths: Path | str,
    exclude: Iterable[str] = (),
    principal: str | None = None,
    again: bool = False,
) -> ImportReport:
    """Import sessions: those found on this machine, or those in the paths given.

    Then repairs are looked for in them, so that no hint waits, and the skills that they
    loaded are counted. The first search afterwards
    indexes what is new.

    Args:
        store: Where to.
        source: `claude-code`, `codex`, `hermes`, `openai`, `oldhand` or `auto`.
        paths: Files or directories.
        exclude: Globs over whole paths that are passed over.
        principal: Whose they are; by default read off each session.
        again: Read files that have not changed too, and bring back what was pruned.

    Returns:
        The counts, and the files that could not be read.

    Raises:
        NotFound: A path does not exist.
        InvalidInput: There is no such source, or a price in the settings is none.
    """
    settings = _settings.load()
    own_prices(settings)  # what is wrong with one is said before anything is read
    plan = plan_import(
        settings, source=source, paths=[Path(p) for p in paths], exclude=exclude
    )
    report = run_import(
        store, plan, settings=settings, principal=principal, again=again
    )
    mine_sessions(store)
    count_skills(store, settings, places=plan.places_of("hermes"))
    return report


def _places(
    settings: Settings, source: str, paths: Sequence[Path]
) -> dict[str, list[Path]]:
    """Return the places to look at, by the name of the source that reads them."""
    missing = [path for path in paths if not is_there(path)]
    if missing:
        raise NotFound(
            f"{missing[0]}: no such file or directory; expected paths, after the name of a "
            f"source ({', '.join(source_names())}) or without"
        )
    if source != "auto":
        return {source: list(paths) or _homes(settings, source)}
    if not paths:
        return {name: _homes(settings, name) for name in source_names()}
    by_source: dict[str, list[Path]] = {}
    for path in paths:
        by_source.setdefault(source_of(path), []).append(path)
    return by_source


def _homes(settings: Settings, source: str) -> list[Path]:
    return source_named(source).homes(settings.agent_environment, settings.user_home)
