"""Which level of assurance really holds, found out by trying and not by believing.

Run as an agent would run: as its user. What this process can open, an agent of the same user
can, whatever a setting says. No HTTP in here: whether the agent's token can approve is
tried by a callable that is handed in.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from oldhand.confirm.model import LEVELS, PERSON
from oldhand.confirm.principals import list_principals
from oldhand.confirm.switches import is_solo
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.confirm")
HONEST_SENTENCE = (
    "An agent that runs as the same user can read every file, token and browser profile of "
    "that user, and can run the command without asking."
)
_REFUSED = frozenset({401, 403})
_OTHERS = 0o077
BROWSER_PROFILES = (
    ".mozilla/firefox",
    ".config/google-chrome",
    ".config/chromium",
    ".config/microsoft-edge",
    ".config/BraveSoftware",
    "snap/firefox/common/.mozilla/firefox",
    "Library/Application Support/Firefox",
    "Library/Application Support/Google/Chrome",
    "Library/Safari",
)

TryToApprove = Callable[[], int]
"""Tries to approve with the agent's token; returns the HTTP status."""


class Finding(NamedTuple):
    """One thing that was tried.

    Attributes:
        name: What, in a word or two.
        holds: Whether it is as it must be; None: it could not be found out.
        detail: What was seen, in a sentence.
        is_wall: Whether the level stands on it: where it does not hold, an agent can get
            round all else.
    """

    name: str
    holds: bool | None
    detail: str
    is_wall: bool = False


class Places(NamedTuple):
    """Where the parts of a daemon lie.

    Attributes:
        database: Its file; None: it is on a server.
        key: The file of the key that signs.
        token: The file of the agent's token.
        policy: The policy's file; None: only the database holds it.
        checkpoints: The file outside; None: there is none.
        home: Of the user: where browsers keep who is signed in.
        is_elsewhere: The daemon runs on another machine, with files of its own.
    """

    database: Path | None
    key: Path
    token: Path
    policy: Path | None
    checkpoints: Path | None
    home: Path
    is_elsewhere: bool = False


class Diagnosis(NamedTuple):
    """What holds.

    Attributes:
        level: 0 guardrail, 1 separated.
        why: In a sentence.
    """

    level: int
    why: str
    findings: tuple[Finding, ...]

    @property
    def name(self) -> str:
        """The level in a word."""
        return LEVELS[self.level]


def diagnose(
    places: Places, *, store: Store | None, try_to_approve: TryToApprove | None
) -> Diagnosis:
    """Try what an agent could do, as the user of this process.

    Args:
        places: Where the parts lie.
        store: The database, where this process can open it.
        try_to_approve: None where there is no token or no daemon to try it with.
    """
    findings = (
        _approves_itself(try_to_approve),
        _database(places),
        _reads("signing key", places.key, places, "forge grants and checkpoints"),
        _writes_policy(places.policy),
        _replaces(places),
        _browser(places.home),
        _token(places.token),
        _checkpoints(places.checkpoints),
        *(_of_store(store) if store is not None else _unseen()),
    )
    broken = [each for each in findings if each.is_wall and each.holds is not True]
    if not broken:
        why = "Nothing that this user can open lets an agent approve for itself."
        return Diagnosis(1, why, findings)
    names = ", ".join(each.name for each in broken)
    return Diagnosis(0, f"Not separated: {names}. {HONEST_SENTENCE}", findings)


def _approves_itself(try_to_approve: TryToApprove | None) -> Finding:
    name = "the agent's token"
    if try_to_approve is None:
        said = "not tried: there is no token here, or no daemon that answers"
        return Finding(name, None, said, is_wall=True)
    status = try_to_approve()
    said = f"approving with it was answered by HTTP {status}"
    return Finding(name, status in _REFUSED, said, is_wall=True)


def _database(places: Places) -> Finding:
    if places.database is None:
        said = (
            "on a server, to which this user has the address and perhaps the password"
        )
        return Finding("database", False, said, is_wall=True)
    return _reads(
        "database", places.database, places, "write decisions past the daemon"
    )


