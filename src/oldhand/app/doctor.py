"""Look at what oldhand stands on, and say what to do about what is not well.

A check is a function that returns what it found, or None where all is well; the table
names it and holds the remedy. Nothing is changed, and no database is made.
"""

from __future__ import annotations

import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from oldhand.app.patient import Patient, admit, free_bytes
from oldhand.clock import to_iso
from oldhand.counted import counted
from oldhand.cron.jobs import list_jobs
from oldhand.cron.liveness import Liveness, find_liveness
from oldhand.sessions.importers import find_units, source_named, source_names
from oldhand.sessions.keep.leftovers import has_leftovers
from oldhand.sessions.read import sources_on_record
from oldhand.sessions.search.index import count_pending
from oldhand.settings import Settings
from oldhand.store import filesystem as _filesystem
from oldhand.store.maintenance import engine_version, is_writer_stuck

_MIN_FREE_BYTES = 500_000_000
_MANY_PENDING = 10_000
# The write-ahead log could be reset under a reader; the fix went into these lines as well.
_UNSAFE = ((3, 7, 0), (3, 51, 2))
_FIXED_IN = {(3, 50): 7, (3, 44): 6}

Level = Literal["ok", "note", "warning"]


class Finding(NamedTuple):
    """What one check says.

    Attributes:
        check: Its name.
        level: `ok`, `note` for what is worth knowing, `warning` for what is not well.
        found: What was found; where all is well, "" or what is worth showing.
        remedy: What to do about it; "" where all is well.
    """

    check: str
    level: Level
    found: str = ""
    remedy: str = ""


def diagnose(
    *,
    database: str | None = None,
    environment: Mapping[str, str] | None = None,
    free_bytes: Callable[[Path], int] = free_bytes,
) -> list[Finding]:
    """Make all checks.

    Args:
        database: What a flag said.
        environment: Instead of the process's own.
        free_bytes: Instead of asking the file system.

    Returns:
        One finding a check, in the order of the table.
    """
    patient = admit(database, environment, free_bytes=free_bytes)
    try:
        return [_run(check, patient) for check in _CHECKS]
    finally:
        if patient.store is not None:
            patient.store.close()


def is_unsafe_sqlite(version: str) -> bool:
    """Say whether a SQLite can corrupt a write-ahead log that several processes use.

    Example:
        >>> is_unsafe_sqlite("3.46.1"), is_unsafe_sqlite("3.50.7"), is_unsafe_sqlite("3.54.1")
        (True, False, False)
    """
    major, minor, patch = (int(part) for part in version.split(".")[:3])
    if patch >= _FIXED_IN.get((major, minor), patch + 1):
        return False
    return _UNSAFE[0] <= (major, minor, patch) <= _UNSAFE[1]


class _Check(NamedTuple):
    name: str
    look: Callable[[Patient], str | None]
    remedy: str
    level: Level = "warning"
    tell: Callable[[Patient], str] = lambda _patient: ""


def _run(check: _Check, patient: Patient) -> Finding:
    found = check.look(patient)
    if found is None:
        return Finding(check.name, "ok", check.tell(patient))
    return Finding(check.name, check.level, found, check.remedy)


def _settings_are_read(patient: Patient) -> str | None:
    return patient.fault if patient.settings is None else None


def _database_opens(patient: Patient) -> str | None:
    return None if patient.settings is None else patient.fault


def _database_is_writable(patient: Patient) -> str | None:
    return None if patient.store is None else patient.store.read_only_reason


def _sqlite_is_safe(patient: Patient) -> str | None:
    if patient.database is None or patient.store is None:
        return None
    version = engine_version(patient.store)
    return f"SQLite {version}" if is_unsafe_sqlite(version) else None


def _file_system_is_local(patient: Patient) -> str | None:
    if patient.database is None:
        return None
    kind = _filesystem.type_of(patient.database)
    if kind is None or not _filesystem.is_network(kind):
        return None
    return f"{patient.database} lies on {kind}, a network file system"


def _file_system_is_known(patient: Patient) -> str | None:
    if patient.database is None or _filesystem.type_of(patient.database) is not None:
        return None
    return f"this system does not say what file system {patient.database} lies on"


def _modes_are_private(patient: Patient) -> str | None:
    database = patient.database
    if database is None:
        return None
    names = (database.name, f"{database.name}-wal", f"{database.name}-shm")
    paths = [database.with_name(name) for name in names]
    home = patient.settings.home if patient.settings else None
    if home is not None and database.parent == home.resolve():
        paths.append(home)
    found = [
        f"{path} has mode {mode:04o}"
        for path in paths
        if (mode := _filesystem.open_to_others(path)) is not None
    ]
    return "; ".join(found) or None


