"""One tool call as judging and shaping look at it.

Both ask what a tool is for and what its command line runs. Parsing a command line is the
dear part, so it happens at most once a call, and not at all for the two calls in three
that are no shell's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oldhand.sessions.known_tools import command_of, use_of
from oldhand.shell import CommandLine, parse

MAX_PARSED_CHARS = 20_000
"""A longer command line is a program that was written in place; its start tells enough."""


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

    __slots__ = ("_is_parsed", "_line", "arguments", "command", "tool", "use")

    def __init__(self, tool: str, arguments: Mapping[str, Any]) -> None:
        self.tool = tool
        self.arguments = arguments
        self.use = use_of(tool)
        self.command = command_of(tool, arguments) if self.use == "shell" else None
        self._line: CommandLine | None = None
        self._is_parsed = False

    @property
    def command_line(self) -> CommandLine | None:
        """The parts of the command line; None where there is none or it is not plain."""
        if not self._is_parsed:
            self._is_parsed = True
            if self.command is not None:
                self._line = parse(self.command[:MAX_PARSED_CHARS])
        return self._line
