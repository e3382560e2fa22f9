"""Hermes: a database in its home, one in each profile's, and JSON files of old sessions.

A session's uid is Hermes' own id of it; in a profile `NAME/ID`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from oldhand.sessions.importers.hermes_database import read_database
from oldhand.sessions.importers.hermes_snapshot import read_snapshot
from oldhand.sessions.importers.source import ReadContext, Source
from oldhand.sessions.model import Session
from oldhand.sessions.named_place import named_place
from oldhand.sessions.storable_text import storable

_DATABASE = "state.db"
_SNAPSHOTS = "sessions/session_*.json"
_PROFILES = "profiles"


def homes(environment: Mapping[str, str], home: Path) -> list[Path]:
    """Return Hermes' home: `$HERMES_HOME`, else `~/.hermes`."""
    named = environment.get("HERMES_HOME", "").strip() or "~/.hermes"
    return [named_place(named, home)]


def find(root: Path) -> Iterator[Path]:
    """Yield the databases below a home of Hermes, then the snapshots; or the file itself.

    Databases come first, so that what stands in both is read from them.
    """
    if root.is_file():
        yield root
        return
    places = [root, *sorted(root.glob(f"{_PROFILES}/*"))]
    for place in places:
        if (place / _DATABASE).is_file():
            yield place / _DATABASE
    for place in places:
        yield from sorted(path for path in place.glob(_SNAPSHOTS) if path.is_file())


def read(path: Path, context: ReadContext) -> Iterator[Session]:
    """Yield the sessions in a database, or the one in a `.json` file."""
    if path.suffix.lower() == ".json":
        yield from read_snapshot(path, _prefix(path.parent.parent), context)
    else:
        yield from read_database(path, _prefix(path.parent), context)


SOURCE = Source(
    name="hermes",
    homes=homes,
    find=find,
    read=read,
    files=f"{_DATABASE} or {_SNAPSHOTS}",
)


def _prefix(place: Path) -> str:
    """Return `NAME/` for the home of a profile, else nothing."""
    place = place.absolute()
    return f"{storable(place.name)}/" if place.parent.name == _PROFILES else ""
