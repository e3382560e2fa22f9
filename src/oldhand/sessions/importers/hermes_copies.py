"""Leave out rows that Hermes stored more than once.

Some versions wrote a turn again each time they saved; a gateway and the agent may both
write what the user said; compaction in place and the child of a compaction or of a branch
begin with copies of what came before. A user also says the same thing twice, so equal
text alone is no copy. These are:

- a row whose calls were all made before, or that answers a call for the second time. Ids
  that a provider gives to different calls in one session prove nothing and are not used;
- a row with the time of an equal row before it;
- a user's row right after an equal one, when both came within two seconds or only one has
  the platform's id of the message;
- a row equal to a compacted one, written in the same millisecond as the row before it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any

from oldhand.sessions.importers.hermes_messages import (
    HermesRow,
    StoredCall,
    calls_of,
    is_summary,
)
from oldhand.sessions.loose_values import text_in

_SAME_TURN_SECONDS = 2.0
_SAME_INSTANT_SECONDS = 0.001

_Key = tuple[Any, ...]


def without_copies(rows: Sequence[HermesRow]) -> list[HermesRow]:
    """Return the rows of one session, in order, without those stored before."""
    ids = _CallIds(rows)
    kept: list[HermesRow] = []
    equals: dict[_Key, HermesRow] = {}
    before: HermesRow = {}
    for row in rows:
        key = _key(row)
        if not (
            ids.are_repeated(row)
            or _is_copy(row, equals.get(key), before=before, last=kept[-1:])
        ):
            kept.append(row)
            equals[key] = row
        before = row
    return kept


def without_inherited(
    rows: Sequence[HermesRow], parent_rows: Iterable[HermesRow]
) -> list[HermesRow]:
    """Return a session's rows without those that it was begun with.

    A child begins with rows of its parent, in their order, perhaps with a summary among
    them. A single row of text is not enough to tell: the user may have said it again.

    Args:
        rows: Of the session that was branched off or goes on after a compaction.
        parent_rows: Of the session that it came from.
    """
    places: dict[_Key, list[int]] = {}
    for place, row in enumerate(parent_rows):
        places.setdefault(_lineage_key(row), []).append(place)
    copied: list[int] = []
    last = -1
    for index, row in enumerate(rows):
        found = places.get(_lineage_key(row), [])
        following = bisect_right(found, last)
        if following < len(found):
            last = found[following]
            copied.append(index)
        elif not is_summary(row):
            break
    if len(copied) == 1 and not _names_a_call(rows[copied[0]]):
        return list(rows)
    left_out = set(copied)
    return [row for index, row in enumerate(rows) if index not in left_out]


class _CallIds:
    """Which calls of a session were made and answered so far."""

    def __init__(self, rows: Iterable[HermesRow]) -> None:
        self._unreliable = _ids_of_different_calls(rows)
        self._made: set[str] = set()
        self._answered: set[str] = set()

    def are_repeated(self, row: HermesRow) -> bool:
        """Note a row's ids; say whether it names calls and none for the first time."""
        seen = self._answered if row.get("role") == "tool" else self._made
        ids = {each for each in _ids_of(row) if each not in self._unreliable}
        is_repeated = bool(ids) and ids <= seen
        seen |= ids
        return is_repeated


def _ids_of_different_calls(rows: Iterable[HermesRow]) -> set[str]:
    calls: dict[str, StoredCall] = {}
    different = set()
    for row in rows:
        for call in calls_of(row) or ():
            if call.call_id and calls.setdefault(call.call_id, call) != call:
                different.add(call.call_id)
    return different


def _ids_of(row: HermesRow) -> list[str]:
    if row.get("role") == "tool":
        answered = text_in(row, "tool_call_id")
        return [] if answered is None else [answered]
    return [call.call_id for call in calls_of(row) or () if call.call_id]


def _is_copy(
    row: HermesRow,
    equal: HermesRow | None,
    *,
    before: HermesRow,
    last: Sequence[HermesRow],
) -> bool:
    """Say whether a row is stored for the second time.

    Args:
        row: The row in question.
        equal: An equal row before it.
        before: The row right before it, kept or not.
        last: The last row that was kept, if any.
    """
    if equal is None or _came_twice(row, equal):
        return False
    gap = _seconds_between(equal, row)
    if gap == 0:
        return True
    if row.get("role") == "user" and last and last[0] is equal:
        is_same_turn = gap is not None and gap <= _SAME_TURN_SECONDS
        return is_same_turn or _has_platform_id(row) != _has_platform_id(equal)
    since = _seconds_between(before, row)
    is_burst = since is not None and since <= _SAME_INSTANT_SECONDS
    return is_burst and bool(equal.get("compacted")) and not row.get("compacted")


def _came_twice(row: HermesRow, equal: HermesRow) -> bool:
    """Say whether the platform delivered two messages."""
    ids = row.get("platform_message_id"), equal.get("platform_message_id")
    return None not in ids and ids[0] != ids[1]


def _has_platform_id(row: HermesRow) -> bool:
    return row.get("platform_message_id") is not None


def _seconds_between(first: HermesRow, second: HermesRow) -> float | None:
    times = first.get("timestamp"), second.get("timestamp")
    if not all(isinstance(time, int | float) for time in times):
        return None
    return abs(float(times[1] or 0) - float(times[0] or 0))


def _names_a_call(row: HermesRow) -> bool:
    return bool(_ids_of(row))


def _key(row: HermesRow) -> _Key:
    return tuple(
        row.get(name) for name in ("role", "content", "tool_calls", "tool_call_id")
    )


def _lineage_key(row: HermesRow) -> _Key:
    """Return what stays of a row when it is copied: old results may be cleared then."""
    is_result = row.get("role") == "tool" and _names_a_call(row)
    return ("tool", *_ids_of(row)) if is_result else _key(row)
