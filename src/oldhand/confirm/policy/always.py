"""What a person always sees first: no allow rule, standing grant or default passes it.

Three sources: ten names of actions; the list of `oldhand.risk`, which knows tools and
command lines; and below, for those of the ten that it has no rows for, the programs that
do the same. A command line that cannot be taken apart belongs here, too: nobody knows
what it would do.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from oldhand.confirm.policy.command_lines import Line, line_of
from oldhand.confirm.policy.model import Asked
from oldhand.confirm.policy.values import value_at
from oldhand.risk import assess
from oldhand.shell import Command

ALWAYS_RISKY: Mapping[str, str] = {
    "deploy_production": "It changes what is running for others.",
    "delete_data": "It deletes data, and there may be no way back.",
    "transfer_funds": "It moves money.",
    "modify_permissions": "It changes what others may do.",
    "shutdown_service": "It stops what others may depend on.",
    "wipe_database": "It empties a database.",
    "exec_remote": "It runs a program on another machine.",
    "publish_package": "Others can see it at once, and it cannot be taken back.",
    "rotate_keys": "It replaces keys that others may be using.",
    "migrate_database": "It changes the form of a database that others may be using.",
}
"""Names of actions, in any case and notation, with one sentence why."""


class Danger(NamedTuple):
    """Why a person must see it.

    Attributes:
        name: One of `ALWAYS_RISKY`, a rule of `oldhand.risk`, or `unparsed`.
        why: One sentence.
    """

    name: str
    why: str


_UNPARSED = Danger("unparsed", "The command line cannot be taken apart with certainty.")

# A program, then words that must all stand behind it, in any place, one or the other.
_PROGRAMS = """
    exec_remote         ssh @has_command
    exec_remote         kubectl|oc exec
    exec_remote         pssh|pdsh|parallel-ssh|clush|rsh|rexec|winrs|psexec|mosh
    exec_remote         ansible
    exec_remote         salt
    exec_remote         fly|flyctl|heroku ssh|run|ps:exec|run:detached
    exec_remote         aws ssm send-command|start-session
    exec_remote         aws ecs execute-command
    exec_remote         gcloud ssh
    migrate_database    alembic upgrade|downgrade|stamp
    migrate_database    flask db upgrade|downgrade
    migrate_database    manage.py|django-admin migrate
    migrate_database    python|python3|uv|poetry|pipenv manage.py|./manage.py migrate
    migrate_database    rails|rake|bundle db:migrate|db:rollback|db:migrate:reset|db:setup
    migrate_database    mix ecto.migrate|ecto.rollback
    migrate_database    flyway|liquibase migrate|clean|update|rollback|undo
    migrate_database    prisma migrate|db deploy|reset|dev|push
    migrate_database    npx|pnpx|bunx|pnpm|yarn|npm prisma migrate|db deploy|reset|dev|push
    migrate_database    knex|sequelize|typeorm migrate:latest|db:migrate|migration:run|migrate:rollback
    migrate_database    goose|dbmate|migrate|sqlx|diesel|atlas|sqitch up|down|redo|run|apply|deploy|migrate|revert|rollback|drop
    migrate_database    php artisan migrate|migrate:fresh|migrate:rollback|migrate:reset
    migrate_database    supabase db|migration push|up
    rotate_keys         aws iam create-access-key|update-access-key|delete-access-key
    rotate_keys         aws secretsmanager rotate-secret|put-secret-value|update-secret
    rotate_keys         aws kms rotate-key-on-demand|enable-key-rotation|disable-key
    rotate_keys         gcloud keys create|delete|disable
    rotate_keys         gcloud secrets versions
    rotate_keys         vault rotate|rekey|generate-root
    rotate_keys         vault operator rotate|rekey|generate-root|seal
    rotate_keys         gh ssh-key|gpg-key add|delete
    rotate_keys         certbot renew|revoke|certonly|delete
    rotate_keys         doppler|infisical secrets set|delete
    modify_permissions  setfacl
    modify_permissions  aws iam @changes
    modify_permissions  gcloud add-iam-policy-binding|remove-iam-policy-binding|set-iam-policy
    modify_permissions  az role assignment create|delete
    modify_permissions  kubectl|oc create rolebinding|clusterrolebinding|role|clusterrole
    modify_permissions  icacls|cacls|chattr
