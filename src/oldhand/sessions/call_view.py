"""One tool call as judging and shaping look at it.

Both ask what a tool is for and what its command line runs. Parsing a command line and
looking through its parts is the dear part, so it happens at most once a call, not at all
for the two calls in three that are no shell's, and seldom again for a line that was seen
not long ago: two shell calls in five repeat one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from oldhand.sessions.known_tools import command_of, use_of
from oldhand.shell import CommandLine, parse

MAX_PARSED_CHARS = 20_000
"""A longer command line is a program that was written in place; its start tells enough."""

_KEPT_LINES = 256
_MAX_KEPT_CHARS = 1_000

_Answer = TypeVar("_Answer")


class CallView:
    """A tool call with its command line parsed once, when first asked for.

    Attributes:
        tool: The tool's name.
        arguments: The call's arguments, by name.
        use: What the tool is for, as `shell` or `read`.
        command: The command line a shell was given, else None.

    Example:
        >>> view = CallView("Bash", {"command": "git diff | head"})
        >>> view.use, [command.program for command in view.command_line.commands]
        ('shell', ['git', 'head'])
    """

    __slots__ = ("_line", "arguments", "command", "tool", "use")

    def __init__(self, tool: str, arguments: Mapping[str, Any]) -> None:
        self.tool = tool
        self.arguments = arguments
        self.use = use_of(tool)
        self.command = command_of(tool, arguments) if self.use == "shell" else None
        self._line: _SeenLine | None = None

    @property
    def command_line(self) -> CommandLine | None:
        """The parts of the command line; None where there is none or it is not plain."""
        return self._seen.line

    def ask(self, question: Callable[[CommandLine | None], _Answer]) -> _Answer:
        """Return what a function says of the command line; it is kept with the line.

        Args:
            question: A function of the module, whose answer hangs on the line alone.
        """
        answers = self._seen.answers
        if question not in answers:
            answers[question] = question(self._seen.line)
        answer: _Answer = answers[question]
        return answer

    @property
    def _seen(self) -> _SeenLine:
        if self._line is None:
            command = self.command
            if command is None:
                self._line = _NO_LINE
            elif len(command) < _MAX_KEPT_CHARS:
                self._line = _seen_again(command)
            else:
                self._line = _SeenLine(command)
        return self._line


class _SeenLine:
    """A command line with what was asked of it."""

    __slots__ = ("answers", "line")

    def __init__(self, command: str | None) -> None:
        self.line = None if command is None else parse(command[:MAX_PARSED_CHARS])
        self.answers: dict[Callable[[CommandLine | None], Any], Any] = {}


_NO_LINE = _SeenLine(None)
_seen_again = lru_cache(maxsize=_KEPT_LINES)(_SeenLine)