def _reads(name: str, file: Path, places: Places, can: str) -> Finding:
    """Try to read what must be closed; what is not there may lie open elsewhere."""
    try:
        os.close(os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK))
    except FileNotFoundError:
        if places.is_elsewhere:
            said = "on another machine, with the daemon"
            return Finding(name, True, said, is_wall=True)
        said = f"{file}: not there; name the daemon's by --database and OLDHAND_HOME"
        return Finding(name, None, said, is_wall=True)
    except OSError as fault:
        return Finding(name, True, f"{file}: {fault.strerror}", is_wall=True)
    said = f"{file}: this user can open it, and so {can}"
    return Finding(name, False, said, is_wall=True)


def _writes_policy(file: Path | None) -> Finding:
    if file is None:
        said = "held in the database alone"
        return Finding("policy file", True, said)
    fault = _why_not_opened(file, os.O_WRONLY)
    if fault is None:
        said = f"{file}: this user can change it"
        return Finding("policy file", False, said, is_wall=True)
    return Finding("policy file", True, f"{file}: {fault}", is_wall=True)


def _replaces(places: Places) -> Finding:
    """Try whether a file could be swapped, or a policy be put where there is none."""
    name = "directories"
    if places.is_elsewhere:
        return Finding(name, True, "on another machine, with the daemon", is_wall=True)
    files = (places.database, places.key, places.policy, places.checkpoints)
    for file in files:
        if file is not None and _can_be_replaced(file):
            said = f"{file}: this user can put another in its place"
            return Finding(name, False, said, is_wall=True)
    said = "this user can put no other file in the place of the daemon's"
    return Finding(name, True, said, is_wall=True)


def _can_be_replaced(file: Path) -> bool:
    """Say whether this user may make or rename files where a file lies."""
    if not os.access(file.parent, os.W_OK | os.X_OK):
        return False
    there, about = file.parent.stat(), _status_of(file)
    if about is None or not there.st_mode & stat.S_ISVTX:
        return True
    return os.geteuid() in {0, there.st_uid, about.st_uid}


def _browser(home: Path) -> Finding:
    name = "browser profiles"
    readable = [home / each for each in BROWSER_PROFILES if _is_listed(home / each)]
    if readable:
        said = f"{readable[0]}: a session of a person who signs in there can be read"
        return Finding(name, False, said, is_wall=True)
    return Finding(name, True, f"none that this user can read in {home}")


def _token(file: Path) -> Finding:
    name = "mode of the token's file"
    mode = _mode_of(file)
    if mode is None:
        return Finding(name, True, f"{file}: there is none")
    return Finding(name, not mode & _OTHERS, f"{file}: mode {mode:04o}")


def _checkpoints(file: Path | None) -> Finding:
    name = "checkpoints outside"
    if file is None:
        said = "none: that the newest rows of the log were cut off could not be seen"
        return Finding(name, False, said)
    fault = _why_not_opened(file, os.O_WRONLY)
    if fault is None:
        return Finding(name, False, f"{file}: this user can rewrite it")
    return Finding(name, True, f"{file}: {fault}")


def _of_store(store: Store) -> Iterable[Finding]:
    solo = is_solo(store)
    said = "on: who owns an agent decides what it asks" if solo else "off"
    yield Finding("solo mode", not solo, said)
    people = [
        each
        for each in list_principals(store)
        if each.kind == PERSON and not each.is_disabled
    ]
    without = [
        each.name
        for each in people
        if store.query_one(_SQL["password_of"], (each.id,)) is None
    ]
    if not people:
        yield Finding("people", False, "there is nobody who could decide")
    elif without:
        names = ", ".join(without)
        yield Finding("people", False, f"without a password yet: {names}")
    else:
        yield Finding("people", True, f"each of {len(people)} has a password")


def _unseen() -> Iterable[Finding]:
    said = "not seen: this user cannot open the database"
    return (Finding("solo mode", None, said), Finding("people", None, said))


def _why_not_opened(file: Path, flags: int) -> str | None:
    """Say what keeps this process from opening a file; None where nothing does."""
    try:
        os.close(os.open(file, flags | os.O_CLOEXEC | os.O_NONBLOCK))
    except OSError as fault:
        return fault.strerror or type(fault).__name__
    return None


def _is_listed(directory: Path) -> bool:
    try:
        return bool(os.listdir(directory))  # noqa: PTH208 - Path.iterdir raises later
    except OSError:
        return False


def _mode_of(file: Path) -> int | None:
    about = _status_of(file)
    return None if about is None else stat.S_IMODE(about.st_mode)


def _status_of(file: Path) -> os.stat_result | None:
    try:
        return file.lstat()
    except OSError:
        return None