"""
_COMMAND_KEYS = frozenset(
    {"command", "cmd", "script", "commands", "commandline", "shell", "shellcommand"}
    | {"bash", "bashcommand", "exec", "argv", "line", "cmdline"}
)
_SURE_COMMAND_KEYS = frozenset({"command", "cmd", "commandline", "cmdline", "argv"})
_TEXT_KEYS = frozenset({"sql", "statement", "query", "code", "source", "input"})
_NAME_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_NAME_WORDS = {name: frozenset(name.split("_")) for name in ALWAYS_RISKY}
_CHANGES = re.compile(r"(?:attach|detach|put|create|delete|update|add|remove)-[\w-]+")
_CACHED_CHARS = 1000
_SSH_VALUED = frozenset(f"-{letter}" for letter in "bcDEeFIiJLlmOopQRSWw")


def find_danger(
    asked: Asked, shell_paths: tuple[tuple[str, ...], ...] = ()
) -> Danger | None:
    """Say why a person must see a call first, or None.

    Args:
        asked: The call.
        shell_paths: Where command lines stand, beside the usual names of arguments: what
            the rules of a policy look into.
    """
    return (
        _danger_of_name(asked.action)
        or _danger_inside(asked)
        or _first(
            _danger_of_line(line_of(value_at(asked, path)), is_sure=True)
            for path in shell_paths
        )
    )


@lru_cache(maxsize=1024)  # a session calls a few tools many times
def _danger_of_name(action: str) -> Danger | None:
    """Find a name of the ten in `mcp__ops__deployToProduction` or `deploy-production`."""
    parts = _NAME_PART.findall(unicodedata.normalize("NFKC", action))
    words = {part.lower() for part in parts}
    for name, needed in _NAME_WORDS.items():
        if needed <= words or name.replace("_", "") in "".join(parts).lower():
            return Danger(name, ALWAYS_RISKY[name])
    risk = assess(action, {})
    return Danger(risk.rule, risk.why) if risk else None


def _danger_inside(asked: Asked) -> Danger | None:
    """Look through the details at any depth for command lines and program texts."""
    waiting: list[object] = [asked.details]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):  # first: to ask for an abstract class takes longer
            continue
        if isinstance(value, Mapping):
            danger = _danger_of_table(asked.action, value)
            if danger:
                return danger
            waiting += value.values()
        elif isinstance(value, (list, tuple)):
            waiting += value
    return None


def _danger_of_table(action: str, table: Mapping[str, object]) -> Danger | None:
    for key, value in table.items():
        name = key.lower().replace("_", "").replace("-", "")
        if name in _COMMAND_KEYS:
            danger = _first(
                _danger_of_line(line, is_sure=name in _SURE_COMMAND_KEYS)
                for line in _lines(value)
            )
            if danger:
                return danger
    if not _TEXT_KEYS.isdisjoint(table):
        risk = assess(action, table)
        return Danger(risk.rule, risk.why) if risk else None
    return None


def _lines(value: object) -> Iterator[Line | None]:
    """Take a list as the words of one command, and as command lines of their own."""
    if isinstance(value, Mapping):
        return
    yield line_of(value)
    if isinstance(value, (list, tuple)):
        for each in value:
            if isinstance(each, str) and " " in each.strip():
                line = line_of(each)
                yield line if line and line.is_readable else None


def _danger_of_line(line: Line | None, *, is_sure: bool) -> Danger | None:
    """Assess a line.

    Args:
        line: What stands under the name of a command line.
        is_sure: It is one, so that being unreadable speaks against it.
    """
    if line is None:
        return None
    if not line.is_readable and is_sure:
        return _UNPARSED
    return _danger_again(line) if len(line.text) < _CACHED_CHARS else _danger_of(line)


def _danger_of(line: Line) -> Danger | None:
    risk = assess("", {}, command=line.text)
    if risk:
        return Danger(risk.rule, risk.why)
    return _first(map(_danger_of_command, line.commands))


_danger_again = lru_cache(maxsize=4096)(_danger_of)  # `line_of` keeps lines, too


def _danger_of_command(command: Command) -> Danger | None:
    for name, needed in _ROWS.get(command.program, ()):
        if all(needs(command.words) for needs in needed):
            return Danger(name, ALWAYS_RISKY[name])
    return None


def _first(found: Iterator[Danger | None]) -> Danger | None:
    return next((danger for danger in found if danger), None)


_Need = Callable[[tuple[str, ...]], bool]


def _has_command(words: tuple[str, ...]) -> bool:
    """Say whether `ssh` is given something to run behind the host."""
    operands, skip = 0, False
    for word in words:
        if skip or (operands == 0 and word[:1] == "-"):
            skip = not skip and word in _SSH_VALUED
        else:
            operands += 1
    return operands > 1


def _changes(words: tuple[str, ...]) -> bool:
    return any(map(_CHANGES.fullmatch, words))


_SPECIAL: dict[str, _Need] = {"@has_command": _has_command, "@changes": _changes}


def _need(token: str) -> _Need:
    choices = frozenset(token.split("|"))
    return _SPECIAL.get(token) or (lambda words: not choices.isdisjoint(words))


def _rows() -> dict[str, list[tuple[str, tuple[_Need, ...]]]]:
    found: dict[str, list[tuple[str, tuple[_Need, ...]]]] = {}
    for row in _PROGRAMS.strip().splitlines():
        name, programs, *rest = row.split()
        for program in programs.split("|"):
            found.setdefault(program, []).append((name, tuple(map(_need, rest))))
    return found


_ROWS = _rows()
