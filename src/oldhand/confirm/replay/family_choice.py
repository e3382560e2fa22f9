"""Of the families that calls belong to, the one that a rule for would cut most."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from oldhand.confirm.replay.judged import Same
from oldhand.confirm.replay.wide_rules import Family, Lines, Plain, Within, families_of

_MAX_SHAPES = 12
_MAX_SETS = 300
_NARROW_ENOUGH = 0.9
"""A narrower directory is taken while it holds this share of what the wider one cuts."""
_MAX_DIRECTORIES = 4
_LEAST_SHARE = 0.05
"""A further directory stands in the same rule from this share of the first one's on."""

Members = Mapping[Family, Mapping[int, Same]]


class Choice(NamedTuple):
    """A family and what a rule for it covers.

    Attributes:
        family: None where there is none.
        covered: The calls with their numbers in `Gathered`.
    """

    family: Family | None
    covered: Mapping[int, Same]

    @property
    def cuts(self) -> int:
        """How many calls it covers, equal ones counted each time."""
        return _sum(self.covered.values())


class Gathered:
    """Calls by the families that they belong to, from which they can be dropped again.

    Attributes:
        left: The calls that are not dropped.
        members: Those, per family.
    """

    def __init__(self, calls: Iterable[Same]) -> None:
        """Find the families of each call, once."""
        self.left = dict(enumerate(calls))
        self._families = {n: tuple(families_of(s.asked)) for n, s in self.left.items()}
        self.members: dict[Family, dict[int, Same]] = defaultdict(dict)
        for number, families in self._families.items():
            for family in families:
                self.members[family][number] = self.left[number]

    def drop(self, covered: Iterable[int]) -> None:
        """Take out calls that pass from now on."""
        for number in tuple(covered):
            del self.left[number]
            for family in self._families[number]:
                del self.members[family][number]
                if not self.members[family]:
                    del self.members[family]


def best_family(members: Members) -> Choice:
    """Choose between calls of a tool, of a tool within directories, and command lines."""
    choices = (_best_plain(members), _best_directory(members), _best_lines(members))
    return max(choices, key=lambda choice: choice.cuts)


def _best_plain(members: Members) -> Choice:
    plain = [
        Choice(family, same)
        for family, same in members.items()
        if isinstance(family, Plain)
    ]
    return max(plain, key=lambda choice: choice.cuts, default=Choice(None, {}))


def _best_directory(members: Members) -> Choice:
    """Choose the directories of a tool that cut most, each as narrow as loses little."""
    within = {f: same for f, same in members.items() if isinstance(f, Within)}
    sums = {family: _sum(same.values()) for family, same in within.items()}
    best = max(sums, key=lambda family: _breadth(sums, family), default=None)
    if best is None:
        return Choice(None, {})
    tool = best[:2]
    chosen: list[Within] = []
    covered: dict[int, Same] = {}
    sums = {family: total for family, total in sums.items() if family[:2] == tool}
    least = _LEAST_SHARE * sums[best]
    while sums and len(chosen) < _MAX_DIRECTORIES:
        widest = max(sums, key=lambda family: _breadth(sums, family))
        if sums[widest] < least:
            break
        narrow = _narrowed(widest, sums)
        chosen.append(narrow)
        covered |= within[narrow]
        sums = {f: n for f, n in sums.items() if not _overlap(f, narrow)}
    directories = tuple(family.directories[0] for family in chosen)
    return Choice(Within(*tool, directories), covered)


def _breadth(sums: Mapping[Within, int], family: Within) -> tuple[int, int]:
    return sums[family], len(family.directories[0])


def _narrowed(widest: Within, sums: Mapping[Within, int]) -> Within:
    inside = [
        family
        for family, total in sums.items()
        if family.directories[0].startswith(widest.directories[0])
        and total >= _NARROW_ENOUGH * sums[widest]
    ]
    return max(inside, key=lambda family: len(family.directories[0]))


def _overlap(one: Within, other: Within) -> bool:
    first, second = one.directories[0], other.directories[0]
    return first.startswith(second) or second.startswith(first)


def _best_lines(members: Members) -> Choice:
    """Choose the set of shapes that most command lines keep within.

    Tried are the sets that lines have, and the most frequent shapes of each program.
    """
    by_tool: dict[tuple[str, str], dict[frozenset[str], int]] = defaultdict(dict)
    for family, same in members.items():
        if isinstance(family, Lines):
            by_tool[family[:2]][family.shapes] = _sum(same.values())
    best: Lines | None = None
    most = 0
    for (action, key), sums in by_tool.items():
        often = sorted(sums, key=lambda each: -sums[each])[:_MAX_SETS]
        for shapes in dict.fromkeys((*often, *_of_programs(sums))):
            if len(shapes) <= _MAX_SHAPES:
                total = sum(n for each, n in sums.items() if each <= shapes)
                if total > most:
                    best, most = Lines(action, key, shapes), total
    if best is None:
        return Choice(None, {})
    covered = {
        number: same
        for family, sames in members.items()
        if isinstance(family, Lines)
        and family[:2] == best[:2]
        and family.shapes <= best.shapes
        for number, same in sames.items()
    }
    return Choice(best, covered)


def _of_programs(sums: Mapping[frozenset[str], int]) -> list[frozenset[str]]:
    counts: Counter[str] = Counter()
    for shapes, count in sums.items():
        for shape in shapes:
            counts[shape] += count
    by_program: dict[str, list[str]] = defaultdict(list)
    for shape, _ in counts.most_common():
        by_program[shape.split()[0]].append(shape)
    return [frozenset(shapes[:_MAX_SHAPES]) for shapes in by_program.values()]


def _sum(calls: Iterable[Same]) -> int:
    return sum(same.times for same in calls)
