"""What the session in which a call failed knows itself: its calls are not mined yet.

A session that goes on is looked at as it is, its last calls only: what it did long ago is
told by other sessions as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from oldhand.experience.hint.failure import Failure, RecentCall
from oldhand.experience.hint.steps import step_name
from oldhand.experience.repair.before import BEFORE_CALLS
from oldhand.experience.repair.known import own_origin
from oldhand.experience.repair.model import Asked, KnownRepair, KnownSuccess
from oldhand.experience.repair.pairs import error_words, find_pairs
from oldhand.experience.repair.past_calls import (
    Names,
    PastCall,
    particulars_of,
    result_of,
)
from oldhand.named_tuple import NamedTuple
from oldhand.sessions.arguments import arguments_in
from oldhand.sessions.keys import calls_of
from oldhand.sessions.shape import shape_of
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.experience.repair")
_LAST_CALLS = 400


class OwnCalls(NamedTuple):
    """What the session that asks knows itself.

    Attributes:
        repairs: Of calls that failed alike, newest first.
        successes: Calls of the shape that worked, newest first.
        steps: What came before about the same thing, by `step_name`; None where nobody
            knows.
    """

    repairs: list[KnownRepair]
    successes: list[KnownSuccess]
    steps: frozenset[str] | None


class _Shape(NamedTuple):
    """The names of a call's tool and shape."""

    tool: str
    shape: str
    flags: str


def own_calls(store: Store, failure: Failure, asked: Asked) -> OwnCalls:
    """Look at the session in which a call failed, as far as it is on record or told."""
    calls, shapes = _last_calls(store, asked)
    recent = failure.recent
    if recent is None and asked.session_id is not None:
        recent = [
            RecentCall(shapes[call.shape_id].tool, arguments_in(call.arguments))
            for call in calls[-BEFORE_CALLS:]
            if call.has_worked
        ]
    return OwnCalls(
        _own_repairs(store, asked, calls, shapes),
        [
            KnownSuccess(
                call.id,
                shapes[call.shape_id].flags == asked.flags,
                (call.shape_id,),
                own_origin(asked),
            )
            for call in reversed(calls)
            if call.has_worked and _has_shape(shapes[call.shape_id], asked)
        ],
        None if recent is None else _steps(failure, recent),
    )


def _last_calls(store: Store, asked: Asked) -> tuple[list[PastCall], dict[int, _Shape]]:
    """Return the last calls before the one that failed, and the names of their shapes."""
    if asked.session_id is None:
        return [], {}
    rows = store.query_all(
        _SQL["last_calls"],
        {
            **calls_of(asked.session_id)._asdict(),
            "before_us": asked.before_us,
            "limit": _LAST_CALLS,
        },
    )
    calls = [PastCall(*row[:7]) for row in reversed(rows)]
    return calls, {row[2]: _Shape(*row[7:]) for row in rows}


def _has_shape(shape: _Shape, asked: Asked) -> bool:
    return shape.tool == asked.tool and shape.shape == asked.shape


def _own_repairs(
    store: Store,
    asked: Asked,
    calls: Sequence[PastCall],
    shapes: Mapping[int, _Shape],
) -> list[KnownRepair]:
    alike = {
        call.id
        for call in calls
        if call.error_kind == asked.error_kind
        and shapes[call.shape_id].tool == asked.tool
    }
    if not alike:
        return []
    first: dict[tuple[str, str], int] = {}
    names = Names(
        frozenset(),
        frozenset(),
        {key: first.setdefault(shape[:2], key) for key, shape in shapes.items()},
    )
    return [
        KnownRepair(
            failed.id,
            worked.id,
            shapes[failed.shape_id].shape,
            shapes[worked.shape_id].shape,
            error_words(result_of(store, failed.id)) == asked.error_words,
            (failed.shape_id, worked.shape_id),
            own_origin(asked),
        )
        for failed, worked in find_pairs(calls, names)
        if failed.id in alike
    ]


def _steps(failure: Failure, recent: Sequence[RecentCall]) -> frozenset[str]:
    own = particulars_of(failure.arguments)
    return frozenset(
        step_name(call.tool, shape_of(*call).shape)
        for call in recent
        if not own.isdisjoint(particulars_of(call.arguments))
    )
