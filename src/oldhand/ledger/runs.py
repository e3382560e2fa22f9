"""Runs: a row when one starts, closed once when it ends.

What was killed never gets to write how it went, so the row is there before: a run that is
still `running` long after it started is one that nobody closed. Nothing here claims or
renews a lease; who schedules runs does that beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

from oldhand.clock import Clock, system_clock
from oldhand.errors import NotFound
from oldhand.ledger import checks
from oldhand.ledger.links import add_links, checked_uses
from oldhand.ledger.model import (
    END_STATE_OF,
    END_STATES,
    Run,
    RunEnd,
    RunStart,
    RunState,
    SkillUse,
)
from oldhand.ledger.rows import run_of
from oldhand.ledger.settle import count, settle, start_run
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.ledger")
_NEWEST = 1 << 62


def open_run(
    store: Store,
    start: RunStart | None = None,
    *,
    key: str | None = None,
    clock: Clock = system_clock,
) -> int:
    """Write that a run has started, and return its id.

    Args:
        store: Where runs are.
        start: What is known of it.
        key: What it is made of, where there must be one run of that and no more.
        clock: Says now.

    Raises:
        InvalidInput: A value is not one that the ledger takes; nothing is written.
        Conflict: There is a run of that key.
    """
    start = start or RunStart()
    run = _started(start, now_us=clock())
    uses = checked_uses(start.skills) if start.skills else []
    with store.transaction():
        return start_run(store, run, uses, key=key).id


def close_run(
    store: Store,
    run_id: int,
    end: RunEnd | None = None,
    *,
    clock: Clock = system_clock,
) -> Run:
    """Write how a run went, once, and count it for its skills; return it.

    Raises:
        InvalidInput: A value is not one that the ledger takes; nothing is written.
        NotFound: There is no such run.
        Conflict: It is closed already.
    """
    with store.transaction():
        run = find_run(store, run_id)
        closed = _closed(run, end or RunEnd(), now_us=clock())
        settle(store, closed)
        if closed.session_uid != run.session_uid:  # it may have been counted by itself
            store.execute(_SQL["forget_attributed_uid"], (closed.session_uid,))
    return closed


def link_skills(store: Store, run_id: int, skills: Sequence[SkillUse]) -> list[int]:
    """Say which skills were in a run, once; before or after it is closed.

    Returns:
        The ids of the invocations, in the order of the skills.

    Raises:
        InvalidInput: There is none, a name or a number is none, a skill stands twice, or
            the shares do not sum to 1; nothing is written.
        NotFound: There is no such run.
        Conflict: Its skills are on record already.
    """
    if not skills:
        raise checks.wrong("skills", list(skills), "at least one")
    uses = checked_uses(skills)
    with store.transaction():
        run = find_run(store, run_id)
        ids = add_links(store, run, uses)
        if run.ended_at_us is not None:
            count(store, run)
    return ids


def find_run(store: Store, run_id: int) -> Run:
    """Return a run.

    Raises:
        NotFound: There is none of that id.
    """
    row = store.query_one(_SQL["run"], (run_id,))
    if row is None:
        raise NotFound(f"run {run_id}: there is none")
    return run_of(row)


def list_runs(
    store: Store,
    *,
    state: RunState | None = None,
    job: str | None = None,
    session_uid: str | None = None,
    before: int = _NEWEST,
    limit: int = 100,
) -> list[Run]:
    """Return runs, the last that was written first; those with an id below `before`."""
    scope = {
        "state": state,
        "job": job,
        "session_uid": session_uid,
        "before": before,
        "limit": limit,
    }
    return [run_of(row) for row in store.query_all(_SQL["runs"], scope)]


def _started(start: RunStart, *, now_us: int) -> Run:
    drawn = checks.number("draw_probability", start.draw_probability, most=1)
    if drawn == 0:
        raise checks.wrong("draw_probability", drawn, "a number above 0, at most 1")
    started_at_us = checks.moment_us("started_at", start.started_at, now_us=now_us)
    return Run(
        source=checks.name("source", start.source),
        started_at_us=now_us if started_at_us is None else started_at_us,
        job=checks.optional_name("job", start.job),
        session_uid=checks.optional_name(
            "session_uid", start.session_uid, most=checks.MAX_REASON_CHARS
        ),
        model=checks.optional_name("model", start.model),
        provider=checks.optional_name("provider", start.provider),
        draw_probability=drawn,
    )


def _closed(run: Run, end: RunEnd, *, now_us: int) -> Run:
    """Return a run as it is once it is closed."""
    success = checks.truth("success", end.success)
    state = END_STATE_OF[success] if end.state is None else end.state
    if state not in END_STATES:
        raise checks.wrong("state", state, f"one of {', '.join(END_STATES)}")
    ended_at_us = _end_us(run, end, now_us=now_us)
    duration_us = checks.duration_us("duration_seconds", end.duration_seconds)
    if duration_us is None:
        duration_us = ended_at_us - run.started_at_us
    return run._replace(
        state=state,
        success=success,
        end_reason=checks.optional_name(
            "end_reason", end.end_reason, most=checks.MAX_REASON_CHARS
        ),
        session_uid=checks.optional_name(
            "session_uid", end.session_uid, most=checks.MAX_REASON_CHARS
        )
        or run.session_uid,
        model=checks.optional_name("model", end.model) or run.model,
        provider=checks.optional_name("provider", end.provider) or run.provider,
        ended_at_us=ended_at_us,
        duration_us=duration_us,
        cost_microusd=checks.microusd("cost_usd", end.cost_usd),
        quality=checks.number("quality", end.quality, most=1),
        input_tokens=checks.tokens("input_tokens", end.input_tokens),
        output_tokens=checks.tokens("output_tokens", end.output_tokens),
        cache_read_tokens=checks.tokens("cache_read_tokens", end.cache_read_tokens),
        cache_write_tokens=checks.tokens("cache_write_tokens", end.cache_write_tokens),
    )


def _end_us(run: Run, end: RunEnd, *, now_us: int) -> int:
    said = checks.moment_us("ended_at", end.ended_at, now_us=now_us)
    if said is None:  # a clock that was set back makes no run end before it began
        return max(now_us, run.started_at_us)
    if said < run.started_at_us:
        raise checks.wrong("ended_at", end.ended_at, "no time before the run's start")
    return said
