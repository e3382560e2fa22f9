"""How Hermes' scheduled runs ended, as its own ledger `cron/executions.db` says.

That ledger names no session and a session names only its job, in its id; they are joined by
the job and by the session's start within the execution. `completed` is Hermes' own word for
a run that raised nothing: it is taken for a success, `failed` for none, all else is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from oldhand.clock import from_iso
from oldhand.errors import UnreadableSource
from oldhand.ledger.checks import MAX_REASON_CHARS
from oldhand.ledger.model import END_STATE_OF, Run
from oldhand.store.foreign import open_foreign

_WANTED = {"job_id", "status", "started_at", "finished_at", "error"}
_SUCCESS = {"completed": True, "failed": False}
_SESSION = re.compile(r"(?:^|/)cron_(.+)_\d{8}_\d{6}$")
_SLACK_US = (
    5_000_000  # a session's first row may bear a time just before the execution's
)


class Execution(NamedTuple):
    """One firing of a job of Hermes; times in microseconds since 1970-01-01 UTC."""

    job: str
    status: str
    started_at_us: int
    finished_at_us: int | None
    error: str | None


def read_executions(path: Path) -> list[Execution]:
    """Return the executions in Hermes' ledger that have started.

    Args:
        path: Of `cron/executions.db` in a home of Hermes.

    Raises:
        UnreadableSource: It is missing or no SQLite database, or has no such table.
    """
    with open_foreign(path) as ledger:
        if not ledger.columns("executions") >= _WANTED:
            raise UnreadableSource(f"{path}: not a ledger of Hermes' scheduled runs")
        rows = ledger.rows(
            "SELECT job_id, status, started_at, finished_at, error FROM executions "
            "WHERE typeof(job_id) = 'text' AND typeof(status) = 'text'"
        )
        found = []
        for job, status, started, finished, error in rows:
            started_at_us = from_iso(str(started))
            if started_at_us is not None:
                found.append(
                    Execution(
                        job, status, started_at_us, from_iso(str(finished)), error
                    )
                )
    return found


def execution_of(
    uid: str, started_at_us: int, executions: Iterable[Execution]
) -> Execution | None:
    """Return the execution that a session was; None where none is known.

    Args:
        uid: Of the session, as `cron_JOB_20260131_090000`.
        started_at_us: Of the session.
        executions: To look in.
    """
    match = _SESSION.search(uid)
    if match is None:
        return None
    for each in executions:
        is_after = started_at_us >= each.started_at_us - _SLACK_US
        end_us = each.finished_at_us
        if each.job == match[1] and is_after and end_us and started_at_us <= end_us:
            return each
    return None


def with_execution(run: Run, execution: Execution) -> Run:
    """Return a run with what Hermes says of how it ended."""
    success = _SUCCESS.get(execution.status)
    reason = " ".join(str(execution.error or execution.status).split())
    printable = "".join(char for char in reason if char.isprintable())
    lasted_us = (execution.finished_at_us or 0) - execution.started_at_us
    return run._replace(
        job=execution.job,
        state=END_STATE_OF[success],
        success=success,
        end_reason=printable[:MAX_REASON_CHARS] or None,
        duration_us=max(0, lasted_us),
    )
