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
from typing import Any

from oldhand.errors import InvalidInput
from oldhand.named_tuple import NamedTuple

AGENT_TOKEN_FILE = "agent.token"  # noqa: S105 - a file's name, in oldhand's home
KEY_FILE = "confirm.key"
"""The daemon's, likewise: where it lies, the daemon is this user's own."""
SCRIPTS = "scripts"
"""The folder in oldhand's home from which jobs may run scripts."""

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
        telegram_token: Of the bot that carries notices. `OLDHAND_TELEGRAM_TOKEN`,
            `telegram_token`.
        telegram_chat: The chat it writes to. `OLDHAND_TELEGRAM_CHAT`, `telegram_chat`.
        discord_webhook: The address of a webhook for notices. `OLDHAND_DISCORD_WEBHOOK`,
            `discord_webhook`.
        notify_urls: Addresses of apprise for notices, separated by blanks.
            `OLDHAND_NOTIFY_URLS`, `notify_urls` (a list of strings).
        confirm_url: Where the daemon is that holds requests. `OLDHAND_CONFIRM_URL`,
            `confirm_url`, default `http://localhost:6060`.
        confirm_token: An agent's, to ask with. `OLDHAND_CONFIRM_TOKEN`; where it is empty,
            the file `agent.token` in `home` holds it.
        host: Where `oldhand serve` listens. `OLDHAND_HOST`.
        port: Likewise. `OLDHAND_PORT`, 0 to 65,535.
        prices: US dollars for a million tokens by model, `[prices.MODEL]` in the file with
            `input`, `output` and, where they differ, `cache_read` and `cache_write`.
        cron_runner: The words of the command that runs jobs which name none.
            `OLDHAND_CRON_RUNNER` (as typed in a shell), `cron_runner` (a list of strings),
            default: the first agent found, when a job is made.
        cron_places: So many runs at once, 1 to 1,000. `OLDHAND_CRON_PLACES`,
            `cron_places`, default 4.
        cron_min_context_tokens: A job's model must have a window of so many tokens; 0 asks
            for none. `OLDHAND_CRON_MIN_CONTEXT_TOKENS`, `cron_min_context_tokens`.
        context_windows: Tokens that a model's window holds, by model, where you know better:
            `[context_windows]` in the file, with `qwen3 = 32_768`.
        run: The scheduled run that this process is inside of. `OLDHAND_RUN`, set by the
            scheduler; "" is none.
        session_key: By which requests for confirmation belong to that run.
            `OLDHAND_SESSION_KEY`, set by the scheduler.
    """

    home: Path
    database: str
    principal: str
    exclude: tuple[str, ...] = ()
    session_source: str = "cli"
    user_home: Path = Path()
    agent_environment: Mapping[str, str] = MappingProxyType({})
    telegram_token: str = ""
    telegram_chat: str = ""
    discord_webhook: str = ""
    notify_urls: str = ""
    confirm_url: str = "http://localhost:6060"
    confirm_token: str = ""
    host: str = "127.0.0.1"
    port: int = 6060
    prices: Mapping[str, Any] = MappingProxyType({})
    cron_runner: tuple[str, ...] = ()
    cron_places: int = 4
    cron_min_context_tokens: int = 0
    context_windows: Mapping[str, int] = MappingProxyType({})
    run: str = ""
    session_key: str = ""

    def __repr__(self) -> str:
        """Show all but secrets: of those, only that there is one."""
        shown = {
            name: "…" if name in _SECRET and value else value
            for name, value in self._asdict().items()
        }
        if "://" in self.database:  # may hold a password
            shown["database"] = self.database.partition("://")[0] + "://…"
        fields = ", ".join(f"{name}={value!r}" for name, value in shown.items())
        return f"Settings({fields})"


_SECRET = frozenset(
    ("telegram_token", "discord_webhook", "notify_urls", "confirm_token")
)
_LISTS = frozenset(("exclude", "notify_urls", "cron_runner"))
_NUMBERS = {"cron_places": (1, 1_000), "cron_min_context_tokens": (0, 10**9)}
_FILE_KEYS = (_LISTS | _SECRET | {"database", "principal", "telegram_chat"}) - {
    "confirm_token"  # which lies in a file of its own, as an agent can read it
} | {"confirm_url", "prices", "context_windows", *_NUMBERS}


def load(
    *, database: str | None = None, environment: Mapping[str, str] | None = None
) -> Settings:
    """Read the settings.

    Args:
        database: What a flag said.
        environment: Instead of the process's own.

    Raises:
        InvalidInput: `oldhand.toml` is no TOML, or holds a key or a type not listed; or
            a variable is no number where it must be.
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
        **{
            name: env.get(f"OLDHAND_{name.upper()}") or stored.get(name, "")
            for name in ("telegram_token", "telegram_chat", "discord_webhook")
        },
        notify_urls=env.get("OLDHAND_NOTIFY_URLS")
        or " ".join(stored.get("notify_urls", ())),
        confirm_url=env.get("OLDHAND_CONFIRM_URL")
        or stored.get("confirm_url")
        or Settings._field_defaults["confirm_url"],
        confirm_token=env.get("OLDHAND_CONFIRM_TOKEN") or "",
        host=env.get("OLDHAND_HOST") or Settings._field_defaults["host"],
        port=_port(env.get("OLDHAND_PORT")),
        prices=stored.get("prices", {}),
        cron_runner=_words("OLDHAND_CRON_RUNNER", env)
        or tuple(stored.get("cron_runner", ())),
        cron_places=_number("cron_places", env, stored),
        cron_min_context_tokens=_number("cron_min_context_tokens", env, stored),
        context_windows=stored.get("context_windows", {}),
        run=env.get("OLDHAND_RUN") or "",
        session_key=env.get("OLDHAND_SESSION_KEY") or "",
    )


