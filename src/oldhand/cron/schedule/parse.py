"""From what somebody says now to a schedule."""

from __future__ import annotations

from oldhand.cron.schedule.cron_fields import never
from oldhand.cron.schedule.firings import SECOND_US
from oldhand.cron.schedule.grammar import MOST_DAYS, SECONDS, Said, read
from oldhand.cron.schedule.instants import moment_of, moment_text
from oldhand.cron.schedule.machine import machine_zone
from oldhand.cron.schedule.model import Schedule, repeated, single
from oldhand.cron.schedule.zones import load_zone
from oldhand.errors import InvalidInput
from oldhand.settings import time_zone_variable

GRACE_US = 60 * SECOND_US
"""A moment so short ago was meant: it went by while it was written."""


def parse_schedule(text: str, *, now_us: int, zone: str | None = None) -> Schedule:
    """Read a schedule that somebody says now.

    `every 1d` is 24 hours of elapsed time, counted from now, and so moves by an hour when
    the clocks are changed; `daily 09:00` is nine by the clock, however long the day. A local
    time that comes twice means its first pass, one that is skipped the first moment after;
    a moment that went by in the last minute is the next second; `note` tells of each.

    Args:
        text: See `grammar`.
        now_us: Microseconds since 1970-01-01 UTC.
        zone: An IANA name: whose clock is meant. None: this machine's; where it has none,
            UTC, and `note` says so.

    Raises:
        InvalidInput: It is none of the grammar, never fires, has gone by for longer than a
            minute, or is over ten years off; or the zone is not known.

    Example:
        >>> schedule = parse_schedule("in 30m", zone="UTC", now_us=1_767_225_600_000_000)
        >>> schedule.kind, schedule.text
        ('once', '2026-01-01T00:30:00+00:00')
    """
    if zone is None:
        machine = machine_zone(time_zone_variable())
        schedule = parse_schedule(text, now_us=now_us, zone=machine.name)
        notes = (machine.note, schedule.note)
        return schedule._replace(note="; ".join(note for note in notes if note))
    load_zone(zone)  # told before what is wrong with the text, which may depend on it
    said = read(text)
    if said.kind == "once":
        return _single(said, zone, now_us)
    schedule = repeated(said, zone, now_us)
    if schedule.next_after(now_us) is None:
        raise never(said.text)
    return schedule


def _single(said: Said, zone: str, now_us: int) -> Schedule:
    """Find the moment; it is a whole second, so that its text says all of it."""
    soon_us = (now_us // SECOND_US + 1) * SECOND_US
    if not said.instant:
        from_us = -(-now_us // SECOND_US) * SECOND_US
        return single(from_us + said.seconds * SECOND_US, zone)
    place = load_zone(zone)
    at_us, note = moment_of(said.instant, place)
    if at_us < now_us - GRACE_US:
        raise InvalidInput(
            f"{moment_text(at_us, place)} has gone by: it is {moment_text(now_us, place)}; "
            "expected a moment to come"
        )
    if at_us > now_us + MOST_DAYS * SECONDS["d"] * SECOND_US:
        raise InvalidInput(
            f"{said.instant} is over ten years off; expected it within ten"
        )
    if at_us <= now_us:
        return single(
            soon_us, zone, f"{said.instant} has just gone by; it fires at once"
        )
    return single(at_us, zone, note)
