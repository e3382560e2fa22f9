"""Runs that wait before they start: for their time, for a free place, for leave.

A scheduler writes a run's row when it falls due, so that one that never started is on
record as well. It has no skills before it begins: what never ran says nothing of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from oldhand.errors import Conflict
from oldhand.ledger import checks
from oldhand.ledger.links import add_links, checked_uses
from oldhand.ledger.model import RunState, SkillUse
from oldhand.ledger.runs import find_run
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.ledger")


class Begun(NamedTuple):
    """What is known of a run when it really starts.

    Attributes:
        at_us: When, in microseconds since 1970-01-01 UTC.
        model: Which one is asked.
        provider: The same.
        draw_probability: With which the model was drawn at random, above 0, at most 1;
            None where it was not drawn.
        session_uid: Its session, where that is known beforehand.
        skills: Which ones it is told to use.
    """

    at_us: int
    model: str | None = None
    provider: str | None = None
    draw_probability: float | None = None
    session_uid: str | None = None
    skills: Sequence[SkillUse] = ()


class Fired(NamedTuple):
    """A run that fell due, in the order of its row.

    Attributes:
        key: What it is made of: there is one run of that, and no more.
        source: Who tells of it.
        job: Which job fired it.
        state: `due`; or `missed` or `skipped`, then it is over.
        reason: Why it is over; None where it is not.
        due_us: When it was to start, in microseconds since 1970-01-01 UTC.
        ended_at_us: When it was found to be over; None where it is not.
    """

    key: str
    source: str
    job: str
    state: RunState
    reason: str | None
    due_us: int
    ended_at_us: int | None


def add_waiting(store: Store, *, key: str, source: str, job: str, due_us: int) -> int:
    """Write that a run is due; in the caller's transaction.

    Args:
        store: With a transaction open.
        key: What it is made of: there is one run of that, and no more.
        source: Who tells of it.
        job: Which job fired it.
        due_us: When it was to start, in microseconds since 1970-01-01 UTC.

    Returns:
        Its id; 0 where there is a run of that key already.
    """
    row = {"key": key, "source": source, "job": job, "due_us": due_us}
    made = store.query_one(_SQL["add_waiting_run"], row)
    return int(made[0]) if made else 0


def add_fired(store: Store, runs: Iterable[Fired]) -> None:
    """Write runs that fell due, in one go; in the caller's transaction.

    Those of whose key there is a run already are left out.
    """
    store.execute_many(
        _SQL["add_fired_run"],
        [run._replace(reason=_reason(run.reason)) for run in runs],
    )


def set_claimed(store: Store, run_ids: Iterable[int]) -> None:
    """Say that runs that were due are claimed; in the caller's transaction."""
    store.execute_many(_SQL["set_claimed_run"], [(run_id,) for run_id in run_ids])


def end_unstarted(
    store: Store, run_id: int, state: RunState, *, reason: str, at_us: int
) -> None:
    """End a run that did not start and never will; in the caller's transaction.

    Args:
        store: With a transaction open.
        run_id: One that is due or claimed; any other stays as it is.
        state: In which it is over.
        reason: Why.
        at_us: When that was found.
    """
    row = {"id": run_id, "state": state, "reason": _reason(reason), "at_us": at_us}
    store.execute(_SQL["end_unstarted_run"], row)


def _reason(text: str | None) -> str | None:
    return text and text[: checks.MAX_REASON_CHARS]


def set_due(store: Store, run_id: int) -> None:
    """Say that a run that was claimed is due again; in the caller's transaction.

    Raises:
        Conflict: It has started, or is over.
    """
    if not store.execute(_SQL["set_due_run"], (run_id,)):
        raise Conflict(f"run {run_id}: it has started, or is over")


def begin_row(run_id: int, begun: Begun) -> tuple[Any, ...]:
    """Return a run that starts as `begin_runs` takes it.

    Raises:
        InvalidInput: A value is not one that the ledger takes.
    """
    return (
        begun.at_us,
        checks.optional_name("model", begun.model),
        checks.optional_name("provider", begun.provider),
        checks.number("draw_probability", begun.draw_probability, most=1),
        checks.optional_name(
            "session_uid", begun.session_uid, most=checks.MAX_REASON_CHARS
        ),
        run_id,
    )


def begin_runs(store: Store, rows: Iterable[tuple[Any, ...]]) -> None:
    """Write that runs that are claimed start now; in the caller's transaction."""
    store.execute_many(_SQL["begin_run"], rows)


def begin_run(store: Store, run_id: int, begun: Begun) -> None:
    """Write that a run that is claimed starts now; in the caller's transaction.

    Raises:
        InvalidInput: A value is not one that the ledger takes.
        Conflict: It runs already, or is over.
    """
    uses = checked_uses(begun.skills) if begun.skills else []
    if not store.execute(_SQL["begin_run"], begin_row(run_id, begun)):
        raise Conflict(f"run {run_id}: it has started, or is over")
    if uses:
        add_links(store, find_run(store, run_id), uses)
