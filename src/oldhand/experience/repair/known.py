"""What is known of calls like one that has failed: asked for by tool, shape and error.

Calls of other principals count only where two principals bear them out, as `owners` says:
what one session says, one stranger can have planted. So it is for calls as they are shown, with
their options, as in a warm start; and for a step that is named as missing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from oldhand.experience.guard.owners import LEAST_PRINCIPALS, others_of
from oldhand.experience.repair.before import read_before
from oldhand.experience.repair.mined import VERSION
from oldhand.experience.repair.model import (
    Asked,
    KnownRepair,
    KnownShape,
    KnownSuccess,
    Origin,
)
from oldhand.experience.repair.precondition import InSession
from oldhand.sessions.known_tools import use_of
from oldhand.store import Queries, Row, Store

_SQL = Queries(__package__)
_MOST_ROWS = 300

_Known = TypeVar("_Known", KnownRepair, KnownSuccess)


def known_repairs(
    store: Store, asked: Asked, *, own: Iterable[KnownRepair] = ()
) -> list[KnownRepair]:
    """Return the repairs of calls of the tool that failed alike, best first.

    Those of the same shape come first, then those of other shapes whose error was worded
    alike. Of each the ones worded alike come first, then those whose way out more sessions
    took, then the nearest and newest.

    Args:
        store: Where they are.
        asked: What the call is like.
        own: Those of the session that asks.
    """
    rows = store.query_all(
        _SQL["repairs_of_kind"],
        {
            **_common(asked),
            "error_kind": asked.error_kind,
            "error_words": asked.error_words,
        },
    )
    origins = _origins(store, [row[7:] for row in rows], asked)
    others = (
        KnownRepair(
            failed_call=row[0],
            worked_call=row[1],
            failed_shape=row[2],
            worked_shape=row[3],
            has_words=bool(row[4]),
            shape_ids=row[5:7],
            origin=origin,
        )
        for row, origin in zip(rows, origins, strict=True)
    )
    groups: defaultdict[tuple[bool, str], list[KnownRepair]] = defaultdict(list)
    for repair in (*own, *others):
        is_same = repair.failed_shape == asked.shape
        if is_same or (repair.has_words and is_alike(repair.failed_shape, asked)):
            groups[is_same, repair.worked_shape].append(repair)
    ranked = [
        (not is_same, not repair.has_words, -repair.support, repair.origin, repair)
        for (is_same, _), group in groups.items()
        for repair in _borne_out(group)
    ]
    return [rank[-1] for rank in sorted(ranked)]


def known_shape(
    store: Store, asked: Asked, *, own: Iterable[KnownSuccess] = ()
) -> KnownShape:
    """Return what is known of the shape of a call.

    Args:
        store: Where it is.
        asked: What the call is like.
        own: Calls of the shape that worked in the session that asks.
    """
    rows = store.query_all(
        _SQL["calls_of_shape"], {**_common(asked), "flags": asked.flags}
    )
    origins = _origins(store, [row[7:] for row in rows], asked)
    found = [*own]
    sessions: list[tuple[Origin, InSession]] = []
    has_failures = any(row[2] for row in rows)  # else there is nothing to compare
    for row, origin in zip(rows, origins, strict=True):
        call, worked, failed, before, updated_at_us, has_flags, shape_id = row[:7]
        if call is not None:
            found.append(KnownSuccess(call, bool(has_flags), (shape_id,), origin))
        if has_failures and updated_at_us < asked.before_us:
            counted = InSession(worked, failed, read_before(before))
            sessions.append((origin, counted))
    ranked = sorted(
        (known.origin[:3], not known.has_flags, known.origin, known)
        for known in _borne_out(found)
    )
    return KnownShape([rank[-1] for rank in ranked], _nameable(sessions))


def is_alike(shape: str, asked: Asked) -> bool:
    """Say whether a shape of the same tool is of the same program, where it is a shell's.

    `git` teaches nothing about `go`; of other tools all shapes are alike.
    """
    if use_of(asked.tool) != "shell":
        return True
    return shape.partition(" ")[0] == asked.shape.partition(" ")[0]


def own_origin(asked: Asked) -> Origin:
    """Return where something of the session that asks is from."""
    own = asked.session_id or 0
    return Origin(
        is_apart=False,
        is_elsewhere=False,
        is_other=False,
        age=0,
        session_id=own,
        principal=asked.principal,
    )


def _common(asked: Asked) -> dict[str, Any]:
    return {
        "version": VERSION,
        "tool": asked.tool,
        "shape": asked.shape,
        "own": asked.session_id,
        "project": asked.project,
        "before_us": asked.before_us,
        "limit": _MOST_ROWS,
    }


def _origins(store: Store, sessions: Sequence[Row], asked: Asked) -> list[Origin]:
    """Return where things are from: sessions by key, project, principal and beginning."""
    owned = [(key, None, principal) for key, _, principal, _ in sessions]
    others = others_of(store, owned, asked.principal)
    return [
        Origin(
            is_apart=True,
            is_elsewhere=project is None or project != asked.project,
            is_other=key in others,
            age=-started_at_us,
            session_id=key,
            principal=principal,
        )
        for key, project, principal, started_at_us in sessions
    ]


def _borne_out(found: Sequence[_Known]) -> list[_Known]:
    """Leave out what only strangers did, and too few of them; count who did the like."""
    support = len({known.origin.session_id for known in found})
    doers: defaultdict[tuple[int, ...], list[Origin]] = defaultdict(list)
    for known in found:
        doers[known.shape_ids].append(known.origin)
    common = {shape_ids for shape_ids, who in doers.items() if _are_enough(who)}
    return [
        known._replace(support=support)
        for known in found
        if known.shape_ids in common or not known.origin.is_other
    ]


def _nameable(sessions: Sequence[tuple[Origin, InSession]]) -> list[InSession]:
    """Leave out steps that only strangers took before calls that worked, and too few."""
    takers: defaultdict[int, list[Origin]] = defaultdict(list)
    for origin, session in sessions:
        for step, times in session.before.items():
            if times.worked:
                takers[step].append(origin)
    named = {
        step
        for step, who in takers.items()
        if _are_enough(who) or not all(origin.is_other for origin in who)
    }
    return [
        session._replace(
            before={s: times for s, times in session.before.items() if s in named}
        )
        for _, session in sessions
    ]


def _are_enough(origins: Iterable[Origin]) -> bool:
    """Say whether two principals are among them; whose is unknown is nobody's."""
    principals = {origin.principal for origin in origins} - {None}
    return len(principals) >= LEAST_PRINCIPALS
