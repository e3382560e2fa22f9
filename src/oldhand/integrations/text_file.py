"""A person's settings file: read whole, and replaced whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path
from typing import NamedTuple

from oldhand.errors import Conflict, InvalidInput

_NEW_MODE = 0o600


class TextFile(NamedTuple):
    """A file as it was found.

    Attributes:
        path: As it was named.
        real: Where its links lead: that is what is replaced.
        content: Its bytes; None where there is no file.
    """

    path: Path
    real: Path
    content: bytes | None

    @property
    def text(self) -> str:
        """What it says; "" where there is no file.

        Raises:
            InvalidInput: It is not UTF-8.
        """
        try:
            return (self.content or b"").decode("utf-8")
        except UnicodeDecodeError as fault:
            raise InvalidInput(
                f"{self.path}: not UTF-8; nothing was changed"
            ) from fault


def read_file(path: Path) -> TextFile:
    """Read a file, following its links; that there is none is no fault.

    Raises:
        InvalidInput: It cannot be read, or is no file.
    """
    try:
        real = Path(os.path.realpath(path, strict=path.is_symlink()))
        if not real.exists():
            return TextFile(path, real, None)
        if not stat.S_ISREG(real.stat().st_mode):
            raise InvalidInput(f"{path}: no file; nothing was changed")
        return TextFile(path, real, real.read_bytes())
    except OSError as fault:
        raise InvalidInput(f"{path}: {fault.strerror}; nothing was changed") from fault


def write_file(found: TextFile, content: bytes | None) -> None:
    """Replace a file that was read before; None takes it away.

    It is written beside itself and put in its place in one step, with its mode.

    Raises:
        Conflict: Somebody else has changed it since it was read.
        InvalidInput: It cannot be written.
    """
    if read_file(found.path) != found:
        raise Conflict(f"{found.path}: somebody changed it meanwhile; try again")
    try:
        if content is None:
            found.real.unlink()
            return
        found.real.parent.mkdir(parents=True, exist_ok=True)
        _replace(found.real, content)
    except OSError as fault:
        raise InvalidInput(
            f"{found.path}: {fault.strerror}: cannot write it; nothing was changed"
        ) from fault


def _replace(path: Path, content: bytes) -> None:
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else _NEW_MODE
    if not mode & stat.S_IWUSR:
        raise PermissionError(0, "it is marked as not to be written")
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _NEW_MODE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
