"""With what an agent asks: the daemon's address, and its token.

The token comes from the environment, or from a file that nobody else may read.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from oldhand.errors import InvalidInput, Unauthenticated, UnreadableSource
from oldhand.integrations.gate.client import ConfirmationClient
from oldhand.integrations.gate.patient_calls import PatientCalls
from oldhand.integrations.gate.transport import read_address
from oldhand.settings import AGENT_TOKEN_FILE, KEY_FILE, Settings

_MAX_BYTES = 1_000
_ADVICE = (
    "the first start of `oldhand serve` makes one, and so does "
    "`oldhand confirm agents add NAME --save`"
)


def client_of(
    settings: Settings, *, patience_seconds: float = 30.0
) -> ConfirmationClient:
    """Return a client with the token at hand.

    Raises:
        Unauthenticated: There is no token.
        UnreadableSource: Others may read the file of the token, or it holds none.
        InvalidInput: The address is none.
    """
    calls = calls_of(settings, patience_seconds=patience_seconds)
    return ConfirmationClient(settings.confirm_url, token_of(settings), calls=calls)


def calls_of(settings: Settings, *, patience_seconds: float) -> PatientCalls:
    """Return the way to the daemon; to one of our own only where we listen ourselves.

    Raises:
        InvalidInput: The address is none.
    """
    is_own = (settings.home / KEY_FILE).is_file()
    address = read_address(settings.confirm_url)._replace(is_own=is_own)
    return PatientCalls(address, patience_seconds=patience_seconds)


def token_of(settings: Settings) -> str:
    """Return the agent's token.

    Raises:
        Unauthenticated: There is none.
        UnreadableSource: Others may read its file.
    """
    return settings.confirm_token.strip() or read_token(
        settings.home / AGENT_TOKEN_FILE
    )


def read_token(file: Path) -> str:
    """Read a token's file, and refuse one that others may read.

    Raises:
        Unauthenticated: There is no such file.
        UnreadableSource: It cannot be read, or others may read it.
    """
    try:
        opened = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError as fault:
        raise Unauthenticated(
            f"no agent's token: neither OLDHAND_CONFIRM_TOKEN nor {file}",
            advice=_ADVICE,
        ) from fault
    except OSError as fault:
        raise UnreadableSource(f"{file}: {fault.strerror}") from fault
    with os.fdopen(opened, "rb") as reading:
        mode = stat.S_IMODE(os.fstat(reading.fileno()).st_mode)
        data = reading.read(_MAX_BYTES)
    if mode & 0o077:
        raise UnreadableSource(
            f"{file}: others may read this token (mode {mode:04o}): chmod 600 it, or make "
            "a new one if they may have"
        )
    return data.decode("ascii", "replace").strip()


def save_token(file: Path, token: str) -> None:
    """Write a token into a new file of mode 0600.

    Raises:
        InvalidInput: There is such a file already, or it cannot be written.
    """
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        with os.fdopen(os.open(file, flags, 0o600), "w", encoding="ascii") as writing:
            writing.write(token + "\n")
    except FileExistsError as fault:
        raise InvalidInput(f"{file}: there already; it was left as it is") from fault
    except OSError as fault:
        raise InvalidInput(f"{file}: {fault.strerror}") from fault
