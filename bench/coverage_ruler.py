"""The ruler that coverage is measured with: real sessions, four levels, one price.

A ruler must not move when the thing it measures does. So this file names a call's shape
and prices it by rules of its own, which import nothing of oldhand and stay as they are:
figures of this year can be held against those of the next.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench.coverage_lines import RawCall, RawSession, read_session

Levels = tuple[str, str, str, str]
"""What a call looks like: its tool, + argument keys, + kinds of values, + flags."""

MIN_CALLS = 3
"""A session with fewer calls is no session to be judged by."""

_MAX_PRICE = 800
_RESULT_CHARS = 500
_MAX_REFUSAL_CHARS = 600
_SHELLS = frozenset({"bash", "run", "terminal", "shell"})
_COMMON_VALUE_CHARS = 24
_COMMON_VALUE_TIMES = 5
_PARTICULAR = re.compile(r"\d{2}|^/|^[A-Z0-9]{6}$")
_EXTENSION = re.compile(r"\.(\w{1,6})$")
_DATE = re.compile(r"^\d{4}-\d\d-\d\d")
_FLAG = re.compile(r"(?<=\s)(--?[A-Za-z][\w-]*)")
_JOINT = re.compile(r"&&|\|\||;|\n|\|")
_FIRST_COMMENT = re.compile(r"^\s*#.*\n")
_ASSIGNMENT = re.compile(r"^\w+=\S*$")
_LIMIT = re.compile(r"^\d+[smh]?$")
_PREFIXES = frozenset({"sudo", "env", "time", "nohup", "timeout"})
_PASSED_OVER = frozenset({"cd", "set", "export", "source", "."})
_WITH_SUBCOMMAND = frozenset(
    [
        "git",
        "go",
        "npm",
        "npx",
        "docker",
        "gh",
        "mise",
        "pip",
        "uv",
        "cargo",
        "make",
        "pnpm",
        "yarn",
        "kubectl",
        "golangci-lint",
        "python",
        "python3",
        "entire",
    ]
)
_REFUSED = re.compile(
    r"user doesn't want to (?:proceed|take this action)|request interrupted by user"
    r"|has been denied|haven't granted|hook (?:blocked|denied|error)"
    r"|was blocked|Sibling tool call errored",
    re.IGNORECASE,
)
_FAILED = re.compile(
    r"\s*(?:<tool_use_error>|error[:\s]|fatal:|panic:|traceback \(most recent"
    r"|command not found|no such file|permission denied|exit code:? *[1-9])",
    re.IGNORECASE,
)
_HOME = re.compile(r"/(?:Users|home)/([\w-]+)/")


class RuledCall(NamedTuple):
    """One call under the ruler.

    Attributes:
        levels: Its four keys, coarse to fine.
        worked: It may be shown to a later session.
        price: In tokens, the whole example with at most 500 characters of result.
    """

    levels: Levels
    worked: bool
    price: int


class RuledSession(NamedTuple):
    """One session under the ruler.

    Attributes:
        uid: As Claude Code named it.
        started: ISO 8601, which sorts by time.
        task: What the user asked first.
        home: The home directory named most often in its first 60 calls; "?" for none.
        messages: How many entries it has.
        calls: Those that were answered and that nobody refused, in order.
    """

    uid: str
    started: str
    task: str
    home: str
    messages: int
    calls: tuple[RuledCall, ...]


def rule(directory: Path) -> list[RuledSession]:
    """Read every session below a directory and put the ruler to it, oldest first."""
    raw = [read_session(path) for path in sorted(directory.rglob("*.jsonl"))]
    common = _count_short_values(raw)
    ruled = (_rule_session(session, common) for session in raw)
    long_enough = (session for session in ruled if len(session.calls) >= MIN_CALLS)
    return sorted(long_enough, key=lambda session: (session.started, session.uid))


def _count_short_values(
    sessions: Sequence[RawSession],
) -> Counter[tuple[str, str, str]]:
    return Counter(
        (call.tool, key, str(value))
        for session in sessions
        for call in session.calls
        for key, value in call.arguments.items()
        if isinstance(value, (str, int)) and len(str(value)) <= _COMMON_VALUE_CHARS
    )


def _rule_session(
    session: RawSession, common: Counter[tuple[str, str, str]]
) -> RuledSession:
    return RuledSession(
        uid=session.uid,
        started=session.started,
        task=session.task,
        home=_home(session.calls),
        messages=session.messages,
        calls=tuple(
            RuledCall(
                levels_of(call, common),
                _worked(call, call.result),
                _price(call, call.result),
            )
            for call in session.calls
            if call.result is not None and not _was_refused(call, call.result)
        ),
    )


def _home(calls: Sequence[RawCall]) -> str:
    homes = Counter(
        home
        for call in calls[:60]
        for home in _HOME.findall(json.dumps(call.arguments))
    )
    return homes.most_common(1)[0][0] if homes else "?"


def _was_refused(call: RawCall, result: str) -> bool:
    may_be = call.is_error or len(result) < _MAX_REFUSAL_CHARS
    return may_be and _REFUSED.search(result[:400]) is not None


def _worked(call: RawCall, result: str) -> bool:
    return not call.is_error and _FAILED.match(result[:200]) is None


def _price(call: RawCall, result: str) -> int:
    chars = len(json.dumps(call.arguments)) + min(_RESULT_CHARS, len(result))
    return min(chars // 4 + 20, _MAX_PRICE)


def levels_of(call: RawCall, common: Counter[tuple[str, str, str]]) -> Levels:
    """Name a call at the four levels; `common` counts short values over all sessions."""
    tool, arguments = call.tool, call.arguments
    keys = ",".join(sorted(arguments.keys() - {"description", "timeout"}))
    command = arguments.get("command")
    if isinstance(command, str) and tool.lower() in _SHELLS:
        shape = f"{tool}:{_program(command)}"
        flags = sorted(set(_FLAG.findall(command)))[:6]
        pipe = ("|" if "|" in command else "") + ("&" if "&&" in command else "")
        return tool, f"{tool}({keys})", shape, f"{shape} {' '.join(flags)}{pipe}"
    values = ",".join(
        f"{key}:{_kind_of_value(tool, key, arguments[key], common=common)}"
        for key in sorted(arguments.keys() - {"description"})
    )
    return tool, f"{tool}({keys})", f"{tool}({values})", f"{tool}({values})"


def _program(command: str) -> str:
    for part in _JOINT.split(_FIRST_COMMENT.sub("", command).strip()):
        words = part.split()
        while words and _is_prefix(words[0]):
            del words[0]
        if words and words[0] not in _PASSED_OVER:
            return _with_subcommand(words)
    return (command.split() or [""])[0]


def _is_prefix(word: str) -> bool:
    return word in _PREFIXES or bool(_ASSIGNMENT.match(word) or _LIMIT.match(word))


def _with_subcommand(words: list[str]) -> str:
    program = words[0].rsplit("/", maxsplit=1)[-1]
    if program not in _WITH_SUBCOMMAND:
        return program
    second = next((word for word in words[1:] if not word.startswith(("-", "/"))), "")
    if not second or len(second) >= 24 or second.startswith('"'):
        return program
    return f"{program} {second}"


def _kind_of_value(
    tool: str, key: str, value: object, *, common: Counter[tuple[str, str, str]]
) -> str:
    if not isinstance(value, str):
        return _kind_of_other(value)
    times = common[tool, key, value] if len(value) <= _COMMON_VALUE_CHARS else 0
    if times >= _COMMON_VALUE_TIMES and not _PARTICULAR.search(value):
        return f"={value}"
    is_line = "\n" not in value
    if "/" in value[:200] and is_line:
        extension = _EXTENSION.search(value)
        if extension:
            return f"path.{extension[1]}"
        if " " not in value:
            return "path"
    if _DATE.match(value):
        return "date"
    return "str" if is_line else "text"


def _kind_of_other(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, (int, float)):
        return "num"
    return "list" if isinstance(value, list) else "obj"
