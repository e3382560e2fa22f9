"""The agents whose command line and output are known: how each is run and understood."""

from __future__ import annotations

from pathlib import PurePath

from oldhand.cron.runner.agents import claude_code as _claude_code
from oldhand.cron.runner.agents import codex as _codex
from oldhand.cron.runner.agents import hermes as _hermes
from oldhand.cron.runner.agents import other as _other
from oldhand.cron.runner.agents.agent import CannotRun, Line, Reader, Used, judged
from oldhand.cron.runner.protocol import Task

__all__ = ["CannotRun", "Line", "Reader", "Used", "judged", "line_of"]

_LINES = {
    "claude": _claude_code.line_of,
    "codex": _codex.line_of,
    "hermes": _hermes.line_of,
}


def line_of(task: Task) -> Line:
    """Return how a task's command is run; the program's name says which agent it is.

    Raises:
        CannotRun: The agent cannot be told what the job asks for.
    """
    name = PurePath(task.command[0]).name
    return _LINES.get(name, _other.line_of)(task)
