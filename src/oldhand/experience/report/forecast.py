"""What a warm start would have covered of the last sessions, each from earlier ones only.

The examples are chosen as `warm` chooses them, knowing what was known when the session
began: its task, whose it is and where. What is covered is the share of its calls whose
shape was among the examples. That an example is there is needed for it to help; it does
not prove that it helps, and what an agent can do anyway counts like what it cannot.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from oldhand.experience.candidates import Budget, Task
from oldhand.experience.pool import Scope, load_pool
from oldhand.experience.relevance import words_of
from oldhand.experience.select import choose
from oldhand.sessions.keys import calls_of
from oldhand.sessions.known_tools import is_idle
from oldhand.store import Queries, Row, Store

TOKEN_BUDGETS = (500, 1_000, 2_000, 4_000)
"""Of the warm starts that are tried."""

LAST_SESSIONS = 20
"""How many sessions are looked at, the newest ones."""

_SQL = Queries(__package__)
_MIN_CALLS = 5
_EARLY_CALLS = 10
_SHAPE = 2
_END_OF_TIME = (1 << 63) - 1

Progress = Callable[[int, int], None]


class Covered(NamedTuple):
    """The mean over sessions of what a budget covered, in percent of their calls.

    Attributes:
        tokens: The budget.
        all_calls: Of all calls.
        first_calls: Of each session's first ten.
    """

    tokens: int
    all_calls: float
    first_calls: float


class Forecast(NamedTuple):
    """What warm starts would have covered.

    Attributes:
        sessions: How many sessions were served; one before which nothing was learned
            is not.
        covered: One for each budget; empty where no session was served.
    """

    sessions: int
    covered: list[Covered]

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        return {
            "sessions": self.sessions,
            "covered": [
                {
                    "tokens": found.tokens,
                    "all_calls": round(found.all_calls, 1),
                    "first_calls": round(found.first_calls, 1),
                }
                for found in self.covered
            ],
        }


def forecast(
    store: Store,
    *,
    since_us: int = 0,
    until_us: int = _END_OF_TIME,
    source: str | None = None,
    project: str | None = None,
    progress: Progress = lambda _done, _total: None,
) -> Forecast:
    """Serve the last sessions from what came before each, and compare.

    Args:
        store: Where the sessions are.
        since_us: Only sessions that began then or later are served, in microseconds since
            1970-01-01 UTC; what they are served from may be older.
        until_us: Only sessions that began before that are served.
        source: Only sessions of one source are served.
        project: Only sessions of one project are served.
        progress: Called after each session.
    """
    values = {"since_us": since_us, "until_us": until_us}
    values |= {"min_calls": _MIN_CALLS, "count": LAST_SESSIONS}
    sessions = store.query_all(
        _SQL["last_sessions"], values | {"source": source, "project": project}
    )
    served = []
    for number, session in enumerate(sessions, 1):
        scores = _scores(store, session)
        if scores is not None:
            served.append(scores)
        progress(number, len(sessions))
    return Forecast(len(served), _means(served) if served else [])


def _scores(store: Store, session: Row) -> list[tuple[float, float]] | None:
    """Return what each budget covers of one session; None where nothing came before."""
    session_id, _, principal, project, task, started_at_us = session
    rows = store.query_all(_SQL["shapes_called"], calls_of(session_id))
    calls = [(tool, shape) for tool, shape in rows if not is_idle(tool)]
    pool = load_pool(store, Scope(project=project, before_us=started_at_us)).pool
    if not pool.candidates or not calls:
        return None
    known = Task(words_of(task or ""), principal, project)
    scores = []
    for tokens in TOKEN_BUDGETS:
        chosen = choose(pool, task=known, budget=Budget(tokens=tokens)).chosen
        levels = (pool.levels[candidate.shape_id] for candidate in chosen)
        shown = {(found[0], found[_SHAPE]) for found in levels}
        covered = [call in shown for call in calls]
        early = covered[:_EARLY_CALLS]
        scores.append((statistics.fmean(covered), statistics.fmean(early)))
    return scores


def _means(served: Sequence[Sequence[tuple[float, float]]]) -> list[Covered]:
    return [
        Covered(
            tokens,
            100 * statistics.fmean(all_calls for all_calls, _ in scores),
            100 * statistics.fmean(first_calls for _, first_calls in scores),
        )
        for tokens, scores in zip(TOKEN_BUDGETS, zip(*served, strict=True), strict=True)
    ]
