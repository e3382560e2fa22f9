"""Settings: the one reader of the environment and of `oldhand.toml`.

A flag beats `OLDHAND_*`, which beats `oldhand.toml` in oldhand's home, which beats the
default. Everything else in oldhand receives the few values that it needs.
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from oldhand.errors import InvalidInput

# Where the agents whose sessions we read say that they keep them.
_AGENT_VARIABLES = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "HERMES_HOME")


class Settings(NamedTuple):
    """All settings, read once.

    Attributes:
        home: oldhand's own directory. `OLDHAND_HOME`, default `~/.oldhand`.
        database: Where the database is, a path or a URL. `OLDHAND_DATABASE`, `database`
            in the file, default `oldhand.db` in `home`.
        principal: Whose sessions are recorded where they do not say. `OLDHAND_PRINCIPAL`,
            `principal`, default the user's login name.
        session_source: The source of sessions that are recorded live.
            `OLDHAND_SESSION_SOURCE`, default `cli`.
        exclude: Globs over whole paths that an import passes over. `OLDHAND_EXCLUDE`
            (separated by `:`), `exclude` (a list of strings).
        user_home: The user's home directory.
        agent_environment: The variables by which agents move their own directories.
    """

    home: Path
    database: str
    principal: str
    exclude: tuple[str, ...] = ()
    session_source: str = "cli"
    user_home: Path = Path()
    agent_environment: Mapping[str, str] = MappingProxyType({})


_FILE_KEYS = frozenset(("database", "principal", "exclude"))


def load(
    *, database: str | None = None, environment: Mapping[str, str] | None = None
) -> Settings:
    """Read the settings.

    Args:
        database: What a flag said.
        environment: Instead of the process's own.

    Raises:
        InvalidInput: `oldhand.toml` is no TOML, or holds a key or a type not listed.
    """
    env = os.environ if environment is None else environment
    user_home = Path(env.get("HOME") or Path.home())
    home = Path(env.get("OLDHAND_HOME") or user_home / ".oldhand").expanduser()
    stored = _read_file(home / "oldhand.toml")
    listed = env.get("OLDHAND_EXCLUDE")
    return Settings(
        home=home,
        database=database
        or env.get("OLDHAND_DATABASE")
        or stored.get("database")
        or str(home / "oldhand.db"),
        principal=env.get("OLDHAND_PRINCIPAL")
        or stored.get("principal")
        or _login_name(env),
        exclude=tuple(listed.split(":") if listed else stored.get("exclude", ())),
        session_source=env.get("OLDHAND_SESSION_SOURCE") or "cli",
        user_home=user_home,
        agent_environment={
            name: env[name] for name in _AGENT_VARIABLES if env.get(name)
        },
    )


def _read_file(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as fault:
        raise InvalidInput(f"{path}: {fault}") from fault
    import tomllib  # noqa: PLC0415 - 4 ms that only those with a file pay

    try:
        stored = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise InvalidInput(f"{path}: {fault}") from fault
    for key, value in stored.items():
        _check(path, key, value)
    return stored


def _check(path: Path, key: str, value: object) -> None:
    if key not in _FILE_KEYS:
        known = ", ".join(sorted(_FILE_KEYS))
        raise InvalidInput(f"{path}: no setting is called {key!r}; there are {known}")
    if key == "exclude":
        is_right = isinstance(value, list) and all(isinstance(v, str) for v in value)
        expected = "a list of strings"
    else:
        is_right, expected = isinstance(value, str), "a string"
    if not is_right:
        raise InvalidInput(f"{path}: {key} is {value!r}; expected {expected}")


def _login_name(env: Mapping[str, str]) -> str:
    if env.get("USER"):
        return env["USER"]
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())
