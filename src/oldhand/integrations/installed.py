"""What an installation found, so that taking it back leaves the very bytes that were there.

One small file for each settings file, in oldhand's home and readable by its owner alone: a
settings file may hold secrets.
"""

from __future__ import annotations

import hashlib
import json
import os
from base64 import b64decode, b64encode
from pathlib import Path
from typing import NamedTuple

_FOLDER = "installed"


class Installed(NamedTuple):
    """What was there before, and what an installation left.

    Attributes:
        before: The file's bytes before the first installation; None where there was none.
        after: The digest of what the last installation wrote.
        made_directory: The file's directory was made by it, too.
    """

    before: bytes | None
    after: str
    made_directory: bool


def digest_of(content: bytes) -> str:
    """Return what an installation is known by."""
    return hashlib.sha256(content).hexdigest()


def recall(home: Path, path: Path) -> Installed | None:
    """Return what is on record of a settings file; None where nothing readable is."""
    try:
        value = json.loads(_record_of(home, path).read_bytes())
        before = value["before"]
        return Installed(
            None if before is None else b64decode(before),
            str(value["after"]),
            bool(value["made_directory"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None  # the hooks are then taken out of the text as it is


def remember(home: Path, path: Path, installed: Installed) -> None:
    """Keep what an installation found.

    Raises:
        OSError: It cannot be written.
    """
    record = _record_of(home, path)
    for directory in (home, record.parent):  # parents that mkdir makes are open to all
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    before = installed.before
    value = {
        "path": str(path),
        "before": None if before is None else b64encode(before).decode(),
        "after": installed.after,
        "made_directory": installed.made_directory,
    }
    beside = record.with_suffix(".new")
    beside.unlink(missing_ok=True)
    mode = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with os.fdopen(os.open(beside, mode, 0o600), "w", encoding="utf-8") as file:
        json.dump(value, file)
    beside.replace(record)


def forget(home: Path, path: Path) -> None:
    """Take away what is on record of a settings file."""
    _record_of(home, path).unlink(missing_ok=True)


def _record_of(home: Path, path: Path) -> Path:
    name = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    return home / _FOLDER / f"{name}.json"
