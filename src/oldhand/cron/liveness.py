"""Whether anybody looks for what is due: a job that nobody fires is found out late."""

from __future__ import annotations

from typing import Any, NamedTuple

from oldhand.clock import to_iso
from oldhand.cron.clock import clock_of
from oldhand.cron.owners import process_of_owner
from oldhand.store import Queries, Store

FRESH_US = 60_000_000
"""A scheduler that works says so four times as often."""
TICK_FRESH_US = 90_000_000
"""A system's cron makes a pass each minute, and takes a while to start."""
_TICK = "tick "
"""How the names of those begin that made one pass and have ended."""
_SQL = Queries("oldhand.cron")


class Liveness(NamedTuple):
    """Who looks, as far as the database tells.

    Attributes:
        is_running: A scheduler made a pass within the last minute, and its process has not
            ended; or `oldhand jobs tick` made one just now.
        is_tick: The last pass was one of `oldhand jobs tick`: who ran it must go on to.
        place: Of the one that looked last: host and process, or "" where none ever did.
        last_pass_us: When it did, in microseconds since 1970-01-01 UTC; None: never, or
            over a day ago.
        seconds_ago: How long that is.
    """

    is_running: bool
    is_tick: bool = False
    place: str = ""
    last_pass_us: int | None = None
    seconds_ago: float | None = None

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        at_us = self.last_pass_us
        return {
            "is_running": self.is_running,
            "place": self.place,
            "last_pass_at": None if at_us is None else to_iso(at_us),
        }


def find_liveness(store: Store) -> Liveness:
    """Say whether a scheduler runs, by the database's own clock."""
    now = clock_of(store)()
    rows = store.query_all(_SQL["schedulers"])
    found = [_seen(owner, place, last_us, now) for owner, place, _, last_us in rows]
    running = [each for each in found if each.is_running]
    schedulers = [each for each in running if not each.is_tick]
    return (schedulers or running or found or [Liveness(is_running=False)])[0]


def note_tick(store: Store, place: str) -> None:
    """Leave word that somebody made one pass, and has ended.

    Args:
        store: Where jobs are.
        place: For people, the same each time: which host.
    """
    row = {"owner": _TICK + place, "place": place, "now": clock_of(store)()}
    store.execute(_SQL["note_pass"], row)


def _seen(owner: str, place: str, last_us: int, now: int) -> Liveness:
    is_tick = owner.startswith(_TICK)
    process = process_of_owner(owner)
    is_gone = process is not None and process.is_gone
    fresh_us = TICK_FRESH_US if is_tick else FRESH_US
    ago_us = max(0, now - last_us)
    return Liveness(
        is_running=ago_us < fresh_us and not is_gone,
        is_tick=is_tick,
        place=place,
        last_pass_us=last_us,
        seconds_ago=ago_us / 1_000_000,
    )
