"""The next moment at which a schedule fires: of a grid, and of cron.

cronsim walks the wall clock and nothing else; which moments its times are is decided here.
Given a zone, cronsim 2.8 leaves out firings of hourly crons where a clock changes by half an
hour (`0 */3 * * *` has no 03:00 on Lord Howe that day) or at midnight (Santiago, Havana).

The rule is that of Debian's cron. Where the minute or the hour of a cron begins with a star
it follows the clock through every pass: times that are repeated fire twice, times that are
skipped not at all. Any other means times of the day: each fires once, in the first pass, or
at the first moment after the gap.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from oldhand.cron.schedule.wall import by_every_pass, by_fixed_times, wall_before

if TYPE_CHECKING:
    from datetime import tzinfo

SECOND_US = 1_000_000
YEARS_AHEAD = 50
"""What does not fire within so many years never fires."""
LAST_US = 250_000_000_000 * SECOND_US
"""In the year 9892: 50 years ahead of it there still is a calendar."""


def next_of_grid(anchor_us: int, step_us: int, after_us: int) -> int | None:
    """Return the first anchor + k * step after a moment, k from 1."""
    gone = max((after_us - anchor_us) // step_us, 0)
    at_us = anchor_us + (gone + 1) * step_us
    return at_us if at_us <= LAST_US else None


def next_of_cron(fields: str, zone: tzinfo, after_us: int) -> int | None:
    """Return when a cron fires first after a moment.

    Args:
        fields: Five, that were looked at before.
        zone: Whose clock they mean.
        after_us: Any; before 1970 counts as 1970.
    """
    # Cron fires on whole seconds, so none of those is later than after_us and not after it.
    after = max(after_us, -1) // SECOND_US
    if after >= LAST_US // SECOND_US:
        return None
    walls = _walls(fields, wall_before(after, zone))
    minute, hour = fields.split(" ")[:2]
    is_fixed = not (minute.startswith("*") or hour.startswith("*"))
    for at in (by_fixed_times if is_fixed else by_every_pass)(walls, zone):
        if at > after:
            return at * SECOND_US
    return None


def _walls(fields: str, after: datetime) -> Iterator[datetime]:
    from cronsim import CronSim  # noqa: PLC0415 - 14 ms that only crons pay

    # cronsim counts its 50 years from each time that it gives; all of them may be skipped:
    # `*/30 2 8-14 3 */7` means the very Sundays on which New York's clocks have no 02:30.
    for wall in CronSim(fields, after):
        if wall.year > after.year + YEARS_AHEAD:
            return
        yield wall
