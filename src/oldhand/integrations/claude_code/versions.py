"""Which Claude Code is here: an event that it does not know would undo all its settings.

A settings file with a hook for an unknown event is skipped as a whole, the user's own
settings with it. `PostToolUseFailure` is not in the changelog; the oldest version of which
a public report shows that it takes it is 2.1.50 (anthropics/claude-code#27886).
"""

from __future__ import annotations

import re
import shutil
import subprocess

FAILURE_EVENT = "PostToolUseFailure"
FAILURE_SINCE = (2, 1, 50)
_SECONDS = 10

Version = tuple[int, int, int]


def installed_version(program: str = "claude") -> Version | None:
    """Return the version that the user's own Claude Code says it is; None where unknown."""
    path = shutil.which(program)
    if path is None:
        return None
    try:
        said = subprocess.run(  # noqa: S603 - the user's own program, found on their path
            [path, "--version"],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return version_in(said.stdout.decode("utf-8", "replace"))


def version_in(text: str) -> Version | None:
    """Return the first version in a text.

    Example:
        >>> version_in("2.1.7 (Claude Code)")
        (2, 1, 7)
    """
    found = re.search(r"(\d{1,6})\.(\d{1,6})\.(\d{1,6})", text)
    if found is None:
        return None
    major, minor, patch = map(int, found.groups())
    return major, minor, patch


def events_for(version: Version | None) -> tuple[str, ...]:
    """Return the events that a version takes hooks for; an unknown one is taken as new."""
    if version is not None and version < FAILURE_SINCE:
        return ("SessionStart", "SessionEnd")
    return ("SessionStart", FAILURE_EVENT, "SessionEnd")
