"""Which firings of a job become runs, and which are on record as missed.

Nobody may have been there when a job was due: the machine slept, the daemon was down. What
then happens is the job's wish; that it happened is always on record. Many firings in a row
that nobody was there for are one row, which says how many.
"""

from __future__ import annotations

from typing import NamedTuple

from oldhand.clock import to_iso
from oldhand.cron.model import Job
from oldhand.cron.schedule import Schedule

PUNCTUAL_US = 60_000_000
"""A firing that is later than this was missed, by a job that skips those."""
MOST_AT_ONCE = 100
"""Of the firings that are made up, so many are run; those before are missed."""
_MOST_COUNTED = 1_000
_FIRST_WINDOW_US = 60_000_000


class Firing(NamedTuple):
    """What becomes of one time, or of many.

    Attributes:
        due_us: When it was due; of many, the first.
        missed: Why it is not run; "": it is.
    """

    due_us: int
    missed: str = ""


class Plan(NamedTuple):
    """What a job that is due does now.

    Attributes:
        firings: What becomes of those that fell due, oldest first.
        next_due_us: When it fires next; None: never.
    """

    firings: list[Firing]
    next_due_us: int | None


def plan(job: Job, now_us: int) -> Plan:
    """Say what becomes of the firings of a job up to now.

    Args:
        job: With `next_due_us` not after now.
        now_us: In microseconds since 1970-01-01 UTC.
    """
    first = job.next_due_us
    if first is None or first > now_us:
        return Plan([], first)
    schedule, spec = job.schedule, job.spec
    last = max(first, last_until(schedule, now_us) or first)
    due = [last]
    if spec.on_misfire == "all" and last > first:
        due = _newest(schedule, first, now_us)
    left = None if spec.repeat is None else max(0, spec.repeat - job.fired_count)
    if left is not None:
        due = due[:left]
    firings = [Firing(at, _lateness(job, at, now_us)) for at in due]
    if due and first < due[0]:
        firings.insert(0, Firing(first, _missed(schedule, first, due[0])))
    run = sum(not firing.missed for firing in firings)
    is_over = left is not None and run >= left
    return Plan(firings, None if is_over else schedule.next_after(now_us))


def last_until(schedule: Schedule, until_us: int) -> int | None:
    """Return the last firing up to a time, found by looking back further and further."""
    window = _FIRST_WINDOW_US
    while window <= until_us:
        at = schedule.next_after(until_us - window)
        if at is not None and at <= until_us:
            while (after := schedule.next_after(at)) is not None and after <= until_us:
                at = after
            return at
        window *= 4
    return None


def _newest(schedule: Schedule, first: int, now_us: int) -> list[int]:
    """Return the last firings from `first` up to now, at most `MOST_AT_ONCE`."""
    window = _FIRST_WINDOW_US
    while True:
        after = max(first - 1, now_us - window)
        found = schedule.between(after, now_us, limit=_MOST_COUNTED)
        if after == first - 1 or len(found) >= MOST_AT_ONCE:
            return found[-MOST_AT_ONCE:]
        window *= 4


def _lateness(job: Job, due_us: int, now_us: int) -> str:
    late = now_us - due_us
    if late > max(job.spec.grace_seconds * 1_000_000, PUNCTUAL_US):
        return f"nobody was there for {late // 1_000_000} s, longer than it may be late"
    if job.spec.on_misfire == "skip" and late > PUNCTUAL_US:
        return f"nobody was there for {late // 1_000_000} s, and it is not made up"
    return ""


def _missed(schedule: Schedule, first: int, until: int) -> str:
    """Say how many firings were missed, from `first` to before `until`."""
    found = schedule.between(first - 1, until - 1, limit=_MOST_COUNTED)
    if len(found) <= 1:
        return "nobody was there; a later firing stands for it"
    count = f"{len(found):,}{' or more' if len(found) == _MOST_COUNTED else ''}"
    return (
        f"nobody was there: {count} firings until {to_iso(until)}, "
        "for which a later one stands"
    )
