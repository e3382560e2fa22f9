"""The API: one file for each thing, each with its table of operations."""

from __future__ import annotations

from oldhand.web.api import (
    about,
    audit,
    decisions,
    events,
    grants,
    job_runs,
    jobs,
    people,
    policy,
    requests,
    sessions,
    skills,
    use,
)

OPERATIONS = (
    *requests.OPERATIONS,
    *decisions.OPERATIONS,
    *use.OPERATIONS,
    *events.OPERATIONS,
    *grants.OPERATIONS,
    *policy.OPERATIONS,
    *audit.OPERATIONS,
    *people.OPERATIONS,
    *jobs.OPERATIONS,
    *job_runs.OPERATIONS,
    *skills.OPERATIONS,
    *sessions.OPERATIONS,
    *about.OPERATIONS,
)
"""All that can be done; the routes and `openapi.json` are made of it."""
