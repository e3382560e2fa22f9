"""How people hear of a run: a message in the outbox, in the transaction that ends the run.

So it is there if and only if the run is over; to send it is the outbox's work, with its own
tries and its own state. That a message could not be sent does not make a run fail.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from oldhand.counted import counted
from oldhand.cron.model import Claimed, Job
from oldhand.cron.schedule.describe import show_moment
from oldhand.cron.schedule.zones import load_zone
from oldhand.cron.targets import targets_of
from oldhand.cron.troubles import Trouble, kind_of, note_failure, note_success
from oldhand.ledger.model import RunEnd
from oldhand.notices import Message, put
from oldhand.store import Queries, Store

SILENT = "[SILENT]"
"""An agent's last line, by which nobody is told."""
_SILENT = (SILENT, "NO_REPLY")
_TROUBLES = ("failed", "blocked", "lost")
_SQL = Queries("oldhand.cron")


class Missed(NamedTuple):
    """A job that nobody was there for, and that does not run now either.

    Attributes:
        job: Which one.
        key: Of the row of its last firing.
        due_us: When that was due.
        reason: Why it is not run.
    """

    job: Job
    key: str
    due_us: int
    reason: str


def put_result(
    store: Store, run: Claimed, end: RunEnd, answer: str, *, now_us: int, link: str = ""
) -> str:
    """Put how a run went into the outbox; in the caller's transaction.

    A failure like the one before it is told again after a day, then seldomer; that a job
    works again is told once, also where the agent says that there is nothing to tell.

    Args:
        store: With a transaction open.
        run: The run.
        end: How it went.
        answer: What the agent said last.
        now_us: In microseconds since 1970-01-01 UTC.
        link: Of the run's page, or "".

    Returns:
        `none` where the job wants nothing delivered, `silent` where the agent said that
        there is nothing to tell, `repeat` where it failed as it did before and that was
        told, else `put`.
    """
    to = targets_of(run.job.spec)
    if not to:
        return "none"
    job, state = run.job, _state(end)
    facts = {"Why": end.end_reason} if end.end_reason else {}
    if state in _TROUBLES:
        what = kind_of(state, end.end_reason or "")
        trouble, is_told = note_failure(store, job.id, what, now_us=now_us)
        if not is_told:
            return "repeat"
        facts |= _going_on(job, trouble)
    elif state == "succeeded":
        over = note_success(store, job.id)
        if over is None and is_silent(answer):
            return "silent"
        if over is not None:
            state, facts = "works again", facts | _over(job, over)
    said = without_mark(answer)
    subject = f"{job.name}: {state}"
    message = Message(subject, facts, link, key=key_of(run.run_id), body=said, to=to)
    put(store, message, clock=lambda: now_us)
    return "put"


def put_lost(store: Store, run: Claimed, *, now_us: int) -> str:
    """Tell that a run was lost; in the transaction that gives it up.

    Returns:
        As `put_result`.
    """
    reason = "its scheduler is gone; what it did until then is not known"
    end = RunEnd(state="lost", end_reason=reason)
    return put_result(store, run, end, "", now_us=now_us)


def put_missed(store: Store, missed: Iterable[Missed], *, now_us: int) -> None:
    """Tell of jobs that nobody was there for; in the transaction that notes them.

    All that go to the same people are one message, that of the first: after a week off
    nobody wants one for each job.
    """
    by_target: dict[tuple[str, ...], list[Missed]] = {}
    for each in missed:
        if to := targets_of(each.job.spec):
            by_target.setdefault(to, []).append(each)
    for to, together in by_target.items():
        _put_missed(store, to, together, now_us)


def _put_missed(
    store: Store, to: tuple[str, ...], missed: list[Missed], now_us: int
) -> None:
    first = missed[0]
    row = store.query_one(_SQL["run_of_key"], (first.key,))
    if row is None:
        return
    subject = f"{first.job.name}: missed"
    facts = {"Was due": _moment(first.job, first.due_us), "Why": first.reason}
    if len(missed) > 1:
        subject = f"{counted(len(missed), 'job')} missed"
        facts = {each.job.name: each.reason for each in missed}
    message = Message(subject, facts, key=key_of(row[0]), to=to)
    put(store, message, clock=lambda: now_us)
    store.execute(_SQL["set_delivery"], {"run_id": row[0], "delivery": "put"})


def key_of(run_id: int) -> str:
    """Return the key by which the outbox knows the message of a run."""
    return f"run:{run_id}"


def is_silent(answer: str) -> bool:
    r"""Say whether an answer asks not to be delivered: it is a mark, or ends with a line of it.

    Example:
        >>> is_silent("All is well.\n[SILENT]"), is_silent("All is well.")
        (True, False)
    """
    lines = answer.strip().splitlines()
    return bool(lines) and lines[-1].strip() in _SILENT


def without_mark(answer: str) -> str:
    r"""Return an answer without the mark that it ends with.

    Example:
        >>> without_mark("All is well.\n[SILENT]\n")
        'All is well.'
    """
    lines = answer.strip().splitlines()
    return "\n".join(lines[:-1] if is_silent(answer) else lines).strip()


def _state(end: RunEnd) -> str:
    known = {True: "succeeded", False: "failed", None: "ended"}
    return end.state or known[end.success]


def _going_on(job: Job, trouble: Trouble) -> dict[str, str]:
    if trouble.failures == 1:
        return {}
    return {
        "Failing since": f"{_moment(job, trouble.since_us)}, {trouble.failures:,} times"
    }


def _over(job: Job, trouble: Trouble) -> dict[str, str]:
    since = _moment(job, trouble.since_us)
    return {"After": f"{counted(trouble.failures, 'failure')} since {since}"}


def _moment(job: Job, at_us: int) -> str:
    return show_moment(at_us, load_zone(job.schedule.zone))
