"""What the tool `cronjob` answers of jobs and runs, in JSON that a model reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oldhand.app.jobs import job_as_json, next_firings, say_liveness
from oldhand.clock import to_iso
from oldhand.cron.jobs import list_jobs
from oldhand.cron.liveness import find_liveness
from oldhand.cron.model import Job
from oldhand.cron.output import find_output
from oldhand.cron.runs import find_job_run, last_runs, list_job_runs
from oldhand.cron.schedule import load_zone, show_moment
from oldhand.store import Store

_RUNS = 10
_OUTPUT_CHARS = 8_000


def job_answer(store: Store, job: Job, now_us: int) -> dict[str, Any]:
    """Return a job, with its next firings by the clock of its zone."""
    zone = load_zone(job.schedule.zone)
    return {
        "job": job_as_json(job, now_us),
        "next": [show_moment(at, zone) for at in next_firings(job, now_us)],
        **scheduler_answer(store),
    }


def jobs_answer(store: Store, now_us: int) -> dict[str, Any]:
    """Return all jobs, each in a few words."""
    last = last_runs(store)
    rows = [
        {
            "id": job.uid,
            "name": job.name,
            "schedule": job.schedule.text,
            "zone": job.schedule.zone,
            "state": job.state,
            "reason": job.reason,
            "next": [to_iso(at) for at in next_firings(job, now_us)],
            "last_run": last[job.uid].state if job.uid in last else None,
            "created_by": job.created_by,
        }
        for job in list_jobs(store)
    ]
    return {"jobs": rows, **scheduler_answer(store)}


def runs_answer(store: Store, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return runs, or all of one, of whose output the end."""
    if "run" in asked:
        found = find_job_run(store, asked["run"])
        kept = find_output(store, found.run.id)
        output = "" if kept is None else kept.text
        return {
            "run": found.as_json(),
            "output": output[-_OUTPUT_CHARS:],
            "output_left_out_chars": max(0, len(output) - _OUTPUT_CHARS),
        }
    rows = list_job_runs(
        store,
        job=asked.get("job"),
        state=asked.get("state"),
        limit=asked.get("limit", _RUNS),
    )
    return {"runs": [row.as_json() for row in rows]}


def scheduler_answer(store: Store) -> dict[str, Any]:
    """Return whether jobs fire now, with what to tell a person if they do not."""
    live = find_liveness(store)
    return {"scheduler": live.as_json() | {"note": say_liveness(live)}}
