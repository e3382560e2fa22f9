"""The file in which Hermes keeps its jobs, opened to be read and for nothing else."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

from oldhand.errors import NotFound, UnreadableSource

MAX_BYTES = 32_000_000
MAX_JOBS = 1_000
_PLACE = Path("cron", "jobs.json")


def jobs_file(path: Path) -> Path:
    """Return the file with the jobs of a home of Hermes, or the file that was named."""
    return path if path.suffix == _PLACE.suffix else path / _PLACE


def read_jobs_file(path: Path) -> list[object]:
    """Return what the file has for jobs, whatever that is.

    Args:
        path: Of `jobs.json`.

    Raises:
        NotFound: There is no such file.
        UnreadableSource: It cannot be read, is too large, or is no list of jobs.
    """
    try:
        held = json.loads(_bytes_of(path))
    except (ValueError, RecursionError) as fault:
        said = str(fault) or "nested too deep"
        raise UnreadableSource(f"{path}: no JSON: {said[:200]}") from fault
    jobs = held.get("jobs") if isinstance(held, dict) else None
    if not isinstance(jobs, list):
        raise UnreadableSource(
            f'{path}: not a file of Hermes\' jobs; expected {{"jobs": [...]}}'
        )
    if len(jobs) > MAX_JOBS:
        raise UnreadableSource(
            f"{path}: {len(jobs):,} jobs; expected at most {MAX_JOBS:,}"
        )
    return jobs


def _bytes_of(path: Path) -> bytes:
    """Read a plain file; a pipe or a device would never end."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError as fault:
        raise NotFound(f"{path}: no such file") from fault
    except (OSError, ValueError) as fault:  # a NUL in a path is a ValueError
        raise UnreadableSource(f"{path}: {_why(fault)}") from fault
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UnreadableSource(f"{path}: not a plain file")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            held = file.read(MAX_BYTES + 1)
    except OSError as fault:
        raise UnreadableSource(f"{path}: {_why(fault)}") from fault
    finally:
        os.close(descriptor)
    if len(held) > MAX_BYTES:
        raise UnreadableSource(f"{path}: larger than {MAX_BYTES:,} bytes")
    return held


def _why(fault: OSError | ValueError) -> str:
    return (fault.strerror if isinstance(fault, OSError) else None) or str(fault)
