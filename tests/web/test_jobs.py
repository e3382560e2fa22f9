"""Jobs and their runs over HTTP: for people, by fields that are named when they are wrong."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from oldhand.cron.runner import Control, Done, Task
from oldhand.cron.scheduler import Scheduler
from oldhand.settings import Settings, load
from oldhand.store import Store
from oldhand.web.clockwork import JobWork, PageOf
from oldhand.web.server import Parts

from .daemon import Daemon, running

DRAFT = {"prompt": "Count the logs", "schedule": "daily 09:00", "zone": "UTC"}
RUNNER = ("some-agent", "-p")


def settings(home: Path) -> Settings:
    """Set an agent for jobs that name none."""
    environment = {"HOME": str(home), "OLDHAND_CRON_RUNNER": "some-agent -p"}
    return load(environment=environment)


class Says:
    """A runner that says what it was told."""

    def run(self, task: Task, control: Control) -> Done:  # noqa: D102 - as the Protocol
        control.say(f"told: {task.prompt}")
        return Done(answer="done", success=True)


@pytest.fixture
def jobs_daemon(any_store: Store, tmp_path: Path) -> Any:
    def scheduler(store: Store, page_of: PageOf) -> Scheduler:
        return Scheduler(store, {"command": Says()}, page_of=page_of)

    work = JobWork(settings(tmp_path), scheduler)
    with running(any_store, parts=Parts(jobs=work)) as made:
        yield made


def made(daemon: Daemon, **more: Any) -> dict[str, Any]:
    answer = daemon.person().post("/jobs", DRAFT | more)
    assert answer.status == 201, answer.body
    job: dict[str, Any] = answer.json()
    return job


def test_a_job_is_made_changed_paused_resumed_and_removed(jobs_daemon: Daemon) -> None:
    eve = jobs_daemon.person()
    job = made(jobs_daemon)
    path = f"/jobs/{job['id']}"

    edited = eve.post(f"{path}/edit", {"prompt": "Count", "rev": job["rev"]}).json()
    paused = eve.post(f"{path}/pause", {"reason": "too loud"}).json()
    listed = eve.get("/jobs").json()
    resumed = eve.post(f"{path}/resume").json()
    removed = eve.post(f"{path}/remove").json()

    assert (job["created_by"], job["runner"]) == ("eve", [*RUNNER])
    assert len(job["next"]) == 3
    assert (edited["prompt"], edited["schedule"]) == ("Count", "daily 09:00")
    assert (paused["state"], paused["reason"]) == ("paused", "too loud")
    assert [each["id"] for each in listed["jobs"]] == [job["id"]]
    assert resumed["state"] == "scheduled"
    assert removed == {"id": job["id"], "status": "removed"}
    assert eve.get(path).status == 404


def test_what_was_triggered_runs_and_its_output_is_kept(jobs_daemon: Daemon) -> None:
    eve = jobs_daemon.person()
    job = made(jobs_daemon)

    run_id = eve.post(f"/jobs/{job['id']}/trigger").json()["run_id"]
    deadline = time.monotonic() + 10
    while (run := eve.get(f"/runs/{run_id}").json())["ended_at"] is None:
        assert time.monotonic() < deadline, run
        time.sleep(0.02)

    assert (run["state"], run["cause"], run["job"]) == (
        "succeeded",
        "trigger",
        job["id"],
    )
    assert "Count the logs" in run["output"]
    assert eve.get(f"/runs?job={job['id']}").json()["runs"][0]["id"] == run_id
    assert eve.post(f"/runs/{run_id}/cancel").status == 409


def test_health_and_the_list_say_whether_anybody_fires_them(
    jobs_daemon: Daemon,
) -> None:
    deadline = time.monotonic() + 10
    while not (seen := jobs_daemon.nobody.get("/health").json()["scheduler"])[
        "is_running"
    ]:
        assert time.monotonic() < deadline, seen
        time.sleep(0.02)

    assert jobs_daemon.person().get("/jobs").json()["scheduler"]["is_running"] is True


def test_without_a_scheduler_that_is_said(daemon: Daemon) -> None:
    assert daemon.person().get("/jobs").json() == {
        "count": 0,
        "jobs": [],
        "scheduler": {"is_running": False, "place": "", "last_pass_at": None},
    }


def test_agents_and_strangers_may_not(jobs_daemon: Daemon) -> None:
    job = made(jobs_daemon)
    for path in ("/jobs", f"/jobs/{job['id']}", "/runs", "/runs/1"):
        assert jobs_daemon.nobody.get(path).status == 401
        assert jobs_daemon.agent().get(path).status == 403
    for path in ("/jobs", f"/jobs/{job['id']}/edit", f"/jobs/{job['id']}/trigger"):
        assert jobs_daemon.agent().post(path, DRAFT).status in {400, 403}
    assert jobs_daemon.agent().post("/jobs", DRAFT).status == 403


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("schedule", "30m"),
        ("schedule", "at dawn"),
        ("prompt", ""),
        ("zone", "Mars/Olympus"),
        ("repeat", 0),
        ("deliver", "all"),
        ("deliver", ["No Such"]),
        ("limits", {"turns": -1}),
        ("retries", 2),
        ("ab", ["one"]),
        ("base_url", "file:///etc"),
        ("side_effects", "no"),
        ("origin", {"chat": 3}),
        ("skills", [3]),
    ],
)
def test_a_wrong_field_is_named(jobs_daemon: Daemon, field: str, value: object) -> None:
    work = DRAFT | {field: value}

    answer = jobs_daemon.person().post("/jobs", work)

    assert answer.status == 400
    assert field in answer.body.decode()


def test_nobody_says_from_afar_which_command_runs(jobs_daemon: Daemon) -> None:
    answer = jobs_daemon.person().post("/jobs", DRAFT | {"runner": ["rm", "-rf", "x"]})

    assert answer.status == 400
    assert "runner" in answer.json()["detail"]


def test_a_change_made_from_an_old_view_is_refused(jobs_daemon: Daemon) -> None:
    job = made(jobs_daemon)
    eve = jobs_daemon.person()
    eve.post(f"/jobs/{job['id']}/edit", {"prompt": "Other"})

    answer = eve.post(f"/jobs/{job['id']}/edit", {"prompt": "Mine", "rev": job["rev"]})

    assert answer.status == 409
