"""What came before calls: counted by shape, for those that worked and those that failed.

Only what shares one of the call's particulars counts: the Read of a file before its Edit.
Steps that share nothing were tried on real sessions and dropped: what they found (a Read
of anything before any command) told how far a session had come, and not what a call needs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from oldhand.experience.repair.past_calls import Names, PastCall, particulars_in
from oldhand.named_tuple import NamedTuple

BEFORE_CALLS = 10
"""How many calls before another are looked at."""

_EMPTY_RANK = 1 << 40  # one that found nothing is shown only where no other is there


class Times(NamedTuple):
    """How often a step came before calls of a shape: those that worked, and that failed."""

    worked: int
    failed: int


class ShapeCalls(NamedTuple):
    """How the calls of one shape went in one session.

    Attributes:
        shape_id: Theirs.
        worked_call: The one that is best shown; None where none worked.
        worked: How many worked.
        failed: How many failed.
        before: What came before them, by `Names.step`.
    """

    shape_id: int
    worked_call: int | None
    worked: int
    failed: int
    before: Mapping[int, Times]


def count_before(calls: Sequence[PastCall], names: Names) -> list[ShapeCalls]:
    """Count what came before the calls of a session, by their shape.

    Args:
        calls: All of the session, in order.
        names: Of their tools and shapes.
    """
    particulars = [particulars_in(call.arguments) for call in calls]
    counted: defaultdict[int, list[tuple[PastCall, set[int]]]] = defaultdict(list)
    for at, call in enumerate(calls):
        if not (call.has_worked or call.has_failed) or call.tool_id in names.idle_tools:
            continue
        start = max(0, at - BEFORE_CALLS)
        earlier = zip(calls[start:at], particulars[start:at], strict=True)
        apart = ((c, p) for c, p in earlier if c.message != call.message)
        steps = steps_before(apart, particulars[at], names)
        counted[call.shape_id].append((call, steps))
    return [_of_shape(shape_id, found) for shape_id, found in counted.items()]


def steps_before(
    earlier: Iterable[tuple[PastCall, frozenset[str]]],
    particulars: frozenset[str],
    names: Names,
) -> set[int]:
    """Return what came before a call, about the same thing, and worked.

    Args:
        earlier: The calls before it that are near enough, each with its particulars.
        particulars: Its own.
        names: Of the calls' tools and shapes.
    """
    return {
        names.step(call)
        for call, theirs in earlier
        if not particulars.isdisjoint(theirs)
        and call.has_worked
        and call.tool_id not in names.idle_tools
    }


def _of_shape(shape_id: int, found: list[tuple[PastCall, set[int]]]) -> ShapeCalls:
    before: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])
    worked = [call for call, _ in found if call.has_worked]
    for call, steps in found:
        for step in steps:
            before[step][call.has_failed] += 1
    return ShapeCalls(
        shape_id,
        min(worked, key=_rank).id if worked else None,
        len(worked),
        len(found) - len(worked),
        {step: Times(*times) for step, times in before.items()},
    )


def _rank(call: PastCall) -> tuple[int, int]:
    return call.price + (_EMPTY_RANK if call.outcome == "empty" else 0), call.id


def write_before(before: Mapping[int, Times]) -> str:
    """Write what came before as one text.

    Example:
        >>> write_before({3: Times(worked=4, failed=0), -7: Times(1, 1)})
        '-7,1,1,3,4,0'
    """
    numbers = [number for step in sorted(before) for number in (step, *before[step])]
    return ",".join(map(str, numbers))


def read_before(text: str) -> dict[int, Times]:
    """Read what `write_before` wrote.

    Example:
        >>> read_before("-7,1,1,3,4,0")
        {-7: Times(worked=1, failed=1), 3: Times(worked=4, failed=0)}
    """
    numbers = list(map(int, text.split(","))) if text else []
    steps = zip(numbers[0::3], numbers[1::3], numbers[2::3], strict=True)
    return {step: Times(worked, failed) for step, worked, failed in steps}
