"""What an import counted: what came in, what was passed over, and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple


class Malformed(NamedTuple):
    """One place in a file that could not be read.

    Attributes:
        path: The file.
        line: Counted from 1; 0 where the file has no lines, as a database.
        reason: What was wrong with it, in a few words, without its content.
    """

    path: Path
    line: int
    reason: str


@dataclass(slots=True)
class Tally:
    """The counts of one import; readers add to it and never stop at what it counts.

    Attributes:
        sessions: New sessions written.
        updated: Sessions known before that gained something.
        messages: New messages written.
        calls: New tool calls written.
        skipped: Files or sessions that had not changed since the last import.
        duplicates: Entries left out because another session or line already held them.
        orphans: Results whose call is not in the file.
        empty: Sessions without a single message; they are not stored.
        erased: Sessions left out because they were erased here.
        pruned: Sessions left out because they were pruned here.
        warm_lines: Lines left out because they are a warm start that oldhand wrote, which
            the session was shown and did not do.
        unknown_types: Record types that the reader does not know, with their number.
        malformed: Places that could not be read.
    """

    sessions: int = 0
    updated: int = 0
    messages: int = 0
    calls: int = 0
    skipped: int = 0
    duplicates: int = 0
    orphans: int = 0
    empty: int = 0
    erased: int = 0
    pruned: int = 0
    warm_lines: int = 0
    unknown_types: Counter[str] = field(default_factory=Counter)
    malformed: list[Malformed] = field(default_factory=list)

    def report_malformed(self, path: Path, line: int, reason: str) -> None:
        """Count one place that could not be read."""
        self.malformed.append(Malformed(path, line, reason))

    def report_unknown(self, record_type: object) -> None:
        """Count one record of a type that the reader does not know.

        The type comes from a foreign file: it is cut to 60 printable characters.
        """
        name = str(record_type)[:60]
        self.unknown_types["".join(c if c.isprintable() else "?" for c in name)] += 1
