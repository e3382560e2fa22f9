"""The five fields of a cron: what each takes, and what is wrong with one that is refused.

cronsim says which field is bad; a person also wants to know what it would take.
"""

from __future__ import annotations

import re

from oldhand.errors import InvalidInput
from oldhand.named_tuple import NamedTuple


class Field(NamedTuple):
    """One of the five.

    Attributes:
        name: What it is.
        takes: Its values, for a person.
        values: How many there are.
        around: With each of what its values begin anew.
        unit: In which `every` counts the same; "" where it has none.
        alone: A cron in which no other field says anything.
    """

    name: str
    takes: str
    values: int
    around: str
    unit: str
    alone: str


_FIELDS = (
    Field("minute", "0 to 59", 60, "hour", "m", "{} * * * *"),
    Field("hour", "0 to 23", 24, "day", "h", "0 {} * * *"),
    Field(
        "day-of-month", "1 to 31, L (the last) or LW", 31, "month", "d", "0 0 {} * *"
    ),
    Field("month", "1 to 12 or JAN to DEC", 12, "year", "", "0 0 1 {} *"),
    Field(
        "day-of-week",
        "0 to 7 or SUN to SAT (0 and 7 are Sunday), 5L (the last Friday) or 5#2 (the second)",
        7,
        "week",
        "",
        "0 0 * * {}",
    ),
)
_STEP = re.compile(r"/(\d+)")


def checked(words: list[str]) -> str:
    """Return five fields as they are kept: in capitals, with one blank between them.

    Args:
        words: Five.

    Raises:
        InvalidInput: A field is not what cron takes, or such a day is in no calendar.
    """
    kept = [word.upper() for word in words]
    said = list(zip(_FIELDS, kept, strict=True))
    for field, value in said:
        if wrong := _misleading(field, value):
            raise InvalidInput(f"{field.name} of a cron is {value!r}; {wrong}")
    text = " ".join(kept)
    if _is_read(text):
        return text
    for field, value in said:
        if not _is_read(field.alone.format(value)):
            raise InvalidInput(
                f"{field.name} of a cron is {value!r}; expected {field.takes}, with , and / "
                "and an upward -, or *"
            )
    raise never(text)


def never(text: str) -> InvalidInput:
    """Make the refusal of a cron whose days are in no calendar."""
    return InvalidInput(
        f"cron {text!r} never fires: no such day comes within 50 years; expected days "
        "that their months have"
    )


def _misleading(field: Field, value: str) -> str:
    """Say why a field that cron would take does not mean what it seems to, or ""."""
    step = max((int(step) for step in _STEP.findall(value)), default=0)
    if step > field.values:  # as the whole of them a step says what it does
        meant = f"; did you mean `every {step}{field.unit}`?" if field.unit else ""
        return (
            f"steps begin anew with each {field.around}, so expected at most "
            f"{field.values}{meant}"
        )
    return ""


def _is_read(text: str) -> bool:
    """Say whether cronsim takes it; it refuses days that no month has."""
    from datetime import datetime  # noqa: PLC0415

    from cronsim import CronSim, CronSimError  # noqa: PLC0415 - only crons pay

    try:
        CronSim(text, datetime(2026, 1, 1))  # noqa: DTZ001 - a clock on a wall
    except CronSimError:
        return False
    return True
