"""The pool: every judged call that may teach a new session, from the database.

Only what the choice needs is read: a few small integers for each shape of each session,
which `counts` keeps, so that a pool of ten thousand calls is there in some thousandths of a
second. The texts of the chosen few are fetched afterwards, by `mine`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from oldhand.errors import StoreReadOnly
from oldhand.experience import counts
from oldhand.experience.candidates import Candidate, Levels, PastSession, Pool
from oldhand.experience.counts import NO_RANK
from oldhand.experience.guard.owners import others_of
from oldhand.experience.kind import Kind, kind_of
from oldhand.named_tuple import NamedTuple
from oldhand.sessions.keys import calls_of
from oldhand.sessions.known_tools import is_idle
from oldhand.store import Queries, Row, Store

_SQL = Queries(__package__)
_END_OF_TIME = (1 << 63) - 1
_EXEMPLARS = 3  # of a shape: when one must not be shown, another may
_FOUND_NOTHING = 1_000_000_000  # what the query adds to the rank of an empty call


class Scope(NamedTuple):
    """Which sessions a pool is made of.

    Attributes:
        project: Only those of one project; None for all.
        kind: Only those of one task type.
        source: Only those of one agent.
        uids: Only these; empty for all.
        tools: Only calls of these tools may be shown; None for all.
        before_us: Only those that began earlier, in microseconds since 1970-01-01 UTC.
        min_messages: Only those with so many messages or more.
        max_sessions: Of all these, the newest so many. Shapes of later sessions were
            nearly all seen in the last hundred.
        own: Whose sessions teach by themselves; of others only what two of them did is
            shown. None: everybody's.
    """

    project: str | None = None
    kind: Kind | None = None
    source: str | None = None
    uids: tuple[str, ...] = ()
    tools: frozenset[str] | None = None
    before_us: int = _END_OF_TIME
    min_messages: int = 0
    max_sessions: int = 300
    own: str | None = None


Exemplar = tuple[int, int]
"""A call that worked; the best to show sorts first. Its rank is about what it costs to show,
in tokens, and far higher where it found nothing; its key follows."""


class LoadedPool(NamedTuple):
    """A pool with what is needed to fetch the texts of its candidates.

    Attributes:
        pool: What the choice works on.
        exemplars: Of each shape the call that is best shown of each session in which it
            worked; their number is the shape's support.
        newest_us: When the newest session began; None where there is none.
        principals: Whose each session is, by its key.
        others: The same of the sessions that are somebody else's.
    """

    pool: Pool
    exemplars: dict[int, list[Exemplar]]
    newest_us: int | None
    principals: Mapping[int, str | None]
    others: Mapping[int, str]


def load_pool(store: Store, scope: Scope, *, keeps_counts: bool = False) -> LoadedPool:
    """Read the pool of a scope.

    Args:
        store: Where the sessions are.
        scope: Which of them.
        keeps_counts: Whether what is counted anew may be written down for the next time.
    """
    shapes = store.query_all(_SQL["pool_shapes"])
    levels: dict[int, Levels] = {row[0]: row[1:] for row in shapes}
    working = {shape_id for shape_id, row in levels.items() if not is_idle(str(row[0]))}
    exemplars: defaultdict[int, list[Exemplar]] = defaultdict(list)
    sessions = []
    rows = []
    for row in _sessions(store, scope, keeps_counts=keeps_counts):
        if not _is_of_kind(store, row, levels, scope.kind):
            continue
        session, numbers = _past_session(store, row, working)
        if session.counts:
            sessions.append(session)
            rows.append(row)
            _add_exemplars(exemplars, numbers, working, first=calls_of(row[0]).first)
    candidates = [
        Candidate(key, min(found)[0] % _FOUND_NOTHING)
        for key, found in exemplars.items()
        if scope.tools is None or levels[key][0] in scope.tools
    ]
    return LoadedPool(
        Pool(sessions, candidates, levels),
        exemplars,
        max((session.started_at_us for session in sessions), default=None),
        {row[0]: row[2] for row in rows},
        others_of(store, rows, scope.own),
    )


def _sessions(store: Store, scope: Scope, *, keeps_counts: bool) -> list[Row]:
    """Return the rows of the sessions in scope, newest first."""
    wanted = set(scope.uids)
    parameters = {
        "version": counts.VERSION,
        "project": scope.project,
        "source": scope.source,
        "before_us": scope.before_us,
        "min_messages": scope.min_messages,
        "max_sessions": _END_OF_TIME if wanted else scope.max_sessions,
    }

    def found() -> list[Row]:
        rows = store.query_all(_SQL["pool_sessions"], parameters)
        return [row for row in rows if not wanted or row[1] in wanted]

    rows = found()
    uncounted = [row[0] for row in rows if row[-1] is None] if keeps_counts else []
    if not uncounted:
        return rows
    try:
        counts.keep(store, uncounted)
    except StoreReadOnly:  # then they are counted each time
        return rows
    return found()


def _is_of_kind(
    store: Store, session: Row, levels: dict[int, Levels], kind: Kind | None
) -> bool:
    if kind is None:
        return True
    calls = store.query_all(_SQL["pool_first_calls"], calls_of(session[0]))
    shapes = (levels[row[0]] for row in calls)
    return kind_of((str(shape[0]), str(shape[2])) for shape in shapes) == kind


def _past_session(
    store: Store, row: Row, working: set[int]
) -> tuple[PastSession, list[int]]:
    """Return a session with the numbers that were counted in it."""
    key, uid, principal, project, started_at_us, *kept = row
    words, numbers = counts.count(store, key) if kept[1] is None else counts.read(*kept)
    each = zip(numbers[0::4], numbers[1::4], strict=True)
    session = PastSession(
        uid=uid,
        started_at_us=started_at_us,
        principal=principal,
        project=project,
        words=words,
        counts={shape_id: times for shape_id, times in each if shape_id in working},
    )
    return session, numbers


def _add_exemplars(
    exemplars: defaultdict[int, list[Exemplar]],
    numbers: list[int],
    working: set[int],
    *,
    first: int,
) -> None:
    for shape_id, rank, place in zip(
        numbers[0::4], numbers[2::4], numbers[3::4], strict=True
    ):
        if rank != NO_RANK and shape_id in working:
            exemplars[shape_id].append((rank, first + place))


def showable(found: list[Exemplar]) -> list[Exemplar]:
    """Return the few best of a shape's exemplars, best first."""
    return sorted(found)[:_EXEMPLARS]
