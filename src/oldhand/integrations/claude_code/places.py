"""Where Claude Code keeps its settings and its sessions.

A path that comes with an event is a stranger's: it is believed only where it leads, all
links followed, to a session file below one of the folders that Claude Code keeps.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from oldhand.errors import InvalidInput
from oldhand.sessions.named_place import named_place

_LONGEST_FOLDER = 200  # beyond it Claude Code cuts the name and adds a hash of its own


def config_directory(environment: Mapping[str, str], home: Path) -> Path:
    """Return the directory of the user's settings, `~/.claude` unless a variable moves it.

    Args:
        environment: The agents' variables, as the settings hold them.
        home: The user's home directory.
    """
    named = environment.get("CLAUDE_CONFIG_DIR", "").split(",")[0].strip()
    return named_place(named, home) if named else home / ".claude"


def session_folder(config: Path, cwd: str) -> Path:
    """Return the folder in which the sessions of a directory lie.

    Raises:
        InvalidInput: The directory's name is so long that Claude Code shortens it in a way
            that is not documented.

    Example:
        >>> session_folder(Path("/home/ada/.claude"), "/home/ada/my engine").name
        '-home-ada-my-engine'
    """
    name = "".join(
        char if char.isascii() and char.isalnum() else "-"
        for char in _utf16_characters(cwd)
    )
    if len(name) > _LONGEST_FOLDER:
        raise InvalidInput(
            f"{cwd}: longer than {_LONGEST_FOLDER} characters, and where Claude Code "
            "keeps sessions of such a directory is not known"
        )
    return config / "projects" / name


def is_session_file(path: Path, homes: Iterable[Path]) -> bool:
    """Say whether a path leads to a session file below one of some `projects` folders."""
    real = Path(os.path.realpath(path))
    return real.suffix == ".jsonl" and any(
        real.is_relative_to(os.path.realpath(home)) for home in homes
    )


def _utf16_characters(text: str) -> str:
    """Write characters beyond the basic plane as two, as JavaScript's patterns see them."""
    return "".join(char if ord(char) < 0x10000 else "--" for char in text)  # noqa: PLR2004
