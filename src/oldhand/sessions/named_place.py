"""A directory as an agent's variable names it."""

from __future__ import annotations

from pathlib import Path


def named_place(text: str, home: Path) -> Path:
    """Return a path as a variable names it; `~` at its beginning is the home directory.

    Example:
        >>> named_place("~/.codex", Path("HOME")).as_posix()
        'HOME/.codex'
    """
    first, *rest = Path(text).parts or (".",)
    return home.joinpath(*rest) if first == "~" else Path(text)
