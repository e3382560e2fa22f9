"""Ends a run that waits, or has one that goes on end."""

from __future__ import annotations

from oldhand.clock import Clock, system_clock
from oldhand.cron.runs import JobRun, find_job_run
from oldhand.errors import Conflict, InvalidInput
from oldhand.store import Queries, Store

MAX_REASON_CHARS = 200
_SQL = Queries("oldhand.cron")


def cancel_run(
    store: Store, run_id: int, *, reason: str = "", clock: Clock = system_clock
) -> JobRun:
    """End a run: at once where it waits; where it goes on its scheduler sees to it.

    Args:
        store: Where runs are.
        run_id: Which one.
        reason: One line, by which people know why.
        clock: Says now.

    Returns:
        The run as it is then: `cancelled`, or still going on for a second or two.

    Raises:
        NotFound: No job has a run of that id.
        Conflict: It is over.
        InvalidInput: The reason is none of one line.
    """
    said = reason.strip() or "somebody asked for it"
    if not said.isprintable() or len(said) > MAX_REASON_CHARS:
        raise InvalidInput(
            f"reason: {said[:MAX_REASON_CHARS]!r}; expected one line of at most "
            f"{MAX_REASON_CHARS} characters"
        )
    find_job_run(store, run_id)
    row = {"run_id": run_id, "reason": said}
    with store.transaction():
        if store.execute(_SQL["forget_ready"], {"run_id": run_id}):
            store.execute(_SQL["cancel_waiting_run"], row | {"now": clock()})
        elif not store.execute(_SQL["ask_cancel"], row):
            found = find_job_run(store, run_id)
            if found.owner is None:
                raise Conflict(f"run {run_id}: it is over: {found.run.state}")
    return find_job_run(store, run_id)
