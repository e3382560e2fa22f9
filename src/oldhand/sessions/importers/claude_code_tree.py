"""Which lines of Claude Code's log the user rewound behind.

Each line names the one before it, so that lines form a tree, and a prompt that was typed
after a rewind hangs where the old one hung. The last prompt tells which branch lives: all
that lies between it and the first line. Answers and results of parallel calls branch off
that way as well, so a branch is dead only from a prompt on that stands beside it. Where a
line's parent is not in the file, nothing is known, and nothing is given up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from oldhand.sessions.importers.claude_code_lines import is_prompt
from oldhand.sessions.loose_values import text_in


class LineTree:
    """The lines of one file by what they hang on."""

    def __init__(self) -> None:
        """Begin with no line."""
        self._parents: dict[str, str | None] = {}
        self._children: dict[str, list[str]] = {}
        self._prompts: dict[str, None] = {}  # in the order of the file

    def note(self, line: dict[str, Any]) -> None:
        """Take one line, of any type: bookkeeping stands between others as well."""
        uuid = text_in(line, "uuid")
        if uuid is None or uuid in self._parents:
            return
        # What goes on after a compaction has no parent, and a logical one.
        parent = text_in(line, "parentUuid", "logicalParentUuid")
        self._parents[uuid] = parent
        if parent is not None:
            self._children.setdefault(parent, []).append(uuid)
        if line.get("type") == "user" and is_prompt(line):
            self._prompts[uuid] = None

    def rewound(self) -> set[str]:
        """Return the uuids of all lines on dead branches."""
        if not self._prompts:
            return set()
        living = dict.fromkeys(self._way_from(next(reversed(self._prompts))))
        first = next(reversed(living))
        dead: set[str] = set()
        for prompt in self._prompts:
            is_off = prompt not in living and prompt not in dead
            if is_off and self._stands_beside(prompt, living, first):
                dead.update(self._below(prompt))
        return dead

    def _way_from(self, uuid: str) -> Iterator[str]:
        """Yield a line and those before it, back to the first that is in the file."""
        seen: set[str] = set()
        at: str | None = uuid
        while at in self._parents and at not in seen:
            seen.add(at)
            yield at
            at = self._parents[at]

    def _stands_beside(self, prompt: str, living: dict[str, None], first: str) -> bool:
        """Say whether a prompt hangs on the living way, or began in place of its first."""
        way = list(self._way_from(prompt))
        if any(uuid in living for uuid in way):
            return True
        both_begin = self._begins(way[-1]) and self._begins(first)
        return both_begin and way[-1] != first

    def _begins(self, uuid: str) -> bool:
        return uuid in self._prompts and self._parents[uuid] is None

    def _below(self, uuid: str) -> Iterator[str]:
        """Yield a line and all that hang on it."""
        pending = [uuid]
        seen: set[str] = set()
        while pending:
            at = pending.pop()
            if at not in seen:
                seen.add(at)
                yield at
                pending.extend(self._children.get(at, ()))
