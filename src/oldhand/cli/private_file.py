"""A new file that only its owner can read, and that is there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EDQUOT, ENOSPC
from pathlib import Path
from typing import TextIO

from oldhand.errors import Conflict, InvalidInput, StoreFull


@contextmanager
def open_private(path: Path) -> Iterator[TextIO]:
    """Make a file with mode 0600 for a block that writes text; remove it if that raises.

    Raises:
        Conflict: It is there already.
        StoreFull: The disk is full.
        InvalidInput: It cannot be made, or not be written.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as fault:
        raise Conflict(f"{path}: there already; name a new file") from fault
    except OSError as fault:
        raise InvalidInput(f"{path}: {fault.strerror}: cannot make it") from fault
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            yield file
    except BaseException as fault:
        path.unlink(missing_ok=True)
        if isinstance(fault, OSError):
            raise _ours(fault, path) from fault
        raise


def _ours(fault: OSError, path: Path) -> StoreFull | InvalidInput:
    if fault.errno in {ENOSPC, EDQUOT}:
        return StoreFull(f"{path}: the disk is full; the file was removed again")
    return InvalidInput(f"{path}: {fault.strerror}: cannot write it")
