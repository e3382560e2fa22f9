"""Which rules can match a call at all, found without asking each of them.

A rule is filed under one necessary feature of the calls that it matches: that a field is
equal to a value, begins with a text or holds it, or is a command line that runs a program. Of a
rule's conditions the one whose files are the emptiest is taken. A call is asked for its
features, and only the rules filed under these are looked at.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from oldhand.confirm.policy.command_lines import Line, line_of
from oldhand.confirm.policy.model import Anchor, Asked, Rule
from oldhand.confirm.policy.values import key_of, value_at

_Files = dict[Any, list[int]]
_Path = tuple[str, ...]


class RuleIndex:
    """The rules of one policy, filed.

    Attributes:
        shell_paths: Where command lines stand that rules look into.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        """File all rules."""
        self._rules = rules
        self._unfiled: list[int] = []
        self._equal: dict[_Path, _Files] = defaultdict(lambda: defaultdict(list))
        self._program: dict[_Path, _Files] = defaultdict(lambda: defaultdict(list))
        self._prefix: dict[tuple[_Path, int], _Files] = defaultdict(
            lambda: defaultdict(list)
        )
        self._inside: dict[_Path, list[tuple[str, int]]] = defaultdict(list)
        counts = Counter(anchor for rule in rules for anchor in _all_anchors(rule))
        for number, rule in enumerate(rules):
            self._file(number, _best(rule, counts))
        self.shell_paths = tuple(
            dict.fromkeys(
                condition.path
                for rule in rules
                for condition in rule.conditions
                if condition.is_shell
            )
        )

    def matching(self, asked: Asked) -> list[Rule]:
        """Return the rules all of whose conditions hold, in the order of the file."""
        # Once for all rules: a line may have 100,000 characters.
        lines = {path: line_of(value_at(asked, path)) for path in self.shell_paths}
        found = sorted({*self._unfiled, *self._filed_for(asked, lines)})
        return [
            rule
            for rule in map(self._rules.__getitem__, found)
            if all(
                c.holds(lines[c.path] if c.is_shell else value_at(asked, c.path))
                for c in rule.conditions
            )
        ]

    def _filed_for(
        self, asked: Asked, lines: Mapping[_Path, Line | None]
    ) -> Iterable[int]:
        for path, files in self._equal.items():
            yield from files.get(key_of(value_at(asked, path)), ())
        for (path, length), files in self._prefix.items():
            value = value_at(asked, path)
            if isinstance(value, str):
                yield from files.get(value[:length], ())
        for path, texts in self._inside.items():
            value = value_at(asked, path)
            if isinstance(value, str):
                yield from (number for text, number in texts if text in value)
        for path, files in self._program.items():
            yield from _of_line(lines[path], files)

    def _file(self, number: int, anchors: tuple[Anchor, ...]) -> None:
        if not anchors:
            self._unfiled.append(number)
        for kind, path, value in anchors:
            if kind == "equal":
                self._equal[path][value].append(number)
            elif kind == "program":
                self._program[path][value].append(number)
            elif kind == "inside":
                self._inside[path].append((str(value), number))
            else:
                self._prefix[path, len(str(value))][value].append(number)


def _of_line(line: Line | None, files: _Files) -> Iterable[int]:
    if line is None:
        return
    # What runs in a line that cannot be read is not known, so every rule may match it.
    programs = line.programs if line.is_readable else files
    for program in programs:
        yield from files.get(program, ())


def _all_anchors(rule: Rule) -> Iterable[Anchor]:
    for condition in rule.conditions:
        yield from condition.anchors


def _best(rule: Rule, counts: Counter[Anchor]) -> tuple[Anchor, ...]:
    choices = [c.anchors for c in rule.conditions if c.anchors]
    return min(choices, key=lambda anchors: _cost(anchors, counts), default=())


def _cost(anchors: tuple[Anchor, ...], counts: Counter[Anchor]) -> tuple[int, bool]:
    """Say how many rules are looked at for one of these; to search in a text comes last."""
    is_searched = any(anchor.kind == "inside" for anchor in anchors)
    return max(counts[anchor] for anchor in anchors), is_searched
