"""Which file a job's script is: only one from the scripts folder, that only its user can change.

Who may add a job could else run any program of this user's, and who may write to a script
could run what they please, at a time when nobody looks.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
from pathlib import Path, PurePath

from oldhand.errors import InvalidInput

_BASH = {".sh", ".bash"}
_WRITABLE_BY_OTHERS = 0o022


def script_words(folder: Path, script: str) -> tuple[str, ...]:
    """Return the command that runs a script.

    Args:
        folder: Where scripts are; `settings.home / "scripts"`.
        script: A path below it, as `backups/check.sh`.

    Raises:
        InvalidInput: There is no such file there, or others may write to it.
    """
    file = _found(folder, script)
    suffix = file.suffix.lower()
    if suffix in _BASH:
        bash = shutil.which("bash")
        if bash is None:
            raise InvalidInput(f"script {script}: there is no bash to run it")
        return (bash, str(file))
    if suffix == ".py":
        return (sys.executable, str(file))
    if not os.access(file, os.X_OK):
        raise InvalidInput(
            f"script {script}: expected a file that ends in .sh, .bash or .py, or one that "
            "may be executed"
        )
    return (str(file),)


def _found(folder: Path, script: str) -> Path:
    if PurePath(script).is_absolute() or ".." in PurePath(script).parts:
        raise InvalidInput(f"script {script}: expected a path below {folder}")
    try:
        root = folder.resolve(strict=True)
        file = (root / script).resolve(strict=True)
    except FileNotFoundError as fault:
        raise InvalidInput(f"script {script}: not found in {folder}") from fault
    except (OSError, ValueError, RuntimeError) as fault:  # as links in a circle
        raise InvalidInput(f"script {script}: it cannot be read: {fault}") from fault
    if not file.is_relative_to(root):
        raise InvalidInput(f"script {script}: a link leads out of {folder}")
    if not file.is_file():
        raise InvalidInput(f"script {script}: no file")
    above = [path for path in file.parents if path.is_relative_to(root)]
    for path in (file, *above):
        _check_owner(path, script)
    return file


def _check_owner(path: Path, script: str) -> None:
    found = path.stat()
    if found.st_uid != os.getuid():
        raise InvalidInput(f"script {script}: {path} belongs to somebody else")
    if stat.S_IMODE(found.st_mode) & _WRITABLE_BY_OTHERS:
        raise InvalidInput(
            f"script {script}: others may write to {path} (mode "
            f"{stat.S_IMODE(found.st_mode):04o}): chmod go-w it"
        )
