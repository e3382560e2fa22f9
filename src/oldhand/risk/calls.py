"""Whether a call is on the list: by the name of the tool, or by its command line.

A line that cannot be taken apart is searched for the words of the list, so that what is
not understood is never taken for harmless.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from oldhand.lazy_pattern import LazyPattern
from oldhand.named_tuple import NamedTuple
from oldhand.risk.on_data import is_deleting_code, is_destructive_sql
from oldhand.risk.patterns import Pattern, matching, names_risky_program
from oldhand.risk.rules import RULES
from oldhand.shell import Command, identify, parse


class Risk(NamedTuple):
    """Why a person should see a call first.

    Attributes:
        rule: The stable name of the rule, or `unparsed`.
        why: One sentence.
    """

    rule: str
    why: str


_UNPARSED = Risk(
    "unparsed", "The command line cannot be understood, and it names a risky program."
)
_COMMAND_KEYS = ("command", "cmd", "script")
_RUNNERS = {"npx": 0, "bunx": 0, "pnpx": 0, "uvx": 0} | dict.fromkeys(
    ("uv", "poetry", "pipenv", "pdm", "hatch", "bundle", "pipx", "mise", "conda"), 1
)
_READING_WORDS = """
    get list read search find fetch show describe count check view query lookup is has
    preview calculate validate estimate simulate explain draft summarize
"""
_READING = frozenset(_READING_WORDS.split())
_SQL_TOOLS = frozenset(
    {"sql", "database", "db", "postgres", "postgresql", "mysql", "sqlite", "execute"}
    | {"bigquery", "snowflake", "supabase", "duckdb"}
)
_CODE_TOOLS = frozenset({"python", "ipython", "code", "javascript", "node", "notebook"})
_SHELL_TOOLS = frozenset(
    {
        "shell",
        "bash",
        "sh",
        "zsh",
        "terminal",
        "console",
        "exec",
        "run",
        "command",
        "cmd",
    }
)
_FREE_TEXT_KEY = "input"  # what arguments are called that were given as free text
_TEXTS = (
    (
        ("sql", "statement", "query", _FREE_TEXT_KEY),
        _SQL_TOOLS,
        is_destructive_sql,
        "database",
    ),
    (
        ("code", "source", "script", _FREE_TEXT_KEY),
        _CODE_TOOLS,
        is_deleting_code,
        "delete",
    ),
)
_TEXT_KEYS = frozenset(key for keys, *_ in _TEXTS for key in keys)
_HELPERS = frozenset({"agent", "agents", "human", "assistant", "representative"})
_TOOL_PART = LazyPattern(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_SEPARATOR = LazyPattern(r"__|[./:]")


def risk_of(
    tool: str, arguments: Mapping[str, Any], *, command: str | None
) -> Risk | None:
    """Assess a call, as the package's `assess` says."""
    by_name = risk_of_tool(tool)
    if by_name:
        return by_name
    line = command if command is not None else _line_in(tool, arguments)
    by_line = risk_of_line(line) if line else None
    return by_line or _risk_of_text(tool, arguments)


def risk_of_line(line: str) -> Risk | None:
    """Assess a command line by itself; one that cannot be read is searched for words."""
    parsed = parse(line)
    if parsed is None:
        return _UNPARSED if names_risky_program(line) else None
    found: list[Pattern] = []
    for command in parsed.commands:
        found += matching(command, parsed)
        other = _really_runs(command)
        if other:
            found += matching(other, parsed)
    if not found:
        return None
    worst = min(found, key=lambda pattern: pattern.order)
    return Risk(worst.rule.name, worst.rule.why)


def _really_runs(command: Command) -> Command | None:
    """Return `twine upload` of `python -m twine upload`, `x` of `npx x` and `uv run x`."""
    words = command.words
    if command.subcommand[:3] == "-m ":
        at = words.index("-m") + 1
    elif command.program in _RUNNERS:
        own = _RUNNERS[command.program]
        if own and command.subcommand not in {"run", "exec", "x"}:
            return None
        operands = [at for at, word in enumerate(words) if word[:1] != "-"]
        at = operands[own] if len(operands) > own else len(words)
    else:
        return None
    if at >= len(words):
        return None
    identity = identify(words[at:])
    return command._replace(
        program=identity.program, words=identity.words, subcommand=identity.subcommand
    )


def _line_in(tool: str, arguments: Mapping[str, Any]) -> str | None:
    is_shell = _FREE_TEXT_KEY in arguments and not _SHELL_TOOLS.isdisjoint(_parts(tool))
    for key in (*_COMMAND_KEYS, _FREE_TEXT_KEY) if is_shell else _COMMAND_KEYS:
        value = arguments.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and all(isinstance(word, str) for word in value):
            return shlex.join(value)
    return None


@lru_cache(maxsize=1024)  # a session calls a few tools many times
def risk_of_tool(tool: str) -> Risk | None:
    """Assess a tool by its name alone."""
    parts = _parts(_SEPARATOR.split(tool)[-1])
    if not parts or parts[0] in _READING or _hands_over(parts):
        return None
    for rule in RULES:
        rows = (row.split() for row in rule.tools.splitlines() if row.strip())
        if any(_has_all(parts, row) for row in rows):
            return Risk(rule.name, rule.why)
    return None


def _hands_over(parts: list[str]) -> bool:
    """Say whether it gives the conversation away: `transfer_to_human_agents`."""
    return parts[0] == "transfer" and not _HELPERS.isdisjoint(parts)


def _has_all(parts: list[str], row: list[str]) -> bool:
    return all(not set(parts).isdisjoint(word.split("|")) for word in row)


def _parts(name: str) -> list[str]:
    return [part.lower() for part in _TOOL_PART.findall(name)]


def _risk_of_text(tool: str, arguments: Mapping[str, Any]) -> Risk | None:
    """Assess SQL and program texts that a tool is given."""
    if _TEXT_KEYS.isdisjoint(arguments):
        return None
    for keys, tools, is_risky_text, name in _TEXTS:
        texts = [arguments[key] for key in keys if isinstance(arguments.get(key), str)]
        if (
            texts
            and not tools.isdisjoint(_parts(tool))
            and any(map(is_risky_text, texts))
        ):
            rule = next(rule for rule in RULES if rule.name == name)
            return Risk(rule.name, rule.why)
    return None