def _writers_get_in(patient: Patient) -> str | None:
    database = patient.database
    if database is None or patient.store is None:
        return None
    lock = database.with_name(f"{database.name}.lock")
    try:
        is_file = stat.S_ISREG(lock.stat().st_mode)
    except FileNotFoundError:
        return None
    except OSError as fault:
        return f"{lock}: {fault.strerror}"
    if not is_file:
        return f"{lock} is no file"
    return f"{lock} has been held for a second" if is_writer_stuck(database) else None


def _disk_has_room(patient: Patient) -> str | None:
    database = patient.database
    if database is None:
        return None
    size = database.stat().st_size if database.is_file() else 0
    place = next(p for p in database.absolute().parents if p.exists())
    free = patient.free_bytes(place)
    if free >= max(_MIN_FREE_BYTES, size):
        return None
    return f"{free / 1e6:,.0f} MB free at {place}, the database takes {size / 1e6:,.0f}"


def _erased_text_is_gone(patient: Patient) -> str | None:
    if patient.store is None or not has_leftovers(patient.store):
        return None
    return "erased text is still in the file"


def _index_is_filled(patient: Patient) -> str | None:
    if patient.store is None:
        return None
    pending = count_pending(patient.store)
    return f"{pending:,} messages wait for it" if pending > _MANY_PENDING else None


def _agents_are_imported(patient: Patient) -> str | None:
    settings = patient.settings
    if settings is None or patient.fault is not None:
        return None
    known = set() if patient.store is None else sources_on_record(patient.store)
    found = [
        f"{counted(files, 'file')} of {name}"
        for name in source_names()
        if name not in known and (files := _count_files(settings, name))
    ]
    return "; ".join(found) or None


def _jobs_are_fired(patient: Patient) -> str | None:
    if patient.store is None:
        return None
    seen = find_liveness(patient.store)
    waiting = sum(job.state == "scheduled" for job in list_jobs(patient.store))
    if seen.is_running or not waiting:
        return None
    return (
        f"{counted(waiting, 'job')} to fire, and no scheduler runs; {_last_pass(seen)}"
    )


def _who_fires_them(patient: Patient) -> str:
    seen = None if patient.store is None else find_liveness(patient.store)
    return _last_pass(seen) if seen is not None and seen.is_running else ""


def _last_pass(seen: Liveness) -> str:
    if seen.last_pass_us is None:
        return "no pass of one is on record"
    return f"the last pass was at {to_iso(seen.last_pass_us)}, by {seen.place}"


def _count_files(settings: Settings, name: str) -> int:
    source = source_named(name)
    homes = source.homes(settings.agent_environment, settings.user_home)
    return len(find_units(source, homes, exclude=settings.exclude))


_CHECKS = (
    _Check("settings", _settings_are_read, "correct oldhand.toml"),
    _Check("database", _database_opens, "do what it says, or restore a backup"),
    _Check(
        "writable",
        _database_is_writable,
        "until it can be written, sessions are only read: chmod u+w what is named, or "
        "set --database or OLDHAND_DATABASE",
    ),
    _Check(
        "sqlite",
        _sqlite_is_safe,
        "it can corrupt a database that several processes use: pip install -U apsw",
    ),
    _Check(
        "network",
        _file_system_is_local,
        "locks fail there: move it to a local disk with OLDHAND_DATABASE, or use "
        "postgresql:// for more than one machine",
    ),
    _Check(
        "file-system",
        _file_system_is_known,
        "make sure that it is a local disk",
        level="note",
    ),
    _Check("modes", _modes_are_private, "chmod go-rwx these: sessions are private"),
    _Check(
        "lock",
        _writers_get_in,
        "see what else runs oldhand; the lock is free when that process has ended",
    ),
    _Check("disk", _disk_has_room, "make room, or `oldhand sessions prune`"),
    _Check(
        "leftovers",
        _erased_text_is_gone,
        "end the processes that read the database, then `oldhand db compact`",
    ),
    _Check(
        "index",
        _index_is_filled,
        "the next `oldhand sessions search` fills it, and takes longer for that",
        level="note",
    ),
    _Check(
        "agents",
        _agents_are_imported,
        "`oldhand import` brings their sessions in",
        level="note",
    ),
    _Check(
        "jobs",
        _jobs_are_fired,
        "start `oldhand serve`, or have the system's cron run `oldhand jobs tick`",
        tell=_who_fires_them,
    ),
)
