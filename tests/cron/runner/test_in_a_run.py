"""Jobs that run real children, from their firing to what is on record."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from oldhand.clock import system_clock
from oldhand.cron.cancel import cancel_run
from oldhand.cron.claims import claim
from oldhand.cron.jobs import create_job, trigger_job
from oldhand.cron.model import Claimed, JobSpec, Limits
from oldhand.cron.output import find_output
from oldhand.cron.runner.command import CommandRunner
from oldhand.cron.runner.script import Scripts
from oldhand.cron.scheduler import Scheduler
from oldhand.cron.shop import Shop
from oldhand.cron.work import Work
from oldhand.ledger.model import Run
from oldhand.ledger.runs import find_run
from oldhand.store import Store

from .agents.streams import CLAUDE, SESSION, lines
from .fakes import FakeAgent


@pytest.fixture
def claude(tmp_path: Path) -> FakeAgent:
    agent = FakeAgent(tmp_path, "claude")
    agent.prints(lines(*CLAUDE))
    return agent


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    folder = tmp_path / "scripts"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture
def scheduler(
    any_store: Store, claude: FakeAgent, scripts: Path
) -> Iterator[Scheduler]:
    runner = CommandRunner(claude.environment)
    asked = Scripts(scripts, claude.environment)
    with Scheduler(any_store, {"command": runner}, scripts=asked) as made:
        yield made


def started(store: Store, scheduler: Scheduler, spec: JobSpec) -> int:
    job = create_job(store, spec._replace(schedule="daily 09:00", zone="UTC"))
    run_id = trigger_job(store, job.uid)
    assert [run.run_id for run in scheduler.tick().started] == [run_id]
    return run_id


def ran(store: Store, scheduler: Scheduler, spec: JobSpec) -> Run:
    run_id = started(store, scheduler, spec)
    scheduler.join()
    return find_run(store, run_id)


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 15
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_what_an_agent_did_and_used_is_on_record(
    any_store: Store, scheduler: Scheduler, claude: FakeAgent
) -> None:
    run = ran(any_store, scheduler, JobSpec("Look.", runner=("claude", "-p")))

    assert (run.state, run.session_uid) == ("succeeded", SESSION)
    assert (run.model, run.input_tokens) == ("claude-sonnet-4-5", 112)
    assert run.cost_microusd == 42_100
    assert "Look." in claude.seen["stdin"]
    assert claude.seen["environment"]["OLDHAND_RUN"] == str(run.id)
    kept = find_output(any_store, run.id)
    assert kept is not None
    assert "nothing to commit\nAll is clean.\n" in kept.text


def test_a_run_that_a_limit_ended_still_says_what_it_cost(
    any_store: Store, scheduler: Scheduler, claude: FakeAgent
) -> None:
    claude.runs(
        f"import time\nsys.stdout.write({lines(*CLAUDE[:-1])!r})\nsys.stdout.flush()\n"
        "time.sleep(600)"
    )
    spec = JobSpec("Look.", runner=("claude",), limits=Limits(tokens=5_000))

    run = ran(any_store, scheduler, spec)

    assert (run.state, run.success, run.session_uid) == ("failed", False, SESSION)
    assert run.end_reason == "limit of tokens: 9,372 used, 5,000 allowed"
    assert run.input_tokens == 12


def test_a_run_that_is_cancelled_ends_its_child(
    any_store: Store, scheduler: Scheduler, claude: FakeAgent
) -> None:
    claude.runs("import time\nprint('up', flush=True)\ntime.sleep(600)")
    run_id = started(any_store, scheduler, JobSpec("Look.", runner=("claude",)))
    wait_until(lambda: claude.has_run)
    cancel_run(any_store, run_id, reason="not needed")
    scheduler.join()

    run = find_run(any_store, run_id)
    assert (run.state, run.end_reason) == ("cancelled", "cancelled: not needed")


def test_a_script_speaks_before_the_agent(
    any_store: Store, scheduler: Scheduler, claude: FakeAgent, scripts: Path
) -> None:
    (scripts / "disk.sh").write_text("echo disk: 91 %\n")
    (scripts / "disk.sh").chmod(0o600)

    run = ran(
        any_store, scheduler, JobSpec("Look.", runner=("claude",), script="disk.sh")
    )

    assert run.state == "succeeded"
    assert claude.seen["stdin"].startswith("## Script output\n")
    assert "disk: 91 %" in claude.seen["stdin"]


def test_a_script_with_nothing_to_say_wakes_no_agent(
    any_store: Store, scheduler: Scheduler, claude: FakeAgent, scripts: Path
) -> None:
    (scripts / "disk.sh").write_text("")
    (scripts / "disk.sh").chmod(0o600)

    run = ran(
        any_store, scheduler, JobSpec("Look.", runner=("claude",), script="disk.sh")
    )

    assert (run.state, run.end_reason) == ("succeeded", "its script had nothing to say")
    assert not claude.has_run


def test_where_no_scripts_are_run_a_job_with_one_is_blocked(
    store: Store, claude: FakeAgent
) -> None:
    with Scheduler(store, {"command": CommandRunner(claude.environment)}) as scheduler:
        run = ran(store, scheduler, JobSpec("x", runner=("claude",), script="disk.sh"))

    assert (run.state, run.end_reason) == ("blocked", "no scripts are run here")
    assert not claude.has_run


def claimed(store: Store) -> tuple[Claimed, Shop]:
    job = create_job(store, JobSpec("x", "daily 09:00", zone="UTC"))
    trigger_job(store, job.uid)
    [run] = claim(store, "somebody", limit=1, now_us=system_clock())

    def write(part: Callable[[Store], None]) -> None:
        with store.transaction():
            part(store)

    def prepare(_: Claimed) -> None:
        raise AssertionError

    return run, Shop(write, system_clock, {}, prepare, lambda _: False)  # type: ignore[arg-type]


def test_what_was_said_so_far_is_there_should_it_be_killed(any_store: Store) -> None:
    run, shop = claimed(any_store)
    work = Work(run, shop)
    work.say("I began.\n")
    work.note_output()

    kept = find_output(any_store, run.run_id)

    assert kept == ("I began.\n", 9, 0)


def test_a_run_that_is_not_ours_any_more_is_left_alone(store: Store) -> None:
    run, shop = claimed(store)
    work = Work(run._replace(owner="who was thought dead"), shop)
    work.say("I am back.\n")
    work.note_output()

    assert find_output(store, run.run_id) is None
