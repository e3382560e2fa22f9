"""Runs of jobs, read back, cancelled, and whether anybody would start them."""

from __future__ import annotations

import os

import pytest

from oldhand.clock import system_clock
from oldhand.cron.cancel import cancel_run
from oldhand.cron.claims import claim
from oldhand.cron.jobs import create_job, remove_job, trigger_job
from oldhand.cron.liveness import find_liveness, note_tick
from oldhand.cron.model import Job, JobSpec
from oldhand.cron.owners import new_owner
from oldhand.cron.processes import Process, process_of
from oldhand.cron.runs import find_job_run, last_runs, list_job_runs
from oldhand.errors import Conflict, InvalidInput, NotFound
from oldhand.store import Queries, Store

_SQL = Queries("oldhand.cron")


@pytest.fixture
def job(any_store: Store) -> Job:
    return create_job(any_store, JobSpec("Look", "daily 09:00", zone="UTC"))


def take(store: Store, run_id: int, owner: str = "somebody {}") -> None:
    """Claim a run, as a scheduler does."""
    taken = claim(store, owner, limit=10, now_us=system_clock() + 1_000_000)
    assert run_id in [run.run_id for run in taken]


def test_runs_are_listed_newest_first_and_by_job_and_state(
    any_store: Store, job: Job
) -> None:
    other = create_job(any_store, JobSpec("Other", "daily 09:00", zone="UTC"))
    first = trigger_job(any_store, job.uid)
    second = trigger_job(any_store, other.uid)
    cancel_run(any_store, first, reason="not now")

    everything = list_job_runs(any_store)
    of_job = list_job_runs(any_store, job="Look")
    due = list_job_runs(any_store, state="due")

    assert [found.run.id for found in everything] == [second, first]
    assert [found.run.id for found in of_job] == [first]
    assert [found.run.id for found in due] == [second]
    assert of_job[0].run.end_reason == "not now"
    assert (of_job[0].job_name, of_job[0].cause) == ("Look", "trigger")


def test_runs_of_a_removed_job_are_found_by_its_name(
    any_store: Store, job: Job
) -> None:
    run_id = trigger_job(any_store, job.uid)
    remove_job(any_store, job.uid)

    found = list_job_runs(any_store, job="Look")

    assert [each.run.id for each in found] == [run_id]
    with pytest.raises(NotFound, match="nobody"):
        list_job_runs(any_store, job="nobody")


def test_a_run_that_is_none_of_a_job_is_not_found(any_store: Store, job: Job) -> None:
    run_id = trigger_job(any_store, job.uid)

    for number in (run_id + 1, 0, -1, 1 << 70):
        with pytest.raises(NotFound, match=f"run {number}:"):
            find_job_run(any_store, number)
        with pytest.raises(NotFound, match=f"run {number}:"):
            cancel_run(any_store, number)


def test_the_newest_run_of_each_job_is_known(any_store: Store, job: Job) -> None:
    create_job(any_store, JobSpec("Never ran", "daily 09:00", zone="UTC"))
    cancel_run(any_store, trigger_job(any_store, job.uid))
    trigger_job(any_store, job.uid)

    last = last_runs(any_store)

    assert {uid: each.state for uid, each in last.items()} == {job.uid: "due"}


def test_a_run_that_waits_is_cancelled_at_once(any_store: Store, job: Job) -> None:
    run_id = trigger_job(any_store, job.uid)

    found = cancel_run(any_store, run_id)

    assert (found.run.state, found.is_over) == ("cancelled", True)
    assert found.run.ended_at_us is not None
    with pytest.raises(Conflict, match="it is over: cancelled"):
        cancel_run(any_store, run_id)


def test_a_run_that_goes_on_is_asked_to_end(any_store: Store, job: Job) -> None:
    run_id = trigger_job(any_store, job.uid)
    take(any_store, run_id)

    found = cancel_run(any_store, run_id, reason="too dear")
    again = cancel_run(any_store, run_id, reason="other words")

    assert (found.run.state, found.is_over) == ("claimed", False)
    assert (found.cancel_reason, again.cancel_reason) == ("too dear", "too dear")


def test_a_reason_of_several_lines_is_refused(any_store: Store, job: Job) -> None:
    run_id = trigger_job(any_store, job.uid)

    with pytest.raises(InvalidInput, match="one line"):
        cancel_run(any_store, run_id, reason="a\nb")


def note_pass(store: Store, owner: str, *, ago_us: int) -> None:
    row = {"owner": owner, "place": "here", "now": system_clock() - ago_us}
    store.execute(_SQL["note_pass"], row)


def test_where_nobody_ever_looked_nobody_runs(any_store: Store) -> None:
    found = find_liveness(any_store)

    assert (found.is_running, found.last_pass_us, found.place) == (False, None, "")


def test_a_scheduler_that_looked_just_now_runs(any_store: Store) -> None:
    note_pass(any_store, new_owner(), ago_us=5_000_000)
    note_tick(any_store, "elsewhere")

    found = find_liveness(any_store)

    assert (found.is_running, found.is_tick, found.place) == (True, False, "here")


def test_a_scheduler_that_looked_minutes_ago_does_not_run(any_store: Store) -> None:
    note_pass(any_store, new_owner(), ago_us=180_000_000)

    found = find_liveness(any_store)

    assert not found.is_running
    assert found.seconds_ago == pytest.approx(180, abs=10)


def test_a_scheduler_whose_process_has_ended_does_not_run(any_store: Store) -> None:
    this = process_of(os.getpid())
    ended = Process(this.machine, this.pid, "long ago")
    note_pass(any_store, f"name {ended.to_json()}", ago_us=0)

    assert not find_liveness(any_store).is_running


def test_a_pass_of_a_systems_cron_counts_for_a_while(any_store: Store) -> None:
    note_tick(any_store, "here")

    found = find_liveness(any_store)

    assert (found.is_running, found.is_tick, found.place) == (True, True, "here")
