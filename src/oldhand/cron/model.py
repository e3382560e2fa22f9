"""What a job is: asked for, kept, and fired."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from oldhand.clock import to_iso
from oldhand.cron.schedule import Schedule

SOURCE = "job"
"""By which the ledger knows the runs of jobs."""

OnMisfire = Literal["once", "all", "skip"]
OnOverlap = Literal["skip", "queue", "allow"]
JobState = Literal["scheduled", "paused", "completed", "removed"]
Cause = Literal["schedule", "trigger", "retry"]

DEFAULT_GRACE_SECONDS = 86_400
DEFAULT_WALL_SECONDS = 3_600


class Limits(NamedTuple):
    """How much one run may take; None: no limit.

    Attributes:
        wall_seconds: By the clock, without the time that it waits for a person.
        turns: Answers of the model.
        tokens: Read and written, those read from a cache as well.
        cost_usd: US dollars.
    """

    wall_seconds: float | None = DEFAULT_WALL_SECONDS
    turns: int | None = None
    tokens: int | None = None
    cost_usd: float | None = None


class JobSpec(NamedTuple):
    """A job as it is asked for.

    Attributes:
        prompt: What the agent is to do. Needed, unless a script says it.
        schedule: When: `in 30m`, `every 1h`, `daily 09:00`, `weekdays 09:00`, cron of five
            fields, `@daily`, or an ISO instant.
        name: Of one line; default: made from the prompt.
        zone: An IANA time zone; default: the machine's.
        repeat: So many firings, then it is completed; None: for ever.
        deliver: Where results go: `origin`, `local` (nowhere but here), `all`, or the
            names of channels.
        origin: Where it was asked for, as `{"platform": "telegram", "chat": "42"}`.
        skills: Whose SKILL.md the agent is told to use.
        model: For the agent; None: its own default.
        provider: The same.
        base_url: Of the provider; a slash at its end is dropped.
        script: A file in the scripts folder; what it prints stands before the prompt.
        requires_local_infra: It needs this machine's tools: with a provider in the cloud
            it runs without them, and is told so.
        min_context: The model's window must hold so many tokens; None: what the job needs.
        runner: The command that runs the agent, as `("claude", "-p")`, or the name of a
            runner that was handed to the scheduler; (): the first agent found here.
        workdir: Where the command runs; None: the user's home.
        on_misfire: Of firings that nobody was there for: run the last `once`, `all`, or
            `skip` them. Each is on record.
        grace_seconds: So late a firing may start; later it is missed.
        on_overlap: While a run of the job goes on, the next is on record as skipped
            (`skip`), waits (`queue`), or runs beside it (`allow`).
        limits: For one run.
        retries: So often one that failed is tried again, where it has no side effects.
        side_effects: Whether it may do what must not be done twice. Then a run that failed
            or was lost is never repeated by itself.
        ab: Models of which each run draws one, evenly.
    """

    prompt: str = ""
    schedule: str = ""
    name: str = ""
    zone: str | None = None
    repeat: int | None = None
    deliver: tuple[str, ...] = ("local",)
    origin: Mapping[str, str] = MappingProxyType({})
    skills: tuple[str, ...] = ()
    model: str | None = None
    provider: str | None = None
    base_url: str | None = None
    script: str | None = None
    requires_local_infra: bool = False
    min_context: int | None = None
    runner: tuple[str, ...] = ()
    workdir: str | None = None
    on_misfire: OnMisfire = "once"
    grace_seconds: float = DEFAULT_GRACE_SECONDS
    on_overlap: OnOverlap = "skip"
    limits: Limits = Limits()
    retries: int = 0
    side_effects: bool = True
    ab: tuple[str, ...] = ()


class Job(NamedTuple):
    """A job on record; times in microseconds since 1970-01-01 UTC.

    Attributes:
        id: The row's.
        uid: By which runs name it.
        spec: What was asked for, with the name and the zone that it got.
        schedule: As it was understood.
        rev: One more with each change.
        state: `scheduled`, `paused`, `completed` (fired as often as asked), `removed`.
        reason: Why it is paused.
        next_due_us: When it fires next; None: never by itself.
        fired_count: How often it did.
        flags: What a person should look at, each a sentence.
        created_by: Who asked for it.
        created_at_us: When it was made.
        updated_at_us: When it was changed last.
    """

    id: int
    uid: str
    spec: JobSpec
    schedule: Schedule
    rev: int
    state: JobState
    reason: str
    next_due_us: int | None
    fired_count: int
    flags: tuple[str, ...]
    created_by: str
    created_at_us: int
    updated_at_us: int

    @property
    def name(self) -> str:
        """Of one line; no two jobs that are not removed have the same."""
        return self.spec.name

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it: times in ISO 8601, all that was asked for beside."""
        spec = self.spec._asdict()
        spec |= {"origin": dict(self.spec.origin), "limits": self.spec.limits._asdict()}
        due = self.next_due_us
        return {
            "id": self.uid,
            **spec,
            "schedule": self.schedule.text,
            "zone": self.schedule.zone,
            "state": self.state,
            "reason": self.reason,
            "next_due_at": None if due is None else to_iso(due),
            "fired_count": self.fired_count,
            "rev": self.rev,
            "flags": list(self.flags),
            "created_by": self.created_by,
            "created_at": to_iso(self.created_at_us),
            "updated_at": to_iso(self.updated_at_us),
        }


class Claimed(NamedTuple):
    """A run that a scheduler has taken up.

    Attributes:
        run_id: The run's.
        job: What it is of, as it stood when the run was taken up.
        due_us: When it was to start.
        cause: Why it is there: `schedule`, `trigger` or `retry`.
        attempt: 1, or more for a retry.
        owner: The scheduler: what it writes of the run counts only while it has it.
    """

    run_id: int
    job: Job
    due_us: int
    cause: Cause
    attempt: int
    owner: str


class Pass(NamedTuple):
    """What one pass did.

    Attributes:
        started: The runs that it took up, oldest first.
        fired: How many jobs were due.
        lost: The runs that it gave up for lost.
    """

    started: tuple[Claimed, ...] = ()
    fired: int = 0
    lost: tuple[Claimed, ...] = ()
