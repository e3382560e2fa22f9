"""With what an agent asks: the daemon's address, and its token.

The token comes from the environment, or from a file that nobody else may read. A file's
goes to this machine alone, or to the daemon that its second line names: the address comes
from the environment too, and who can set a variable there must not be sent the token.
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
    settings: Settings,
    *,
    patience_seconds: float = 30.0,
    waits_for_start: bool = True,
) -> ConfirmationClient:
    """Return a client with the token at hand; the rest is as `PatientCalls` takes it.

    Raises:
        Unauthenticated: There is no token.
        UnreadableSource: Others may read the file of the token, or it holds none.
        InvalidInput: The address is none.
    """
    calls = calls_of(
        settings, patience_seconds=patience_seconds, waits_for_start=waits_for_start
    )
    return ConfirmationClient(
        settings.confirm_url,
        token_of(settings),
        calls=calls,
        session_key=settings.session_key,
    )


def calls_of(
    settings: Settings, *, patience_seconds: float, waits_for_start: bool = True
) -> PatientCalls:
    """Return the way to the daemon; to one of our own only where we listen ourselves.

    Raises:
        InvalidInput: The address is none.
    """
    is_own = (settings.home / KEY_FILE).is_file()
    address = read_address(settings.confirm_url)._replace(is_own=is_own)
    return PatientCalls(
        address, patience_seconds=patience_seconds, waits_for_start=waits_for_start
    )


def token_of(settings: Settings) -> str:
    """Return the agent's token.

    Raises:
        Unauthenticated: There is none.
        UnreadableSource: Others may read its file.
        InvalidInput: It was stored for another daemon than the settings name.
    """
    file = settings.home / AGENT_TOKEN_FILE
    return settings.confirm_token.strip() or read_token(file, url=settings.confirm_url)


def read_token(file: Path, *, url: str) -> str:
    """Read a token's file, and refuse one that others may read.

    Args:
        file: The token, and on a second line the daemon's address where that is not here.
        url: Of the daemon that it would be sent to.

    Raises:
        Unauthenticated: There is no such file.
        UnreadableSource: It cannot be read, or others may read it.
        InvalidInput: It was not stored for that daemon.
    """
    token, _, stored_for = _lines_of(file).partition("\n")
    address = read_address(url)
    if not address.is_here and address.origin != stored_for.strip().rstrip("/"):
        raise InvalidInput(
            f"{file}: this token is for {stored_for.strip() or 'this machine'}, and is not "
            f"sent to {address.origin}",
            advice=f"if it is that daemon's, write {address.origin} into the file's second "
            "line; or give the one to use as OLDHAND_CONFIRM_TOKEN",
        )
    return token.strip()


def _lines_of(file: Path) -> str:
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


def lines_for(token: str, url: str) -> str:
    """Return what a token's file holds; `url` is of the daemon that it is for."""
    address = read_address(url)
    return f"{token}\n" if address.is_here else f"{token}\n{address.origin}\n"


def save_token(file: Path, token: str, *, url: str) -> None:
    """Write a token into a new file of mode 0600.

    Args:
        file: Where to.
        token: An agent's.
        url: Of the daemon that it is for.

    Raises:
        InvalidInput: There is such a file already, or it cannot be written.
    """
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        with os.fdopen(os.open(file, flags, 0o600), "w", encoding="ascii") as writing:
            writing.write(lines_for(token, url))
    except FileExistsError as fault:
        raise InvalidInput(f"{file}: there already; it was left as it is") from fault
    except OSError as fault:
        raise InvalidInput(f"{file}: {fault.strerror}") from fault
