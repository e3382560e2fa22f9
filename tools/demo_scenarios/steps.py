"""The words in which a demo session is written: verbs for calls, names for slips.

A scenario is a list of steps. A plain string is the user speaking, a `Call` is one call
of the scripted agent, a tuple of calls is made in one message. A call that must go wrong
names its slip; the generator runs every call and stops if one goes wrong that should not,
or the other way round, so that no scenario can claim what did not happen.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple


class Slip(NamedTuple):
    """A sort of failure: what an honest judge calls it, and what the result must say."""

    outcome: Literal["error", "negative", "empty"]
    pattern: str


SLIPS = {
    "bad pattern": Slip("error", r"invalid pattern|Invalid|Unmatched"),
    "beyond the end": Slip("error", r"beyond the end"),
    "command not found": Slip("error", r"command not found"),
    "connection refused": Slip("error", r"refused|[Cc]ouldn't connect"),
    "crash": Slip("error", r"Traceback \(most recent call last\)"),
    "edit before read": Slip("error", r"has not been read"),
    "edit text not found": Slip("error", r"was not found"),
    "edit text not unique": Slip("error", r"occurs \d+ times"),
    "git refuses": Slip("error", r"(?m)^(fatal|error): "),
    "invalid JSON": Slip("negative", r"Expecting|Illegal|Extra data"),
    "merge conflict": Slip("negative", r"CONFLICT"),
    "module not found": Slip("error", r"No module named|cannot import name"),
    "no such file": Slip("error", r"[Nn]o such file"),
    "no such folder": Slip("error", r"[Nn]o such folder|No such file or directory"),
    "nothing found": Slip(
        "empty", r"^(Exit code: 1\n)?(No matches.*|\(no output\)|0)$"
    ),
    "nothing staged": Slip(
        "error", r"no changes added|nothing to commit|nothing added"
    ),
    "syntax error": Slip("negative", r"SyntaxError|IndentationError"),
    "test fails": Slip("negative", r"FAILED \("),
    "test fails behind a pipe": Slip("negative", r"FAILED \("),
    "unknown option": Slip("error", r"[Uu]nrecognized|invalid option|unknown option"),
    "wrong argument": Slip("error", r"takes no argument|needs the argument"),
}


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool.

    Attributes:
        tool: Its name.
        arguments: Paths may be below `/home/demo`, or relative to the project.
        say: What the agent says with it; nothing in most calls.
        slip: A key of `SLIPS` where it must go wrong.
    """

    tool: str
    arguments: Mapping[str, Any]
    say: str = ""
    slip: str = ""


Step = str | Call | tuple[Call, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One session before it is played.

    Attributes:
        name: The project, a dash, and a running number with a word or two.
        at: When it starts, ISO 8601, UTC.
        title: As an agent would name it.
        ask: The user's first message.
        steps: What happens then.
        done: The agent's last message.
        given: Files by path that the user put into the project before.
        exit_lines: Whether results of `bash` begin with "Exit code: N".
        flags: Whether results carry the success flag `is_error`.
    """

    name: str
    at: str
    title: str
    ask: str
    steps: Sequence[Step]
    done: str
    given: Mapping[str, str] = field(default_factory=dict)
    exit_lines: bool = False
    flags: bool = False

    @property
    def project(self) -> str:
        """The folder below `/home/demo` in which it plays."""
        return self.name.partition("-")[0]


def text(block: str) -> str:
    """Take a triple-quoted block for the contents of a file: no indent, no first line."""
    return textwrap.dedent(block).removeprefix("\n")


def call(tool: str, *, say: str = "", slip: str = "", **arguments: Any) -> Call:  # noqa: ANN401
    """Call a tool with any arguments, also such as it does not take."""
    return Call(tool, arguments, say, slip)


def bash(command: str, *, say: str = "", slip: str = "") -> Call:
    """Run a command line."""
    return Call("bash", {"command": command}, say, slip)


def read(path: str, *, say: str = "", slip: str = "", **lines: int) -> Call:
    """Read a file; `lines` are `offset` (from 1) and `limit`."""
    return Call("read_file", {"path": path, **lines}, say, slip)


def write(path: str, content: str, *, say: str = "", slip: str = "") -> Call:
    """Write a file; the content may be a triple-quoted block."""
    return Call("write_file", {"path": path, "content": text(content)}, say, slip)


def edit(path: str, old: str, *, to: str, say: str = "", slip: str = "") -> Call:
    """Replace the only occurrence of a text in a file; both may be blocks."""
    arguments = {"path": path, "old_string": _piece(old), "new_string": _piece(to)}
    return Call("edit_file", arguments, say, slip)


def search(pattern: str, path: str, *, say: str = "", slip: str = "") -> Call:
    """Look for a regular expression in the files below a path."""
    return Call("search", {"pattern": pattern, "path": path}, say, slip)


def look(path: str = ".", *, say: str = "", slip: str = "") -> Call:
    """List a folder."""
    return Call("list_directory", {"path": path}, say, slip)


def todo(*items: str, say: str = "") -> Call:
    """Write down the plan; an item begins with its state, as `done: write the test`."""
    pairs = (item.split(": ", 1) for item in items)
    plan = [{"state": state, "text": words} for state, words in pairs]
    return Call("todo", {"items": plan}, say)


def _piece(block: str) -> str:
    """A block that begins on its own line keeps the indent that its lines share."""
    return block.removeprefix("\n")
