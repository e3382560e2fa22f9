"""What may be said for a schedule: a small grammar, and nothing beside it.

    in 90s | in 30m | in 2h | in 1d      once, so long from now; seconds are the finest
    2026-11-23T09:00                     once; also with :SS, and with Z or +01:00
    every 30m | every 1h | every 1d      a grid of elapsed time; minutes are the finest
    daily 09:00 | weekdays 09:00         by the clock of the zone
    @hourly @daily @weekly @monthly @yearly
    0 9 * * 1-5                          cron: minute, hour, day of month, month, day of week

Capitals and the number of blanks do not matter. A model that writes something close to this
is not understood by guessing: it is refused and told what it probably meant, since a job at
a wrong time is found out late.
"""

from __future__ import annotations

import re
from typing import Literal

from oldhand.cron.schedule.cron_fields import checked
from oldhand.cron.schedule.near_misses import near_miss
from oldhand.errors import InvalidInput
from oldhand.named_tuple import NamedTuple

Kind = Literal["once", "interval", "cron"]

MAX_CHARS = 200
MOST_DAYS = 3650
ACCEPTED = (
    "`in 30m`, `every 1h`, `daily 09:00`, `weekdays 09:00`, `2026-11-23T09:00`, @hourly, "
    "@daily, @weekly, @monthly, @yearly, or cron with five fields as `0 9 * * 1-5`"
)
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}

_MACROS = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
}
_DAYS = {"daily": "*", "weekdays": "1-5"}
_CRON_BEGINS = re.compile(r"[0-9*]")
_LENGTH = re.compile(r"([0-9]{1,9})([smhd])")
_CLOCK = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")
_INSTANT = re.compile(
    r"(\d{4}-\d\d-\d\d)[t ]((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d)?(?:\.0+)?"
    r"(z|[+-](?:0\d|1\d|2[0-3]):[0-5]\d)?",
    re.ASCII,
)


class Said(NamedTuple):
    """What a text says, before it is known when and where.

    Attributes:
        kind: `once`, `interval` or `cron`.
        text: As it is kept; "" for `once`, which is kept as the moment it means.
        seconds: From now, or of the grid; 0 where neither is said.
        instant: ISO 8601, with an offset or without; "" where it is not said.
        cron: Five fields; "" where there are none.
    """

    kind: Kind
    text: str = ""
    seconds: int = 0
    instant: str = ""
    cron: str = ""


def read(text: str) -> Said:
    """Read a schedule.

    Raises:
        InvalidInput: It is none of those above, or one that never fires.

    Example:
        >>> read("Every  30m")
        Said(kind='interval', text='every 30m', seconds=1800, instant='', cron='')
    """
    if not text.isascii():  # digits and letters that look like ours, and are not
        raise refused(text, "it has characters beyond ASCII.")
    if len(text) > MAX_CHARS:
        raise InvalidInput(
            f"a schedule of {len(text):,} characters; expected at most {MAX_CHARS}"
        )
    words = text.lower().split()
    match words:
        case ["in", length]:
            return Said("once", seconds=_seconds(length, words, least="1s"))
        case ["every", length]:
            seconds = _seconds(length, words, least="1m")
            return Said("interval", " ".join(words), seconds)
        case ["daily" | "weekdays" as days, clock] if found := _CLOCK.fullmatch(clock):
            hour, minute = found.groups()
            cron = f"{int(minute)} {int(hour)} * * {_DAYS[days]}"
            return Said("cron", " ".join(words), cron=cron)
        case [macro] if macro in _MACROS:
            return Said("cron", macro, cron=_MACROS[macro])
        case [minute, _, _, _, _] if _CRON_BEGINS.match(minute):
            cron = checked(words)
            return Said("cron", cron, cron=cron)
    if found := _INSTANT.fullmatch(" ".join(words)):
        day, clock, second, offset = found.groups()
        whole = f"{day}T{clock}{second or ':00'}{(offset or '').upper()}"
        return Said("once", instant=whole)
    raise refused(text, near_miss(words))


def refused(text: str, meant: str) -> InvalidInput:
    """Make a refusal that says what is accepted, and what was probably meant."""
    shown = repr(text if len(text) <= 60 else text[:59] + "…")  # noqa: PLR2004 - a line
    hint = f": {meant}" if meant else "."
    return InvalidInput(f"{shown} is no schedule{hint} Expected {ACCEPTED}")


def _seconds(length: str, words: list[str], *, least: str) -> int:
    """Read `30m`: from `least` to ten years."""
    found = _LENGTH.fullmatch(length)
    if not found or (found[2] == "s" and least == "1m"):
        raise refused(" ".join(words), near_miss(words))
    seconds = int(found[1]) * SECONDS[found[2]]
    if not SECONDS[least[1]] <= seconds <= MOST_DAYS * SECONDS["d"]:
        raise InvalidInput(
            f"{' '.join(words)!r}: expected from {least} to {MOST_DAYS}d, ten years"
        )
    return seconds
