"""Rows of `jobs` as what they mean."""

from __future__ import annotations

import json
from functools import lru_cache

from oldhand.cron.model import Job, JobSpec
from oldhand.cron.schedule import Schedule
from oldhand.cron.spec import spec_from_json
from oldhand.store import Row

COLUMNS = len(Job._fields)
"""A row begins with so many of `jobs`; what comes after them is the query's own."""


def job_of(row: Row) -> Job:
    """Read a row of `jobs`, its columns in the order of `Job`.

    Raises:
        InvalidInput: Its schedule cannot be read any more, as where a zone is gone.
    """
    fields = dict(zip(Job._fields, row, strict=True))
    fields["spec"], fields["schedule"] = _read(fields["spec"], fields["schedule"])
    fields["flags"] = tuple(json.loads(fields["flags"]))
    return Job(**fields)


@lru_cache(maxsize=256)
def _read(spec: str, schedule: str) -> tuple[JobSpec, Schedule]:
    """Read what does not change from one firing to the next: half of what firing takes."""
    return spec_from_json(spec), Schedule.from_json(schedule)
