"""What the doctor looks at: the settings, and the database where it is there."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from oldhand import settings as _settings
from oldhand.errors import InvalidInput, StoreError
from oldhand.settings import Settings
from oldhand.store import Store, open_database
from oldhand.store.open import file_named_by


def free_bytes(path: Path) -> int:
    """Return how much room there is on the disk that a path lies on, in bytes."""
    return shutil.disk_usage(path).free


class Patient(NamedTuple):
    """What is looked at.

    Attributes:
        settings: As read; None where they cannot be.
        database: The database's file, followed where it is a link; None where it has none.
        store: Open; None where there is none yet, or where it cannot be opened.
        fault: Why the settings cannot be read or the database not opened.
        free_bytes: Returns how much room there is where a path lies.
    """

    settings: Settings | None = None
    database: Path | None = None
    store: Store | None = None
    fault: str | None = None
    free_bytes: Callable[[Path], int] = free_bytes


def admit(
    database: str | None = None,
    environment: Mapping[str, str] | None = None,
    *,
    free_bytes: Callable[[Path], int] = free_bytes,
) -> Patient:
    """Read the settings and open the database; nothing is made that is not there.

    Args:
        database: What a flag said.
        environment: Instead of the process's own.
        free_bytes: Instead of asking the file system.
    """
    patient = Patient(free_bytes=free_bytes)
    try:
        patient = patient._replace(
            settings=_settings.load(database=database, environment=environment)
        )
        return _with_database(patient)
    except (InvalidInput, StoreError) as fault:
        return patient._replace(fault=str(fault))


def _with_database(patient: Patient) -> Patient:
    if patient.settings is None:
        return patient
    url = patient.settings.database
    path = file_named_by(url)
    if path is not None:
        path = path.resolve()
        patient = patient._replace(database=path)
        try:
            path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return patient
        except OSError as fault:
            return patient._replace(fault=f"{path}: {fault.strerror}")
    try:
        return patient._replace(store=open_database(url))
    except (InvalidInput, StoreError) as fault:
        return patient._replace(fault=str(fault))
