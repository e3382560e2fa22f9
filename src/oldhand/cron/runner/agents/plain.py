"""Agents that print their answer and nothing else, or of which we know no better."""

from __future__ import annotations

from oldhand.cron.output import Output
from oldhand.cron.runner.agents.agent import Used
from oldhand.cron.runner.protocol import Done

_HEAD_CHARS, _TAIL_CHARS = 20_000, 80_000


class PlainReader:
    """Takes all that is printed for the answer; a long one by its beginning and end."""

    is_over = False

    def __init__(self) -> None:
        """Begin with nothing heard."""
        self._said = Output(head_chars=_HEAD_CHARS, tail_chars=_TAIL_CHARS)

    def hear(self, text: str) -> str:
        """Take a piece, all of which is kept."""
        self._said.add(text)
        return text

    def used(self) -> Used:
        """Return that nothing is known."""
        return Used()

    def done(self) -> Done:
        """Return that it went well, which its exit code may yet deny."""
        return Done(self._said.kept().text.strip(), success=True)
