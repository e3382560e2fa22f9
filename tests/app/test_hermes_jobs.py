"""Hermes' jobs on record here: paused, once, and beside what is there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from oldhand.app.hermes_jobs import REASON, import_hermes_jobs
from oldhand.cron.jobs import create_job, list_jobs, remove_job, resume_job
from oldhand.cron.model import JobSpec
from oldhand.settings import Settings
from oldhand.store import Store


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path, "", "ada", user_home=tmp_path)


def put_jobs(home: Path, *jobs: dict[str, Any]) -> None:
    """Write a file of jobs where Hermes keeps it."""
    folder = home / ".hermes" / "cron"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "jobs.json").write_text(json.dumps({"jobs": jobs}))


def one(job_id: str, **said: Any) -> dict[str, Any]:
    schedule = {"kind": "interval", "minutes": 30}
    return {
        "id": job_id, "name": "Look", "prompt": "Look.", "schedule": schedule,
        "enabled": True, "state": "scheduled",
    } | said  # fmt: skip


def test_jobs_are_imported_paused_and_only_once(
    any_store: Store, settings: Settings
) -> None:
    put_jobs(
        settings.user_home, one("a1"), one("b2", name="Other"), one("c3", prompt="")
    )

    first = import_hermes_jobs(any_store, settings=settings)
    again = import_hermes_jobs(any_store, settings=settings)

    assert [taken.became for taken in first] == ["new", "new", "refused"]
    assert [taken.became for taken in again] == ["there", "there", "refused"]
    jobs = list_jobs(any_store)
    assert [(job.name, job.state, job.reason) for job in jobs] == [
        ("Look", "paused", REASON),
        ("Other", "paused", REASON),
    ]
    assert jobs[0].created_by == "hermes:a1"


def test_a_job_that_was_changed_here_stays_as_it_is(
    store: Store, settings: Settings
) -> None:
    put_jobs(settings.user_home, one("a1"))
    import_hermes_jobs(store, settings=settings)
    resume_job(store, "Look")
    put_jobs(settings.user_home, one("a1", prompt="Something else."))

    [taken] = import_hermes_jobs(store, settings=settings)

    [job] = list_jobs(store)
    assert (taken.became, job.state, job.spec.prompt) == ("there", "scheduled", "Look.")


def test_a_job_that_was_removed_here_may_come_again(
    store: Store, settings: Settings
) -> None:
    put_jobs(settings.user_home, one("a1"))
    import_hermes_jobs(store, settings=settings)
    remove_job(store, "Look")

    [taken] = import_hermes_jobs(store, settings=settings)

    assert taken.became == "new"
    assert len(list_jobs(store)) == 1


def test_a_name_that_is_taken_gets_hermes_own_id_behind_it(
    store: Store, settings: Settings
) -> None:
    create_job(store, JobSpec("Mine", "@daily", name="Look", zone="UTC"))
    put_jobs(settings.user_home, one("a1"), one("b2"), one("b2"))

    taken = import_hermes_jobs(store, settings=settings)

    assert [each.became for each in taken] == ["new", "new", "there"]
    assert [job.name for job in list_jobs(store)] == [
        "Look",
        "Look (hermes a1)",
        "Look (hermes b2)",
    ]


def test_a_dry_run_says_the_same_and_writes_nothing(
    store: Store, settings: Settings
) -> None:
    put_jobs(settings.user_home, one("a1"), one("b2"))

    found = import_hermes_jobs(store, settings=settings, dry_run=True)

    assert [(each.became, each.hermes.name) for each in found] == [
        ("new", "Look"),
        ("new", "Look (hermes b2)"),
    ]
    assert list_jobs(store) == []


def test_a_channel_that_is_not_set_up_here_is_to_do(
    store: Store, settings: Settings
) -> None:
    put_jobs(settings.user_home, one("a1", deliver="discord"))

    [taken] = import_hermes_jobs(store, settings=settings)

    assert taken.job is not None
    assert taken.job.spec.deliver == ("discord",)
    assert "deliver: discord: not configured" in taken.hermes.to_do[0]


def test_hermes_home_may_be_elsewhere(store: Store, settings: Settings) -> None:
    elsewhere = settings.home / "elsewhere"
    put_jobs(elsewhere, one("a1"))
    named = settings._replace(
        agent_environment={"HERMES_HOME": str(elsewhere / ".hermes")}
    )

    by_variable = import_hermes_jobs(store, settings=named, dry_run=True)
    by_path = import_hermes_jobs(
        store, elsewhere / ".hermes", settings=settings, dry_run=True
    )

    assert [each.became for each in by_variable + by_path] == ["new", "new"]
