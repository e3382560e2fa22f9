"""A job that fails again and again in the same way: told at first, then seldomer.

What goes on stands in the job's row, so that no run need look back over others. A failure
is the same where its state and its reason are, numbers apart. It is told at once, then
after a day, two, four, up to a week; any other failure is told at once; and that it works
again is told once.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import NamedTuple

from oldhand.store import Queries, Store

_DAY_US = 86_400_000_000
_LONGEST_US = 7 * _DAY_US
_SQL = Queries("oldhand.cron")
_PARTICULAR = re.compile(r"\b(?=\w*\d)[\w.:+-]+")


class Trouble(NamedTuple):
    """A failure that goes on.

    Attributes:
        what: What kind it is.
        since_us: When it began.
        told_us: When it was told last.
        told: How often that was.
        failures: How often it failed in all.
    """

    what: str
    since_us: int
    told_us: int
    told: int = 1
    failures: int = 1


def kind_of(state: str, reason: str) -> str:
    """Return what tells failures apart, whatever numbers, times and ids they name.

    Example:
        >>> kind_of("failed", "exit 3 after 12.5 s") == kind_of("failed", "exit 4 after 9 s")
        True
    """
    said = f"{state} {_PARTICULAR.sub('0', reason)}"
    return hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()[:16]


def note_failure(
    store: Store, job_id: int, what: str, *, now_us: int
) -> tuple[Trouble, bool]:
    """Note that a job failed; in the caller's transaction.

    Returns:
        What goes on, and whether it is to be told now.
    """
    known = _find(store, job_id)
    if known is None or known.what != what:
        begun = Trouble(what, now_us, now_us)
        _keep(store, job_id, begun)
        return begun, True
    pause = min(_LONGEST_US, _DAY_US << min(known.told - 1, 10))
    told_us = min(known.told_us, now_us)  # the clock may have been set back
    is_due = now_us - told_us >= pause
    going_on = known._replace(failures=known.failures + 1, told_us=told_us)
    if is_due:
        going_on = going_on._replace(told_us=now_us, told=known.told + 1)
    _keep(store, job_id, going_on)
    return going_on, is_due


def note_success(store: Store, job_id: int) -> Trouble | None:
    """Note that a job works; return what went on until now, or None."""
    known = _find(store, job_id)
    if known is not None:
        store.execute(_SQL["set_trouble"], {"id": job_id, "trouble": ""})
    return known


def _find(store: Store, job_id: int) -> Trouble | None:
    row = store.query_one(_SQL["trouble"], (job_id,))
    return Trouble(**json.loads(row[0])) if row and row[0] else None


def _keep(store: Store, job_id: int, trouble: Trouble) -> None:
    kept = json.dumps(trouble._asdict())
    store.execute(_SQL["set_trouble"], {"id": job_id, "trouble": kept})
