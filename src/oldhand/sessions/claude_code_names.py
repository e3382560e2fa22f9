"""Where Claude Code's sessions lie and how they are named: one rule for import and hooks.

A hook logs under a session's uid before the session is imported, and the import must come
to the same uid. A warm start that was written as a session file is known by its entries'
uuids: their first eight digits and their version, 8, which stands for uuids of one's own
making. Both survive where Claude Code copies a session or goes on with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from oldhand.sessions.named_place import named_place

_UUID_CHARS = 36
_UUID_DASHES = 4
_WARM_START = "01d4a4d0"  # as near as hexadecimal digits come to "oldhand"
_WARM_BEGINNING = f"{_WARM_START}-"
_VERSION_AT = 14


def config_directories(environment: Mapping[str, str], home: Path) -> list[Path]:
    """Return Claude Code's own directories: several where the variable lists several.

    Args:
        environment: The variables by which agents move their directories.
        home: The user's home directory.
    """
    listed = environment.get("CLAUDE_CONFIG_DIR", "")
    names = [part.strip() for part in listed.split(",")]
    named = [named_place(name, home) for name in names if name]
    return named or [home / ".config" / "claude", home / ".claude"]


def session_uid(file_stem: str | None, session_id: str | None) -> str | None:
    """Return the uid of a session: the name of its file, where that is a uuid.

    Args:
        file_stem: The file's name without `.jsonl`; None where there is no file.
        session_id: What the session's lines say.

    Example:
        >>> session_uid("0a1b2c3d-0000-4000-8000-000000000001", "other")
        '0a1b2c3d-0000-4000-8000-000000000001'
        >>> session_uid("notes", "other")
        'other'
    """
    if file_stem is not None and is_uuid(file_stem):
        return file_stem
    return session_id or file_stem


def is_uuid(text: str) -> bool:
    """Say whether a text has the form of a uuid."""
    return len(text) == _UUID_CHARS and text.count("-") == _UUID_DASHES


def warm_uuid(*parts: str) -> str:
    """Make the uuid of a warm start or of one of its lines, the same for the same parts.

    Example:
        >>> warm_uuid("a", "b")[:9], warm_uuid("a")[14]
        ('01d4a4d0-', '8')
    """
    import hashlib  # noqa: PLC0415 - 3 ms that a hook need not pay

    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    hexed = hashlib.sha256(text).hexdigest()
    return f"{_WARM_START}-{hexed[:4]}-8{hexed[4:7]}-a{hexed[7:10]}-{hexed[10:22]}"


def is_warm_uuid(uuid: str) -> bool:
    """Say whether an entry is a warm start's: shown to a session, never done in it."""
    return (
        uuid.startswith(_WARM_BEGINNING)
        and len(uuid) == _UUID_CHARS
        and uuid[_VERSION_AT] == "8"
    )
