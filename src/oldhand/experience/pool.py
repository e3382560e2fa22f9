"""The pool: every judged call that may teach a new session, from the database.

Only what the choice needs is read: the database counts, and gives a few small integers for
each shape of each session, so that a pool of ten thousand calls is there in some hundredths
of a second. The texts of the chosen few are fetched afterwards, by `mine`.
"""

from __future__ import annotations

from typing import NamedTuple

from oldhand.experience.candidates import Candidate, Levels, PastSession, Pool
from oldhand.experience.kind import Kind, kind_of
from oldhand.experience.relevance import words_of
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
    """

    project: str | None = None
    kind: Kind | None = None
    source: str | None = None
    uids: tuple[str, ...] = ()
    tools: frozenset[str] | None = None
    before_us: int = _END_OF_TIME
    min_messages: int = 0
    max_sessions: int = 300


class Exemplar(NamedTuple):
    """A call that worked; the best to show sorts first.

    Attributes:
        rank: About what it costs to show, in tokens; far higher where it found nothing.
        call: Its key.
    """

    rank: int
    call: int

    @property
    def cost_tokens(self) -> int:
        """About what it costs to show."""
        return self.rank % _FOUND_NOTHING


class LoadedPool(NamedTuple):
    """A pool with what is needed to fetch the texts of its candidates.

    Attributes:
        pool: What the choice works on.
        exemplars: Of each shape the call that is best shown of each session in which it
            worked; their number is the shape's support.
        newest_us: When the newest session began; None where there is none.
    """

    pool: Pool
    exemplars: dict[int, list[Exemplar]]
    newest_us: int | None


def load_pool(store: Store, scope: Scope) -> LoadedPool:
    """Read the pool of a scope."""
    shapes = store.query_all(_SQL["pool_shapes"])
    levels: dict[int, Levels] = {row[0]: row[1:] for row in shapes}
    working = {shape_id for shape_id, row in levels.items() if not is_idle(str(row[0]))}
    exemplars: dict[int, list[Exemplar]] = {}
    sessions = []
    for session in _sessions(store, scope):
        if not _is_of_kind(store, session, levels, scope.kind):
            continue
        counts = {}
        for shape_id, count, rank, call in _calls(store, session):
            if shape_id in working:
                counts[shape_id] = count
                if rank is not None:
                    exemplars.setdefault(shape_id, []).append(Exemplar(rank, call))
        if counts:
            sessions.append(_past_session(session, counts))
    candidates = [
        Candidate(key, min(found).cost_tokens)
        for key, found in exemplars.items()
        if scope.tools is None or levels[key][0] in scope.tools
    ]
    return LoadedPool(
        Pool(sessions, candidates, levels),
        exemplars,
        max((session.started_at_us for session in sessions), default=None),
    )


def _sessions(store: Store, scope: Scope) -> list[Row]:
    """Return the rows of the sessions in scope, newest first."""
    rows = store.query_all(
        _SQL["pool_sessions"],
        {
            "project": scope.project,
            "source": scope.source,
            "before_us": scope.before_us,
            "min_messages": scope.min_messages,
            "max_sessions": _END_OF_TIME if scope.uids else scope.max_sessions,
        },
    )
    wanted = set(scope.uids)
    return [row for row in rows if not wanted or row[1] in wanted]


def _calls(store: Store, session: Row) -> list[Row]:
    return store.query_all(_SQL["pool_calls"], calls_of(session[0]))


def _is_of_kind(
    store: Store, session: Row, levels: dict[int, Levels], kind: Kind | None
) -> bool:
    if kind is None:
        return True
    calls = store.query_all(_SQL["pool_first_calls"], calls_of(session[0]))
    shapes = (levels[row[0]] for row in calls)
    return kind_of((str(shape[0]), str(shape[2])) for shape in shapes) == kind


def _past_session(session: Row, counts: dict[int, int]) -> PastSession:
    _, uid, principal, project, task, started_at_us = session
    return PastSession(
        uid=uid,
        started_at_us=started_at_us,
        principal=principal,
        project=project,
        words=words_of(task or ""),
        counts=counts,
    )


def showable(found: list[Exemplar]) -> list[Exemplar]:
    """Return the few best of a shape's exemplars, best first."""
    return sorted(found)[:_EXEMPLARS]
