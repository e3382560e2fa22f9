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
from oldhand.experience.repair.precondition import InSession
from oldhand.named_tuple import NamedTuple
from oldhand.sessions.known_tools import use_of
from oldhand.store import Queries, Row, Store

_SQL = Queries(__package__)
_MOST_ROWS = 300
_END_OF_TIME = (1 << 63) - 1


class Asked(NamedTuple):
    """What a call that failed is like, and who asks.

    Attributes:
        tool: Its tool.
        shape: Of the call, at the third level.
        flags: At the finest.
        error_kind: What kind of mistake it was.
        error_words: The checksum of how the error begins.
        session_id: The key of the session that asks; None where it is not on record.
        project: Where it works.
        principal: Whose it is.
        before_us: Only what was there then counts, in microseconds since 1970-01-01 UTC.
    """

    tool: str
    shape: str
    flags: str
    error_kind: str
    error_words: int
    session_id: int | None = None
    project: str | None = None
    principal: str | None = None
    before_us: int = _END_OF_TIME


class Origin(NamedTuple):
    """Which session something is known from; one that is nearer to who asks is less.

    This session comes first, then this project, then all else, as a project's calls share
    its programs and paths, whoever made them; within each of these one's own calls come
    before another principal's, and then what is newer.

    Attributes:
        is_apart: It is not the session that asks.
        is_elsewhere: It is of another project.
        is_other: It is of another principal.
        age: Less for a session that began later.
        session_id: Its key.
        principal: Whose it is.
    """

    is_apart: bool
    is_elsewhere: bool
    is_other: bool
    age: int
    session_id: int
    principal: str | None


class KnownRepair(NamedTuple):
    """A repair of a call like the one that failed.

    Attributes:
        failed_call: The key of the call that failed then.
        worked_call: Of the one that worked.
        failed_shape: The shape of the call that failed.
        worked_shape: Of the one that worked.
        has_words: The error began with the same words.
        shape_ids: The keys of the shapes of both calls, at the finest level.
        origin: Where it is from.
        support: In how many sessions a call of `worked_shape` put such a call right.
    """

    failed_call: int
    worked_call: int
    failed_shape: str
    worked_shape: str
    has_words: bool
    shape_ids: tuple[int, ...]
    origin: Origin
    support: int = 1


class KnownSuccess(NamedTuple):
    """A call of the same tool and shape that worked.

    Attributes:
        call: Its key.
        has_flags: It has the same options as well.
        shape_ids: The key of its shape, at the finest level.
        origin: Where it is from.
        support: In how many sessions a call of the shape worked.
    """

    call: int
    has_flags: bool
    shape_ids: tuple[int, ...]
    origin: Origin
    support: int = 1


class KnownShape(NamedTuple):
    """What is known of the shape of a call.

    Attributes:
        successes: The best of each session, nearest first.
        sessions: How its calls went, in each session that was silent by then; none where
            no call of the shape ever failed. Of what came before them only such steps as
            may be named.
    """

    successes: list[KnownSuccess]
    sessions: list[InSession]


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
