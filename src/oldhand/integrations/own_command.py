"""The command line by which another program finds this very oldhand again."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from oldhand.errors import InvalidInput
from oldhand.redact import redact
from oldhand.store.open import file_named_by, is_postgres

PROGRAM = "oldhand"


def own_command(
    *, started_as: str, python: str = sys.executable, database: str | None = None
) -> str:
    """Return the beginning of a command line, quoted for a shell.

    A program of ours that was started by its name is named by its whole path, not followed
    to where links lead: those are what an upgrade leaves in place. Else the interpreter is
    named, and told not to read modules from the directory that it is started in, which is
    somebody's project.

    Args:
        started_as: The first word of this process's command line.
        python: The interpreter.
        database: What `--database` said, to be said again.

    Raises:
        InvalidInput: The database's URL holds a password, which no settings file should.
    """
    path = Path(started_as)
    if path.name == PROGRAM and os.access(path, os.X_OK) and path.is_file():
        words = [os.path.abspath(path)]  # noqa: PTH100 - resolve() would follow links
    else:
        words = [python, "-P", "-m", PROGRAM]
    if database is not None:
        words += ["--database", _whole(database)]
    return shlex.join(words)


def _whole(database: str) -> str:
    """Return a database's name so that it means the same in every directory."""
    if is_postgres(database):
        if redact(database) != database:
            raise InvalidInput(
                "the database's URL holds a secret, and settings are read and shared by "
                "many; put it into oldhand.toml or OLDHAND_DATABASE instead"
            )
        return database
    path = file_named_by(database)
    return database if path is None else str(path.absolute())
