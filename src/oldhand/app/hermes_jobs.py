"""Take over the jobs of Hermes, paused: nothing fires twice before a person says so."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

from oldhand import settings as all_settings
from oldhand.app.confirmation import channels_of
from oldhand.app.scheduling import may_schedule, means_of
from oldhand.clock import Clock, system_clock
from oldhand.cron.guards.means import Means
from oldhand.cron.hermes_file import jobs_file, read_jobs_file
from oldhand.cron.hermes_jobs import HermesJob, understand
from oldhand.cron.jobs import create_job, list_jobs
from oldhand.cron.model import Job, JobSpec
from oldhand.cron.schedule import machine_zone
from oldhand.cron.spec import MAX_NAME_CHARS
from oldhand.cron.targets import check_deliver
from oldhand.errors import InvalidInput
from oldhand.notices import Channels
from oldhand.sessions.importers import source_named
from oldhand.settings import Settings
from oldhand.store import Store

REASON = "imported from hermes"
_MAKER = "hermes:"


class Taken(NamedTuple):
    """What became of one job of Hermes.

    Attributes:
        hermes: As it is understood.
        became: `new`, `there` (it was imported before) or `refused`.
        job: The job here; None where it is refused, or would be new.
    """

    hermes: HermesJob
    became: Literal["new", "there", "refused"]
    job: Job | None = None

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        of_hermes = self.hermes
        spec = of_hermes.spec
        understood = None
        if spec is not None:
            understood = spec._asdict() | {
                "origin": dict(spec.origin),
                "limits": spec.limits._asdict(),
            }
        return {
            "hermes_id": of_hermes.id,
            "name": of_hermes.name,
            "became": self.became,
            "id": None if self.job is None else self.job.uid,
            "understood": understood,
            "fault": of_hermes.fault,
            "left_out": list(of_hermes.left_out),
            "to_do": list(of_hermes.to_do),
            "fires_there": of_hermes.fires_there,
        }


def import_hermes_jobs(
    store: Store,
    path: Path | None = None,
    *,
    settings: Settings | None = None,
    dry_run: bool = False,
    clock: Clock = system_clock,
) -> list[Taken]:
    """Read Hermes' jobs, and put those on record, paused, that are not there yet.

    Args:
        store: Where jobs are.
        path: Of a home of Hermes, or of its `jobs.json`; by default the user's.
        settings: By default read from the environment.
        dry_run: Only say what would come of it.
        clock: Says now.

    Raises:
        NotFound: There is no such file.
        UnreadableSource: It cannot be read, or is no file of jobs; nothing is written.
        Forbidden: This is a scheduled run.
    """
    known = settings or all_settings.load()
    may_schedule(store, known, doing="import jobs")
    file = jobs_file(path or hermes_home(known))
    zone = machine_zone(all_settings.time_zone_variable()).name
    channels = channels_of(known)
    found = [
        _with_channels(understand(value, zone=zone, now_us=clock()), channels)
        for value in read_jobs_file(file)
    ]
    there = list_jobs(store)
    importer = _Importer(
        None if dry_run else partial(_put, store, means_of(store, known), clock),
        {job.created_by: job for job in there if job.created_by.startswith(_MAKER)},
        {job.name for job in there},
    )
    return [importer.take(each) for each in found]


def _with_channels(found: HermesJob, channels: Channels) -> HermesJob:
    """Say what is to be set up before results arrive where the job wants them."""
    if found.spec is None:
        return found
    try:
        check_deliver(found.spec, channels)
    except InvalidInput as fault:
        return found._replace(to_do=(*found.to_do, str(fault)))
    return found


def hermes_home(settings: Settings) -> Path:
    """Return where Hermes is at home."""
    source = source_named("hermes")
    return source.homes(settings.agent_environment, settings.user_home)[0]


class _Importer(NamedTuple):
    """Takes jobs over, one by one.

    Attributes:
        put: Puts a job on record, for its maker; None: nothing is written.
        by_maker: The jobs that were imported; None for one that would be.
        names: That are taken.
    """

    put: Callable[[JobSpec, str], Job] | None
    by_maker: dict[str, Job | None]
    names: set[str]

    def take(self, found: HermesJob) -> Taken:
        """Take over one job, unless it is there."""
        maker = _MAKER + found.id
        if found.id and maker in self.by_maker:
            return Taken(found, "there", self.by_maker[maker])
        if found.spec is None:
            return Taken(found, "refused")
        name = self._free_name(found)
        spec = found.spec._replace(name=name)
        job = None if self.put is None else self.put(spec, maker)
        self.names.add(name)
        self.by_maker[maker] = job
        return Taken(found._replace(name=name, spec=spec), "new", job)

    def _free_name(self, found: HermesJob) -> str:
        if found.name not in self.names:
            return found.name
        ending = f" (hermes {found.id})"
        return found.name[: MAX_NAME_CHARS - len(ending)] + ending


def _put(store: Store, means: Means, clock: Clock, spec: JobSpec, maker: str) -> Job:
    return create_job(
        store, spec, created_by=maker, is_paused=REASON, means=means, clock=clock
    )