def own_environment() -> dict[str, str]:
    """Return all variables, for programs that are started; nothing here reads them."""
    return dict(os.environ)


def time_zone_variable(environment: Mapping[str, str] | None = None) -> str | None:
    """Return TZ, which tells all programs what the clock shows; None: it is not set.

    Args:
        environment: Instead of the process's own.
    """
    return (os.environ if environment is None else environment).get("TZ")


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
    if key in _LISTS:
        is_right = isinstance(value, list) and all(isinstance(v, str) for v in value)
        expected = "a list of strings"
    elif key == "prices":
        is_right = isinstance(value, dict)
        expected = "a table for each model, as [prices.qwen3]"
    elif key == "context_windows":
        is_right = isinstance(value, dict) and all(
            type(tokens) is int and tokens > 0 for tokens in value.values()
        )
        expected = "a table of tokens by model, as qwen3 = 32_768"
    elif key in _NUMBERS:
        least, most = _NUMBERS[key]
        is_right = type(value) is int and least <= value <= most
        expected = f"a whole number from {least} to {most:,}"
    else:
        is_right, expected = isinstance(value, str), "a string"
    if not is_right:
        held = "of another type" if key in _SECRET else repr(value)
        raise InvalidInput(f"{path}: {key} is {held}; expected {expected}")


def _port(said: str | None) -> int:
    if not said:
        return int(Settings._field_defaults["port"])
    if not (said.isascii() and said.isdigit()):
        raise InvalidInput(f"OLDHAND_PORT is {said!r}; expected a number")
    return int(said)


def _number(name: str, env: Mapping[str, str], stored: Mapping[str, Any]) -> int:
    variable = f"OLDHAND_{name.upper()}"
    said = env.get(variable)
    if not said:
        return int(stored.get(name, Settings._field_defaults[name]))
    least, most = _NUMBERS[name]
    is_number = said.isascii() and said.isdigit() and len(said) <= len(str(most))
    if not is_number or not least <= int(said) <= most:
        raise InvalidInput(
            f"{variable} is {said!r}; expected a whole number from {least} to {most:,}"
        )
    return int(said)


def _words(variable: str, env: Mapping[str, str]) -> tuple[str, ...]:
    said = env.get(variable)
    if not said:
        return ()
    import shlex  # noqa: PLC0415 - only those with the variable pay

    try:
        return tuple(shlex.split(said))
    except ValueError as fault:
        raise InvalidInput(f"{variable} is {said!r}: {fault}") from fault


def _login_name(env: Mapping[str, str]) -> str:
    if env.get("USER"):
        return env["USER"]
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())
