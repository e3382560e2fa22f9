"""What the ledger keeps: runs, the skills in them, and how they went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from oldhand.clock import to_iso
from oldhand.ledger.checks import Moment, Money

RunState = Literal[
    "due",
    "claimed",
    "running",
    "ended",
    "succeeded",
    "failed",
    "blocked",
    "missed",
    "skipped",
    "lost",
    "cancelled",
]
END_STATES: tuple[RunState, ...] = (
    "ended",
    "succeeded",
    "failed",
    "blocked",
    "missed",
    "skipped",
    "lost",
    "cancelled",
)
"""In which a run is over; `ended` says that nothing is known of how."""


END_STATE_OF: dict[bool | None, RunState] = {
    True: "succeeded",
    False: "failed",
    None: "ended",
}
"""The state of a run of which only the success is known, or not."""


class SkillUse(NamedTuple):
    """A skill in a run.

    Attributes:
        name: The skill's.
        version: As `skills.version_of` makes it; None is unknown.
        share: Of the run; over all of its skills they sum to 1. None: see `tokens`.
        tokens: Used from when this skill was loaded to when the next one was. Where all
            skills say, these make the shares; where none does, shares are equal.
    """

    name: str
    version: str | None = None
    share: float | None = None
    tokens: int | None = None


class RunStart(NamedTuple):
    """What is known of a run when it starts.

    Attributes:
        source: Who tells of it.
        job: Which job fired it.
        session_uid: Its session, which need not be on record yet.
        model: Which one is asked; `RunEnd.model` says which one answered.
        provider: The same.
        draw_probability: With which the model was drawn at random, above 0, at most 1;
            None where it was not drawn, so that comparing it is only an observation.
        started_at: Default: now.
        skills: Which ones are loaded; `link_skills` can say so later.
    """

    source: str = "oldhand"
    job: str | None = None
    session_uid: str | None = None
    model: str | None = None
    provider: str | None = None
    draw_probability: float | None = None
    started_at: Moment | None = None
    skills: Sequence[SkillUse] = ()


class RunEnd(NamedTuple):
    """What is known of a run when it is over; None is unknown, and never 0.

    Attributes:
        state: Default: `succeeded` or `failed` by `success`, `ended` where it is unknown.
        success: Whether it did what it was for.
        end_reason: In the runner's own words.
        session_uid: Its session, where that is known only now; None: as at its start.
        model: That really answered; None: as asked.
        provider: The same.
        ended_at: Default: now.
        duration_seconds: Default: from start to end.
        input_tokens: Not read from a cache.
        output_tokens: Written by the model.
        cache_read_tokens: Read from a cache.
        cache_write_tokens: Put into a cache.
        cost_usd: Dollars, exact to a millionth; 0 is said only of what costs nothing.
        quality: 0 to 1.
    """

    state: RunState | None = None
    success: bool | None = None
    end_reason: str | None = None
    session_uid: str | None = None
    model: str | None = None
    provider: str | None = None
    ended_at: Moment | None = None
    duration_seconds: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    cost_usd: Money | None = None
    quality: float | None = None


class Run(NamedTuple):
    """A row of `runs`; times in microseconds since 1970-01-01 UTC."""

    source: str
    started_at_us: int
    id: int = 0
    job: str | None = None
    session_uid: str | None = None
    state: RunState = "running"
    end_reason: str | None = None
    model: str | None = None
    provider: str | None = None
    draw_probability: float | None = None
    ended_at_us: int | None = None
    duration_us: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    cost_microusd: int | None = None
    success: bool | None = None
    quality: float | None = None

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it: times in ISO 8601, the cost in dollars."""
        fields = self._asdict()
        for name in ("started_at", "ended_at"):
            at_us = fields.pop(f"{name}_us")
            fields[name] = None if at_us is None else to_iso(at_us)
        for name, unit in (("duration", "seconds"), ("cost", "usd")):
            value = fields.pop(f"{name}_{'us' if name == 'duration' else 'microusd'}")
            fields[f"{name}_{unit}"] = None if value is None else value / 1_000_000
        return fields
