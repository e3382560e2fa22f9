"""A person at a terminal: who types the password, and reads what is asked.

The password comes from the terminal itself, /dev/tty: not from an argument, the
environment or stdin, where an agent that started this command could put one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from oldhand.cli.face import Face
from oldhand.cli.tables import plain
from oldhand.errors import Forbidden

if TYPE_CHECKING:
    from oldhand.integrations.gate.people import PersonClient

NO_DAEMON_YET = "no database yet; the first start of `oldhand serve` makes one"
_TERMINAL = "/dev/tty"
_PATIENCE_SECONDS = 3.0


@contextmanager
def signed_in(face: Face, name: str | None = None) -> Iterator[PersonClient]:
    """Be a person for a block: ask for the password, sign in, and out at the end.

    Args:
        face: The settings name the daemon, and the person where no name is given.
        name: The person's.

    Raises:
        Forbidden: There is no terminal to type a password into.
        Unauthenticated: The name or the password is wrong.
    """
    from oldhand.app.confirmation import person_name
    from oldhand.integrations.gate.access import calls_of
    from oldhand.integrations.gate.people import PersonClient

    settings = face.settings
    person = name or person_name(settings.principal)
    check_terminal(settings.confirm_url)
    password = _ask_password(person, settings.confirm_url)
    calls = calls_of(settings, patience_seconds=_PATIENCE_SECONDS)
    url = settings.confirm_url
    with PersonClient.signed_in(url, person, password, calls=calls) as client:
        yield client


def check_terminal(url: str) -> None:
    """Refuse where nobody sits at a terminal.

    Raises:
        Forbidden: There is none.
    """
    try:
        os.close(os.open(_TERMINAL, os.O_RDWR | os.O_NOCTTY))
    except OSError as fault:
        raise Forbidden(
            "only a person may do this, and there is no terminal to type a password "
            f"into; open {url}/inbox in a browser instead"
        ) from fault


def says_yes(question: str) -> bool:
    """Ask at the terminal itself; only `y` or `yes` is a yes."""
    with open(_TERMINAL, "r+b", buffering=0) as terminal:  # noqa: PTH123 - a device
        terminal.write(f"{question} [y/N] ".encode("utf-8", "replace"))
        typed = b""
        while not typed.endswith(b"\n") and (byte := terminal.read(1)):
            typed += byte
    return typed.strip().lower() in {b"y", b"yes"}


def _ask_password(person: str, url: str) -> str:
    """Ask, and say to whom it goes: the environment may name another daemon."""
    from getpass import getpass

    return getpass(f"Password of {person} at {plain(url)}: ")
