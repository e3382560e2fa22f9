"""A new file that only its owner can read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TextIO

from oldhand.errors import Conflict, InvalidInput


def open_private(path: Path) -> TextIO:
    """Make a file with mode 0600 and open it for writing text.

    Raises:
        Conflict: It is there already.
        InvalidInput: It cannot be made.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as fault:
        raise Conflict(f"{path}: there already; name a new file") from fault
    except OSError as fault:
        raise InvalidInput(f"{path}: {fault.strerror}: cannot make it") from fault
    return os.fdopen(descriptor, "w", encoding="utf-8")
