"""Whose a session is, and which project it belongs to: read off its directory."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

_HOME_PARENTS = ("home", "Users")


def principal_of(cwd: str | None, *, default: str) -> str:
    """Return the owner of the home directory that `cwd` lies in, else the default.

    Sessions may come from another machine, or from several people's homes.

    Example:
        >>> principal_of("/Users/ada/src/engine", default="me")
        'ada'
        >>> principal_of("/srv/build", default="me")
        'me'
    """
    parts = PurePosixPath(cwd or "").parts
    if len(parts) > 2 and parts[1] in _HOME_PARENTS:  # noqa: PLR2004 - /, home, NAME
        return parts[2]
    return default


def project_of(cwd: str | None) -> str | None:
    """Return the root of the git checkout that `cwd` lies in, else `cwd` itself.

    A linked work tree belongs to the checkout it was made from. A directory that is not
    on this machine is its own project.
    """
    if not cwd:
        return None
    directory = Path(cwd)
    for candidate in (directory, *directory.parents):
        git = candidate / ".git"
        try:
            if git.is_dir():
                return str(candidate)
            if git.is_file():
                return _main_checkout(git) or str(candidate)
        except (OSError, ValueError):  # not readable, or no path at all
            break
    return cwd


def project_at(directory: str) -> str:
    """Return the project that a person means by a directory, as sessions have it.

    Agents write down where they really are, so links are followed. A directory that is
    not on this machine is taken as it is named.

    Raises:
        ValueError: It holds a NUL.
    """
    place = Path(directory).absolute()
    if place.exists():
        place = place.resolve()
    return project_of(str(place)) or str(place)


def _main_checkout(git_file: Path) -> str | None:
    """Follow `gitdir: /repo/.git/worktrees/NAME` to /repo."""
    line = git_file.read_text(encoding="utf-8", errors="replace")[:4096]
    target = PurePosixPath(line.removeprefix("gitdir:").strip())
    if target.parent.name == "worktrees" and target.parent.parent.name == ".git":
        return str(target.parent.parent.parent)
    return None


def current_directory() -> str | None:
    """Return the current directory; None where it was removed."""
    try:
        return str(Path.cwd())
    except FileNotFoundError:
        return None
