"""IANA time zones by their names.

A name comes from a person, a model or a file, and zoneinfo makes a path of it: so it is
looked at first, and what is refused is told with the name that was probably meant.
"""

from __future__ import annotations

import re
from datetime import UTC, tzinfo
from functools import cache

from oldhand.errors import InvalidInput

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+){0,3}")
_MAX_CHARS = 64
# Zones of no place: with leap seconds counted, or whatever this machine is set to.
_NO_PLACE = ("right/", "posix/", "localtime", "posixrules", "Factory")
_ABBREVIATIONS = {
    "PST": "America/Los_Angeles",
    "PDT": "America/Los_Angeles",
    "CST": "America/Chicago",
    "CDT": "America/Chicago",
    "EDT": "America/New_York",
    "BST": "Europe/London",
    "CEST": "Europe/Berlin",
    "IST": "Asia/Kolkata",
    "JST": "Asia/Tokyo",
}


def load_zone(name: str) -> tzinfo:
    """Return the zone of an IANA name; `UTC` is there on every machine.

    Raises:
        InvalidInput: There is no such zone, or this machine has no zone database.

    Example:
        >>> load_zone("Europe/Lisbon").key
        'Europe/Lisbon'
    """
    if name == "UTC":
        return UTC
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # noqa: PLC0415 - 5 ms

    # zoneinfo refuses paths as well; looked at here, that does not hang on its version.
    if (
        len(name) > _MAX_CHARS
        or not _NAME.fullmatch(name)
        or name.startswith(_NO_PLACE)
    ):
        raise _refused(name)
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as fault:
        # A directory is an OSError, a file that holds no zone a ValueError.
        raise _refused(name) from fault


def _refused(name: str) -> InvalidInput:
    known = _known()
    if not known:
        return InvalidInput(
            f"time zone {name[:_MAX_CHARS]!r}: this machine has no zone database; install "
            "the system's tzdata, or `pip install tzdata`"
        )
    meant = _meant(name[:_MAX_CHARS], known)
    hint = f"; did you mean {meant}?" if meant else ""
    return InvalidInput(
        f"no time zone is called {name[:_MAX_CHARS]!r}; expected an IANA name, as "
        f"Europe/Berlin, America/New_York or UTC{hint}"
    )


@cache  # 24 ms, as each file is opened
def _known() -> frozenset[str]:
    from zoneinfo import available_timezones  # noqa: PLC0415

    return frozenset(
        each for each in available_timezones() if not each.startswith(_NO_PLACE)
    )


def _meant(name: str, known: frozenset[str]) -> str:
    """Return the zone that was probably meant, or ""."""
    import difflib  # noqa: PLC0415 - for a refusal alone

    by_abbreviation = _ABBREVIATIONS.get(name.upper(), "")
    if by_abbreviation in known:
        return by_abbreviation
    wanted = name.strip().replace(" ", "_").lower()
    folded = {each.lower(): each for each in sorted(known)}
    by_city = {each.rpartition("/")[2]: each for each in folded if "/" in each}
    if wanted in folded:
        return folded[wanted]
    if wanted in by_city:
        return folded[by_city[wanted]]
    close = difflib.get_close_matches(wanted, folded, n=1, cutoff=0.8)
    return folded[close[0]] if close else ""
