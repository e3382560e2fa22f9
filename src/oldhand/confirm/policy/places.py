"""In which line of a policy file a rule or a key stands, for messages.

Python's TOML reader says where a file is no TOML, but not where its values stood. So the
text is searched; where that finds another count of rules than the reader did, as when they
are written as one list, no line is named rather than a wrong one.
"""

from __future__ import annotations

import re

_HEADER = re.compile(r"^[ \t]*\[\[[ \t]*rule[ \t]*\]\]", re.MULTILINE)


class Places:
    """Finds the lines of a policy file."""

    def __init__(self, text: str, rule_count: int) -> None:
        """Search the text for the beginnings of its rules."""
        self._text = text
        starts = [found.start() for found in _HEADER.finditer(text)]
        self._starts = [*starts, len(text)] if len(starts) == rule_count else []

    def of_key(self, key: str) -> str:
        """Return `line 3: ` for a key above all rules, or an empty text."""
        end = self._starts[0] if self._starts else len(self._text)
        return self._said(self._find(key, 0, end))

    def of_rule(self, number: int, key: str = "") -> str:
        """Return `line 7: ` for a rule, counted from 0, or for a key in it."""
        if not self._starts:
            return ""
        start, end = self._starts[number], self._starts[number + 1]
        found = self._find(key, start, end) if key else -1
        return self._said(found if found >= 0 else start)

    def _find(self, key: str, start: int, end: int) -> int:
        pattern = re.compile(rf"^[ \t]*[\"']?{re.escape(key)}\b", re.MULTILINE)
        found = pattern.search(self._text, start, end)
        return found.start() if found else -1

    def _said(self, at: int) -> str:
        return f"line {self._text.count(chr(10), 0, at) + 1}: " if at >= 0 else ""
