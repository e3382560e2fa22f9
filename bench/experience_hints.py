"""Hints on real sessions: each failed call is asked for as it failed, knowing what was then.

What is on record later is hidden by `before`, which is the time of the call; its own
session is known up to it. Nothing was chosen by what the later part shows.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.real_sessions import multiply
from oldhand.experience.hint import Failure, Hint, hints_for
from oldhand.experience.repair.keep import mine_sessions
from oldhand.sessions.arguments import arguments_in
from oldhand.sessions.importers import find_units, import_units, source_named
from oldhand.sessions.keys import session_of_call
from oldhand.store import Query, Store, open_database

FIRST_LATER = 90
"""What was looked at while it was built lies before this session."""

SOON_CALLS = 5
CALLS_TIMED = 100_000
_BYTES_PER_CALL = 8_600
_WORKED = frozenset({"ok", "empty"})
_CALLS = Query(
    "bench_calls",
    *2
    * [
        "SELECT c.id, t.name, h.shape, c.outcome, c.arguments, coalesce(m.content, ''),"
        " coalesce(c.at_us, s.started_at_us), s.uid, c.call_id, s.project, s.principal,"
        " s.started_at_us FROM tool_calls c JOIN tools t ON t.id = c.tool_id"
        " JOIN shapes h ON h.id = c.shape_id JOIN sessions s ON s.id = c.id >> 32"
        " LEFT JOIN messages m ON m.id = c.result_id WHERE c.active = 1"
        " ORDER BY s.started_at_us, c.id"
    ],
)


class Call(NamedTuple):
    """One call of the real sessions, with its place."""

    id: int
    tool: str
    shape: str
    outcome: str
    arguments: str
    result: str
    at_us: int
    uid: str
    call_id: str
    project: str | None
    principal: str | None
    started_at_us: int

    @property
    def has_worked(self) -> bool:
        """Whether it did what it was made for."""
        return self.outcome in _WORKED


class Asked(NamedTuple):
    """One failed call, what was said of it, and what would have been right.

    Attributes:
        number: Of its session, the oldest is 0.
        has_earlier: A call of its tool and shape had worked before.
        shows_shape: One of the hints is such a call.
        soon: The shape of the next call of the tool that worked; None where none did.
        repairs: The shapes of the calls that worked in the repairs shown.
        hints: How many hints there were.
    """

    number: int
    has_earlier: bool
    shows_shape: bool
    soon: str | None
    repairs: tuple[str, ...]
    hints: int


def measure(directory: Path) -> dict[str, list[str]]:
    """Ask for every failed call; return the lines to print for each part."""
    with tempfile.TemporaryDirectory() as folder:
        store = _imported(directory, Path(folder) / "oldhand.db")
        found = list(_asked(store))
        store.close()
    later = [one for one in found if one.number >= FIRST_LATER]
    earlier = [one for one in found if one.number < FIRST_LATER]
    return {
        f"later part, from the {FIRST_LATER + 1}st session on": _lines(later),
        "earlier part, on which it was built": _lines(earlier),
    }


def _imported(directory: Path, path: Path) -> Store:
    store = open_database(str(path))
    import_units(store, find_units(source_named("claude-code"), [directory]))
    mine_sessions(store)
    return store


def _calls(store: Store) -> list[Call]:
    return [Call(*row) for row in store.query_all(_CALLS)]


def _asked(store: Store) -> Iterator[Asked]:
    calls = _calls(store)
    shapes = {(call.uid, call.call_id): (call.tool, call.shape) for call in calls}
    worked: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for call in calls:
        if call.has_worked:
            worked[call.tool, call.shape].append(call.at_us)
    sessions = list(dict.fromkeys(session_of_call(call.id) for call in calls))
    numbers = {key: number for number, key in enumerate(sessions)}
    for at, call in enumerate(calls):
        if call.outcome != "error":
            continue
        hints = hints_for(store, _failure(call))
        key = (call.tool, call.shape)
        shown = [(h.kind, shapes[place]) for h in hints if (place := _place(h))]
        yield Asked(
            number=numbers[session_of_call(call.id)],
            has_earlier=any(at_us < call.at_us for at_us in worked[key]),
            shows_shape=key in [shape for _, shape in shown],
            soon=_soon(calls[at + 1 : at + 1 + SOON_CALLS], call),
            repairs=tuple(shape for kind, (_, shape) in shown if kind == "repair"),
            hints=len(hints),
        )


def _place(hint: Hint) -> tuple[str, str] | None:
    """Return where the call is from that a hint shows; None where it shows none."""
    if hint.session is None or hint.call_id is None:
        return None
    return hint.session, hint.call_id


def _failure(call: Call) -> Failure:
    return Failure(
        call.tool,
        arguments_in(call.arguments),
        call.result,
        session=call.uid,
        project=call.project,
        principal=call.principal,
        before_us=call.at_us,
    )


def _soon(after: Sequence[Call], failed: Call) -> str | None:
    for call in after:
        if call.uid == failed.uid and call.tool == failed.tool and call.has_worked:
            return call.shape
    return None


def _lines(asked: Sequence[Asked]) -> list[str]:
    has_earlier = [one for one in asked if one.has_earlier]
    repairable = [one for one in asked if one.soon is not None]
    with_repair = [one for one in repairable if one.repairs]
    return [
        f"failed calls: {len(asked)}; given any hint: {_share([o.hints > 0 for o in asked])}",
        "ceiling, a call of the tool and shape had worked before: "
        + _share([one.has_earlier for one in asked]),
        "of these, one of the three shows such a call: "
        + _share([one.shows_shape for one in has_earlier]),
        "of all failed calls: " + _share([one.shows_shape for one in asked]),
        f"repairable, a call of the tool worked within {SOON_CALLS}: "
        + _share([one.soon is not None for one in asked]),
        "of these, shown a repair: "
        + _share([bool(one.repairs) for one in repairable]),
        "of these, shown one with the shape that then worked: "
        + _share([one.soon in one.repairs for one in repairable]),
        "of those that were shown a repair: "
        + _share([one.soon in one.repairs for one in with_repair]),
    ]


def _share(found: Sequence[bool]) -> str:
    if not found:
        return "-"
    return f"{100 * statistics.fmean(found):.1f} % ({sum(found)} of {len(found)})"


def timing(directory: Path, *, calls: int = CALLS_TIMED) -> list[str]:
    """Time hints beside so many calls, made of copies of the real ones."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        multiply(directory, folder / "copies", min_bytes=calls * _BYTES_PER_CALL)
        store = open_database(str(folder / "oldhand.db"))
        import_units(
            store, find_units(source_named("claude-code"), [folder / "copies"])
        )
        began = time.process_time()
        mined = mine_sessions(store)
        spent = time.process_time() - began
        everything = _calls(store)
        failed = [call for call in everything if call.outcome == "error"][-200:]
        first: list[float] = []
        again: list[float] = []
        for call in failed:
            failure = _failure(call)._replace(before_us=1 << 62, session=None)
            for times in (first, again):
                start = time.process_time()
                hints_for(store, failure)
                times.append(1_000 * (time.process_time() - start))
        store.close()
    return [
        f"{len(everything):,} calls; mining {mined:,} sessions: "
        f"{1e6 * spent / len(everything):.0f} µs a call",
        f"milliseconds a hint: {_times(first)}; asked again: {_times(again)}",
    ]


def _times(times: Sequence[float]) -> str:
    middle, worst = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    return f"median {middle:.1f}, 95th of 100 {worst:.1f}"
