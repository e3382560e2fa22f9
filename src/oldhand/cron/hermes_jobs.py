"""What a job of Hermes means here: each field taken over, or named with why it is not.

Somebody else's program wrote the file, and anybody may have changed it: whatever a field
holds, its job alone is refused, and the next one is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from oldhand.cron.model import JobSpec
from oldhand.cron.schedule import parse_schedule
from oldhand.cron.spec import CHANNEL, MAX_NAME_CHARS, checked_spec, name_from
from oldhand.errors import InvalidInput

RUNNER = ("hermes", "-z")
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_FROM_NOW = re.compile(r"\d{1,6}[mhd]")
_TEXTS = ("name", "prompt", "model", "provider", "base_url")
_READ = frozenset(
    (*_TEXTS, "id", "schedule", "skills", "skill", "script", "deliver", "origin")
) | {"repeat", "enabled", "state", "paused_at", "paused_reason", "workdir", "no_agent"}
# What Hermes notes for itself: how runs went, and what it saw when the job was made.
_ITS_OWN = frozenset(
    (
        *("schedule_display", "created_at", "updated_at", "next_run_at", "last_run_at"),
        *("last_status", "last_error", "last_delivery_error", "provider_snapshot"),
        *("model_snapshot", "fire_claim", "run_claim"),
    )
)
_NOT_OURS = {
    "context_from": "results of other jobs are not put in front of a prompt here",
    "enabled_toolsets": "name tools in the options of --runner",
    "attach_to_session": "each run here is a session of its own",
}


class HermesJob(NamedTuple):
    """A job of Hermes, as it is understood.

    Attributes:
        id: Hermes' own; "" where it is none.
        name: For people.
        spec: What it is here; None: it cannot be taken over.
        fault: Why not.
        left_out: What is not taken over of it, each with why.
        to_do: What a person must do before it can run here.
        fires_there: Hermes still fires it.
    """

    id: str
    name: str
    spec: JobSpec | None = None
    fault: str = ""
    left_out: tuple[str, ...] = ()
    to_do: tuple[str, ...] = ()
    fires_there: bool = False


def understand(value: object, *, zone: str, now_us: int) -> HermesJob:
    """Say what a job of Hermes means here; whatever it holds, nothing is raised.

    Args:
        value: An entry of `jobs`.
        zone: Of times that name none: the machine's.
        now_us: In microseconds since 1970-01-01 UTC.
    """
    if not isinstance(value, Mapping):
        return HermesJob("", "", fault=f"{_kind(value)}; expected an object")
    found_id = value.get("id")
    is_id = isinstance(found_id, str) and _ID.fullmatch(found_id)
    reading = _Reading(value)
    name = reading.name()
    if not is_id:
        return HermesJob("", name, fault=f"its id is {_shown(found_id)}")
    job_id = str(found_id)
    fires_there = value.get("enabled", True) is not False and (
        value.get("state", "scheduled") == "scheduled"
    )
    try:
        spec = reading.spec(zone=zone, now_us=now_us)._replace(name=name)
        spec = checked_spec(spec)
        parse_schedule(spec.schedule, zone=zone, now_us=now_us)
    except InvalidInput as fault:
        return HermesJob(job_id, name, fault=str(fault), fires_there=fires_there)
    return HermesJob(
        job_id,
        name,
        spec,
        left_out=tuple(reading.left_out),
        to_do=tuple(reading.to_do),
        fires_there=fires_there,
    )


class _Reading:
    """Reads the fields of one job, and notes what it leaves out."""

    def __init__(self, job: Mapping[str, Any]) -> None:
        self._job = job
        self.left_out: list[str] = []
        self.to_do: list[str] = []

    def name(self) -> str:
        said = self._text("name") or ""
        is_fit = said.isprintable() and len(said) <= MAX_NAME_CHARS
        if said.strip() and is_fit:
            return said.strip()
        return name_from(said or self._text("prompt") or "from Hermes")

    def spec(self, *, zone: str, now_us: int) -> JobSpec:
        """Make the spec; it is not looked at yet.

        Raises:
            InvalidInput: It cannot be taken over.
        """
        self.left_out.clear()
        if self._job.get("state") == "completed":
            raise InvalidInput("it is completed there")
        skills = self._skills()
        made = JobSpec(
            prompt=self._prompt(skills),
            schedule=self._schedule(now_us),
            zone=zone,
            repeat=self._repeat(),
            deliver=self._deliver(),
            origin=self._origin(),
            skills=skills,
            model=self._text("model"),
            provider=self._text("provider"),
            base_url=self._text("base_url"),
            script=self._script(),
            workdir=self._workdir(),
            runner=RUNNER,
        )
        self._note_rest()
        return made

    def _text(self, key: str) -> str | None:
        value = self._job.get(key)
        if value is None or value == "":
            return None
        if not isinstance(value, str):
            self._leave(key, f"{_kind(value)}; expected a text")
            return None
        return value

    def _prompt(self, skills: tuple[str, ...]) -> str:
        said = self._text("prompt")
        if self._job.get("no_agent"):  # its script alone runs, as here without a prompt
            if said:
                self._leave("prompt", "no_agent says that nobody is asked")
            return ""
        if said or not skills:
            return said or ""
        return f"Use the skill {', '.join(skills)}."  # Hermes needs no more

    def _schedule(self, now_us: int) -> str:
        said = self._job.get("schedule")
        if isinstance(said, str):
            return _as_here(said)
        if not isinstance(said, Mapping):
            raise InvalidInput(f"schedule: {_kind(said)}; expected an object")
        kind = said.get("kind")
        if kind == "once" and isinstance(said.get("run_at"), str):
            return _instant(said["run_at"])
        minutes = said.get("minutes")
        if kind == "interval" and type(minutes) is int and minutes > 0:
            return f"every {minutes}m"
        if kind == "cron" and isinstance(said.get("expr"), str):
            return str(said["expr"])
        raise InvalidInput(
            f"schedule: {_shown(dict(said))}; expected once with run_at, interval with "
            "minutes, or cron with expr"
        )

    def _repeat(self) -> int | None:
        said = self._job.get("repeat")
        times = said.get("times") if isinstance(said, Mapping) else said
        done = said.get("completed") if isinstance(said, Mapping) else 0
        if times is None:
            return None
        if type(times) is not int or type(done or 0) is not int:
            self._leave("repeat", f"{_shown(said)}; expected numbers")
            return None
        left = times - (done or 0)
        if left <= 0:
            raise InvalidInput("it has fired as often as it was to")
        return left

    def _skills(self) -> tuple[str, ...]:
        said = self._job.get("skills") or self._job.get("skill") or []
        named = [said] if isinstance(said, str) else said
        if not isinstance(named, list) or not all(isinstance(n, str) for n in named):
            self._leave("skills", f"{_shown(said)}; expected names")
            return ()
        return tuple(named)

    def _deliver(self) -> tuple[str, ...]:
        said = self._job.get("deliver") or "local"
        parts = said.split(",") if isinstance(said, str) else said
        if not isinstance(parts, list):
            self._leave("deliver", f"{_kind(said)}; expected a text")
            return ()
        kept = []
        for part in parts:
            word = part.strip() if isinstance(part, str) else ""
            if word == "origin" and not self._origin():
                self._leave("deliver", "origin, and none is named")
            elif CHANNEL.fullmatch(word):
                kept.append(word)
            else:
                self._leave("deliver", f"{_shown(part)} is no channel")
        return tuple(kept)

    def _origin(self) -> dict[str, str]:
        said = self._job.get("origin")
        if not isinstance(said, Mapping):
            return {}
        return {
            key: str(value)
            for key, value in said.items()
            if isinstance(value, str | int) and value != ""
        }

    def _script(self) -> str | None:
        said = self._text("script")
        if said is None:
            return None
        path = PurePosixPath(said)
        parts = path.parts
        if "scripts" in parts:  # of Hermes' own folder; ours has the same name
            parts = parts[parts.index("scripts") + 1 :]
        if not parts or ".." in parts or parts[0].startswith(("/", "~")):
            raise InvalidInput(f"script: {said!r}; expected one in the scripts folder")
        name = str(PurePosixPath(*parts))
        self.to_do.append(
            f"copy the script {name} into the folder scripts of oldhand's home"
        )
        return name

    def _workdir(self) -> str | None:
        said = self._text("workdir")
        if said is None or said.startswith("/"):
            return said
        self._leave("workdir", f"{_shown(said)}; expected a whole path")
        return None

    def _note_rest(self) -> None:
        for key, value in self._job.items():
            if key in _READ or key in _ITS_OWN or value in (None, [], "", False):
                continue
            why = _NOT_OURS.get(key, "not known here")
            self._leave(_shown(key) if key not in _NOT_OURS else key, why)

    def _leave(self, key: str, why: str) -> None:
        said = f"{key}: {why}"
        if said not in self.left_out:
            self.left_out.append(said)


def _as_here(said: str) -> str:
    """Turn a schedule as Hermes takes it into one of ours; `30m` is once from now."""
    words = said.strip()
    if _FROM_NOW.fullmatch(words):
        return f"in {words}"
    return _instant(words) if re.match(r"\d{4}-\d\d-\d\d", words) else words


def _instant(text: str) -> str:
    """Write an instant to the second, as schedules here have it."""
    try:
        return datetime.fromisoformat(text).replace(microsecond=0).isoformat()
    except ValueError as fault:
        raise InvalidInput(f"schedule: {_shown(text)}; expected ISO 8601") from fault


def _kind(value: object) -> str:
    names = {str: "a text", bool: "a truth value", int: "a number", float: "a number"}
    if value is None:
        return "nothing"
    return names.get(type(value), f"a {type(value).__name__}")


def _shown(value: object) -> str:
    try:
        said = repr(value)
    except (RecursionError, ValueError):  # a number too long to be written
        return _kind(value)
    return said if len(said) <= 80 else said[:79] + "…"  # noqa: PLR2004 - a line
