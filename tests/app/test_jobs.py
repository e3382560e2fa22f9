"""Jobs made as the settings say, one pass with all that it needs, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from oldhand.app import jobs
from oldhand.app.job_runners import default_runner
from oldhand.app.scheduling import tick
from oldhand.clock import system_clock
from oldhand.cron.jobs import create_job as put_job
from oldhand.cron.jobs import find_job, pause_job
from oldhand.cron.liveness import Liveness, find_liveness
from oldhand.cron.model import JobSpec
from oldhand.cron.runner import Control, Done, Task
from oldhand.cron.runs import list_job_runs
from oldhand.errors import Forbidden, InvalidInput
from oldhand.settings import Settings
from oldhand.store import Store
from oldhand.testing import FakeClock

HOUR_US = 3_600_000_000


class Says:
    """A runner that says what it was told."""

    def run(self, task: Task, control: Control) -> Done:
        """Do it."""
        control.say(task.prompt)
        return Done(answer="done", success=True)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path, "", "ada", cron_runner=("my-agent", "--once"))


def nothing(_program: str) -> None:
    return None


def test_the_setting_names_the_runner(settings: Settings) -> None:
    assert default_runner(settings, find=nothing) == ("my-agent", "--once")


def test_the_first_agent_that_is_there_is_the_runner(settings: Settings) -> None:
    unset = settings._replace(cron_runner=())

    found = default_runner(unset, find=lambda name: name if name != "claude" else None)

    assert found == ("codex", "exec")


def test_without_an_agent_a_job_is_refused(settings: Settings) -> None:
    with pytest.raises(InvalidInput, match="none of claude, codex, hermes is on PATH"):
        default_runner(settings._replace(cron_runner=()), find=nothing)


def test_a_job_keeps_the_runner_that_it_got(store: Store, settings: Settings) -> None:
    spec = JobSpec("Look", "every 1h", zone="UTC")

    made = jobs.create_job(store, spec, settings=settings)
    named = jobs.create_job(
        store, spec._replace(name="b", runner=("x",)), settings=settings
    )

    assert made.spec.runner == ("my-agent", "--once")
    assert made.created_by == "ada"
    assert named.spec.runner == ("x",)


def test_a_cleared_runner_is_found_anew(store: Store, settings: Settings) -> None:
    spec = JobSpec("Look", "every 1h", zone="UTC", runner=("x",))
    made = jobs.create_job(store, spec, settings=settings)

    edited = jobs.edit_job(store, made.uid, {"runner": ""}, settings=settings)

    assert edited.spec.runner == ("my-agent", "--once")


def test_a_run_may_not_schedule(store: Store, settings: Settings) -> None:
    spec = JobSpec("Look", "every 1h", zone="UTC")
    made = jobs.create_job(store, spec, settings=settings)
    inside = settings._replace(run="12")

    for attempt in (
        lambda: jobs.create_job(store, spec, settings=inside),
        lambda: jobs.edit_job(store, made.uid, {"prompt": "x"}, settings=inside),
        lambda: jobs.resume_job(store, made.uid, settings=inside),
        lambda: jobs.trigger_job(store, made.uid, settings=inside),
        lambda: tick(store, settings=inside),
    ):
        with pytest.raises(Forbidden, match="scheduled run 12"):
            attempt()

    assert len(list_job_runs(store)) == 0
    assert find_job(store, made.uid).rev == 1


def test_a_channel_that_is_not_set_is_refused(store: Store, settings: Settings) -> None:
    spec = JobSpec("Look", "every 1h", zone="UTC", deliver=("telegram",))

    with pytest.raises(InvalidInput, match="telegram"):
        jobs.create_job(store, spec, settings=settings)

    made = jobs.create_job(store, spec._replace(deliver=("local",)), settings=settings)
    with pytest.raises(InvalidInput, match="discord"):
        jobs.edit_job(store, made.uid, {"deliver": ("discord",)}, settings=settings)


def test_the_next_three_firings_are_those_of_the_job(store: Store) -> None:
    clock = FakeClock()
    spec = JobSpec("Look", "every 1h", zone="UTC", runner=("x",))
    often = put_job(store, spec, clock=clock)
    twice = put_job(store, spec._replace(name="b", repeat=2), clock=clock)
    paused = pause_job(store, often.uid)

    assert jobs.next_firings(often, clock()) == [
        clock() + HOUR_US * n for n in (1, 2, 3)
    ]
    assert len(jobs.next_firings(twice, clock())) == 2
    assert jobs.next_firings(paused, clock()) == []


def test_a_job_that_is_overdue_fires_next_at_its_time(store: Store) -> None:
    clock = FakeClock()
    spec = JobSpec("Look", "every 1h", zone="UTC", runner=("x",))
    job = put_job(store, spec, clock=clock)
    begun = clock()
    clock.advance(HOUR_US * 5 // 2)

    found = jobs.next_firings(job, clock())

    assert found == [begun + HOUR_US, begun + 3 * HOUR_US, begun + 4 * HOUR_US]


def test_one_pass_runs_what_is_due_and_says_that_it_looked(
    store: Store, settings: Settings
) -> None:
    spec = JobSpec("Look", "every 1h", zone="UTC", runner=("says",))
    job = jobs.create_job(store, spec, settings=settings)
    told: list[str] = []

    started = tick(
        store,
        system_clock() + HOUR_US,
        settings=settings,
        runners={"says": Says()},
        told=lambda made: told.extend(run.job.name for run in made.started),
    )

    assert [run.job.uid for run in started] == [job.uid]
    assert told == ["Look"]
    [run] = list_job_runs(store)
    assert (run.run.state, run.run.success) == ("succeeded", True)
    assert find_liveness(store).is_tick


LIVENESS = [
    (Liveness(is_running=False), "no scheduler runs, so nothing fires: start"),
    (
        Liveness(is_running=False, place="box", last_pass_us=1, seconds_ago=7_200.0),
        "one looked last 2 h ago (box)",
    ),
    (Liveness(is_running=True, place="box, process 7"), "a scheduler runs: box"),
    (
        Liveness(is_running=True, is_tick=True, place="box", seconds_ago=31.0),
        "looked for what is due 31 s ago",
    ),
]


@pytest.mark.parametrize(("found", "said"), LIVENESS)
def test_it_is_said_whether_jobs_fire(found: Liveness, said: str) -> None:
    assert said in jobs.say_liveness(found)
