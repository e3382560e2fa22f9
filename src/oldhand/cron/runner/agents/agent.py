"""What is known of an agent: its command line, and how to read what it prints."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol

from oldhand.cron.runner.protocol import Done
from oldhand.ledger.prices import Tokens


class CannotRun(Exception):
    """An agent cannot be told what a job asks for; the message says what, and why."""


class Used(NamedTuple):
    """What a run has used so far; None is unknown.

    Attributes:
        turns: Answers of the model.
        parts: Tokens, by the model that used them.
        cost_usd: As the agent says it.
    """

    turns: int | None = None
    parts: Mapping[str, Tokens] = MappingProxyType({})
    cost_usd: float | None = None

    @property
    def tokens(self) -> int | None:
        """All kinds together; None where nothing is known."""
        if not self.parts:
            return None
        return sum(number or 0 for part in self.parts.values() for number in part)

    def total(self) -> Tokens:
        """Return the tokens by kind; None where no part says."""
        kinds = zip(*self.parts.values(), strict=True)
        sums = [
            sum(number or 0 for number in kind)
            if any(n is not None for n in kind)
            else None
            for kind in kinds
        ]
        return Tokens(*sums)


class Reader(Protocol):
    """Reads what an agent prints, as it comes; nothing that it prints makes it raise."""

    @property
    def is_over(self) -> bool:
        """Whether the agent has said how it went; what it used is final then."""

    def hear(self, text: str) -> str:
        """Take a piece of what it prints, and return what is to be kept of it."""

    def used(self) -> Used:
        """Return what it has used so far."""

    def done(self) -> Done:
        """Return how it went as far as it said, when nothing more comes."""


class Line(NamedTuple):
    """How an agent is run.

    Attributes:
        words: Its command line.
        reader: Reads what it prints.
        stdin: What it is given to read.
        environment: Beside what it is given anyway.
        without: Variables that it must not find.
        limits: Which limits are kept while it runs: `turns`, `tokens`, `cost_usd`.
    """

    words: tuple[str, ...]
    reader: Reader
    stdin: str = ""
    environment: Mapping[str, str] = MappingProxyType({})
    without: tuple[str, ...] = ()
    limits: frozenset[str] = frozenset()


def judged(done: Done, code: int, last_words: str) -> Done:
    """Return how a run went, when its exit code is known.

    An agent that says nothing and ends well has not done what it was for.

    Args:
        done: As the agent says.
        code: Its exit code; below 0: the signal that ended it.
        last_words: The last line that it printed to standard error.
    """
    if code:
        how = f"exit code {code}" if code > 0 else f"ended by signal {-code}"
        why = done.end_reason or last_words
        return done._replace(success=False, end_reason=f"{how}: {why}" if why else how)
    if done.success and not done.answer.strip():
        return done._replace(success=False, end_reason="it ended well and said nothing")
    return done
