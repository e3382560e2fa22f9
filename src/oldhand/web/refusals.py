"""What was refused, counted, and written into the log together.

A row for each would let whoever is refused fill the disk. So refusals of one kind to one
principal become one row every few seconds, and there is room for so many kinds only.
"""

from __future__ import annotations

from collections import Counter

from oldhand.confirm.audit.refused import Refused

SECONDS = 5
"""Between two rows of one kind and principal."""
MOST_KINDS = 200
_TOLD = frozenset(
    (
        "bad_csrf",
        "forbidden",
        "foreign_origin",
        "not_found",
        "request_conflict",
        "too_many",
        "unauthenticated",
        "wrong_host",
    )
)


class Refusals:
    """Counts by what was refused and to whom."""

    def __init__(self) -> None:
        """Begin with none."""
        self._counts: Counter[tuple[str, str | None]] = Counter()

    def note(self, code: str, principal: str | None) -> None:
        """Count one, where it is of a kind that the log is to tell."""
        if code not in _TOLD:
            return
        key = (code, principal)
        if key not in self._counts and len(self._counts) >= MOST_KINDS:
            key = (code, None)
        self._counts[key] += 1

    def take(self) -> list[Refused]:
        """Return what was counted, and begin anew."""
        taken, self._counts = self._counts, Counter()
        return [Refused(code, who, count) for (code, who), count in taken.items()]

    def give_back(self, refused: list[Refused]) -> None:
        """Count again what could not be written."""
        for code, who, count in refused:
            self._counts[code, who] += count
