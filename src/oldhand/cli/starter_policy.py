"""A policy for the gate, offered where a new one would ask for everything."""

from __future__ import annotations

import os
from pathlib import Path

import click

from oldhand.cli.face import Face, talk
from oldhand.cli.tables import plain
from oldhand.errors import InvalidInput


def offer_starter_policy(face: Face, *, asks: bool, is_dry: bool) -> None:
    """Write the starter policy where no policy holds yet and the daemon is this user's own.

    Args:
        face: The settings say where.
        asks: A person is asked first.
        is_dry: Only say it.

    Raises:
        InvalidInput: It cannot be written.
    """
    from oldhand.app.confirm_places import POLICY_FILE

    file = face.settings.home / POLICY_FILE
    if not _is_own_daemon(face):
        talk(
            "the daemon has a policy of its own; one by which looking is not asked: "
            "`oldhand confirm policy starter`"
        )
    elif os.path.lexists(file) or _has_policy(face):
        return
    elif is_dry:
        talk(f"{file}: not written, as asked; it would let pass what only looks")
    elif not asks or _says_yes(file):
        _write(file)
        talk(
            f"{file}: written; what only looks is not asked, all else is: change it as "
            "you like"
        )
    else:
        talk("no policy was written: a person is asked for every call of these tools")


def _is_own_daemon(face: Face) -> bool:
    """Say whether it reads its policy from this home, now or when it is first started."""
    from oldhand.integrations.gate.transport import read_address
    from oldhand.settings import AGENT_TOKEN_FILE, KEY_FILE

    settings = face.settings
    if not read_address(settings.confirm_url).is_here:
        return False
    has_token = settings.confirm_token or (settings.home / AGENT_TOKEN_FILE).exists()
    return (settings.home / KEY_FILE).exists() or not has_token


def _has_policy(face: Face) -> bool:
    """Say whether somebody put another policy than the one a daemon begins with."""
    from oldhand.confirm.policies import active_policy
    from oldhand.confirm.policy import DEFAULT_POLICY_TEXT, read_policy
    from oldhand.errors import NotFound

    try:
        active = active_policy(face.existing_store())
    except NotFound:
        return False
    usual = read_policy(DEFAULT_POLICY_TEXT)
    return active is not None and active.policy.digest != usual.digest


def _says_yes(file: Path) -> bool:
    question = f"Write {plain(file)}, by which what only looks is not asked?"
    try:
        return click.confirm(question, err=True)
    except click.Abort:
        talk("")
        return False


def _write(file: Path) -> None:
    from oldhand.integrations.claude_code.starter_policy import STARTER_POLICY_TEXT

    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(file, flags, 0o600), "w", encoding="utf-8") as writing:
            writing.write(STARTER_POLICY_TEXT)
    except OSError as fault:
        raise InvalidInput(
            f"{file}: {fault.strerror}: no policy was written"
        ) from fault
