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
from oldhand.sessions.loose_values import text_or_none


class LineTree:
    """The lines of one file by what they hang on."""

    def __init__(self) -> None:
        """Begin with no line."""
        self._parents: dict[str, str | None] = {}
        self._prompts: dict[str, None] = {}  # in the order of the file

    def note(self, uuid: str, line: dict[str, Any]) -> None:
        """Take one line, of any type: bookkeeping stands between others as well."""
        if uuid in self._parents:
            return
        parent = line.get("parentUuid")
        if not isinstance(parent, str):
            # What goes on after a compaction has no parent, and a logical one.
            parent = text_or_none(line.get("logicalParentUuid"))
        self._parents[uuid] = parent
        if line.get("type") == "user" and is_prompt(line):
            self._prompts[uuid] = None

    def rewound(self) -> set[str]:
        """Return the uuids of all lines on dead branches, in time linear in the lines."""
        if not self._prompts:
            return set()
        living = dict.fromkeys(self._way_from(next(reversed(self._prompts))))
        aside = [prompt for prompt in self._prompts if prompt not in living]
        if not aside:
            return set()
        starts_anew = self._begins(next(reversed(living)))
        anchors = {uuid: uuid for uuid in living}
        children = self._children()
        dead: set[str] = set()
        for prompt in aside:
            anchor = self._anchor(prompt, anchors)
            if anchor in living or (starts_anew and self._begins(anchor)):
                _add_branch(dead, prompt, children)
        return dead

    def _way_from(self, uuid: str) -> Iterator[str]:
        """Yield a line and those before it, back to the first that is in the file."""
        seen: set[str] = set()
        at: str | None = uuid
        while at in self._parents and at not in seen:
            seen.add(at)
            yield at
            at = self._parents[at]

    def _anchor(self, uuid: str, anchors: dict[str, str]) -> str:
        """Return the living line that a line hangs on, else the first of its own branch.

        Args:
            uuid: Of the line.
            anchors: What was found for others; what is found is added.
        """
        way = []
        anchor = uuid
        for at in self._way_from(uuid):
            anchor = anchors.get(at, at)
            if at in anchors:
                break
            way.append(at)
        anchors.update(dict.fromkeys(way, anchor))
        return anchor

    def _begins(self, uuid: str) -> bool:
        return uuid in self._prompts and self._parents[uuid] is None

    def _children(self) -> dict[str, list[str]]:
        children: dict[str, list[str]] = {}
        for uuid, parent in self._parents.items():
            if parent is not None:
                children.setdefault(parent, []).append(uuid)
        return children


def _add_branch(dead: set[str], uuid: str, children: dict[str, list[str]]) -> None:
    """Add a line and all that hang on it."""
    pending = [uuid]
    while pending:
        at = pending.pop()
        if at not in dead:
            dead.add(at)
            pending.extend(children.get(at, ()))
