"""A schedule: what it was said to be, and when it fires."""

from __future__ import annotations

import json
from typing import Any

from oldhand.cron.schedule.firings import (
    LAST_US,
    SECOND_US,
    next_of_cron,
    next_of_grid,
)
from oldhand.cron.schedule.grammar import Kind, Said, read
from oldhand.cron.schedule.instants import moment_of, moment_text
from oldhand.cron.schedule.zones import load_zone
from oldhand.errors import InvalidInput
from oldhand.named_tuple import NamedTuple


class Schedule(NamedTuple):
    """When something fires. Made by `parse_schedule`, or read back by `from_json`.

    Attributes:
        text: As it is kept: `every 30m`, `daily 09:00`, `@hourly`, a cron; for `once` the
            moment, as `2026-11-23T09:00:00+01:00`.
        kind: `once`; `interval`, a grid of elapsed time; `cron`, by the clock.
        zone: The IANA name of the zone whose clock is meant, and in which times are shown.
        anchor_us: Of `once` the moment itself, of `interval` where its grid begins, else 0.
        step_us: Of `interval` from one firing to the next, else 0.
        fields: Of `cron` its five, else "".
        note: What else to tell who said it, one sentence or "".
    """

    text: str
    kind: Kind
    zone: str
    anchor_us: int = 0
    step_us: int = 0
    fields: str = ""
    note: str = ""

    def next_after(self, us: int) -> int | None:
        """Return when it fires first after a moment, that moment left out.

        Args:
            us: Microseconds since 1970-01-01 UTC.

        Returns:
            In the same unit; None: never again.
        """
        match self.kind:
            case "once":
                return self.anchor_us if self.anchor_us > us else None
            case "interval":
                return next_of_grid(self.anchor_us, self.step_us, us)
            case "cron":
                return next_of_cron(self.fields, load_zone(self.zone), us)

    def between(self, after_us: int, until_us: int, limit: int) -> list[int]:
        """Return when it fires after a moment and not after another, the earliest first.

        Args:
            after_us: Left out itself.
            until_us: Taken in itself.
            limit: At most so many, the earliest.
        """
        found: list[int] = []
        at_us = self.next_after(after_us)
        while at_us is not None and at_us <= until_us and len(found) < limit:
            found.append(at_us)
            at_us = self.next_after(at_us)
        return found

    def to_json(self) -> str:
        """Write it as it is stored."""
        stored: dict[str, Any] = {"text": self.text, "zone": self.zone}
        if self.kind == "interval":
            stored["anchor_us"] = self.anchor_us
        if self.note:
            stored["note"] = self.note
        return json.dumps(stored)

    @classmethod
    def from_json(cls, text: str) -> Schedule:
        """Read what `to_json` wrote; a moment that has gone by is taken.

        Raises:
            InvalidInput: It is none of ours, or its zone is not known here any more.
        """
        stored = _stored(text)
        said = read(stored["text"])
        if said.kind != "once":
            return repeated(said, stored["zone"], stored["anchor_us"], stored["note"])
        if not said.instant:
            raise _not_ours(text)
        at_us = moment_of(said.instant, load_zone(stored["zone"])).at_us
        return single(at_us, stored["zone"], stored["note"])


def single(at_us: int, zone: str, note: str = "") -> Schedule:
    """Make a schedule that fires once, at a whole second."""
    if not 0 <= at_us <= LAST_US:
        raise InvalidInput(
            "a moment before 1970 or after 9892; expected one of these days"
        )
    return Schedule(moment_text(at_us, load_zone(zone)), "once", zone, at_us, note=note)


def repeated(said: Said, zone: str, anchor_us: int, note: str = "") -> Schedule:
    """Make a schedule that fires again and again.

    Args:
        said: An interval or a cron.
        zone: It must be known.
        anchor_us: Where a grid begins.
        note: What to tell.
    """
    load_zone(zone)
    if said.kind == "cron":
        return Schedule(said.text, "cron", zone, fields=said.cron, note=note)
    step_us = said.seconds * SECOND_US
    return Schedule(said.text, "interval", zone, anchor_us, step_us, note=note)


def _stored(text: str) -> dict[str, Any]:
    try:
        stored = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise _not_ours(text) from fault
    if not isinstance(stored, dict):
        raise _not_ours(text)
    stored = {"anchor_us": 0, "note": "", **stored}
    anchor_us = stored["anchor_us"]
    are_texts = all(
        isinstance(stored.get(key), str) for key in ("text", "zone", "note")
    )
    if not (are_texts and type(anchor_us) is int and 0 <= anchor_us <= LAST_US):
        raise _not_ours(text)
    return stored


def _not_ours(text: str) -> InvalidInput:
    return InvalidInput(
        f"stored schedule {text[:100]!r}; expected a JSON object with text, zone and, of an "
        "interval, anchor_us"
    )
