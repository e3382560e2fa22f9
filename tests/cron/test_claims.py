"""Runs are taken up once, kept by signs of life, and let go by whoever has them alone."""

from __future__ import annotations

import pytest

from oldhand.cron.claims import (
    Beginning,
    Finish,
    LeaseLost,
    begin,
    begin_all,
    claim,
    find_cancels,
    finish,
    give_back,
)
from oldhand.cron.lost import Abandoned, Watcher, give_up, seize
from oldhand.cron.model import Claimed, Job
from oldhand.errors import Conflict
from oldhand.ledger.model import RunEnd
from oldhand.ledger.waiting import Begun
from oldhand.store import Queries, Row, Store
from oldhand.testing import FakeClock

from .acting import HOUR, MINUTE, change, fire, made, runs_of, states_of


@pytest.fixture
def job(any_store: Store, clock: FakeClock) -> Job:
    """A job that fired once, an hour ago."""
    made_job = made(any_store, clock, prompt="claimed", on_overlap="queue")
    fire(any_store, clock() + MINUTE)
    clock.advance(HOUR)
    return made_job


@pytest.fixture
def run(any_store: Store, clock: FakeClock, job: Job) -> Claimed:
    """Its run, taken up by `me`."""
    [taken] = claim(any_store, "me", limit=9, now_us=clock())
    return taken


def seized(store: Store, *, by: str = "you") -> Abandoned:
    """Take the one run that is under way from its scheduler."""
    watcher = Watcher()
    watcher.look(store)
    [seen] = [Abandoned(*row) for row in under_way(store)]
    taken = seize(store, seen, by=by)
    assert taken is not None
    return taken


def under_way(store: Store) -> list[Row]:
    return store.query_all(Queries("oldhand.cron")["runs_under_way"])


def test_a_run_is_taken_up_once(
    any_store: Store, clock: FakeClock, job: Job, run: Claimed
) -> None:
    assert claim(any_store, "you", limit=9, now_us=clock()) == []
    assert states_of(any_store, job) == ["claimed"]
    assert run.job.uid == job.uid


def test_no_more_are_taken_up_than_there_are_places(
    any_store: Store, clock: FakeClock
) -> None:
    for number in range(5):
        made(any_store, clock, prompt=f"job {number}")
    fire(any_store, clock() + MINUTE)

    taken = claim(any_store, "me", limit=3, now_us=clock() + MINUTE)

    assert [run.job.name for run in taken] == ["job 0", "job 1", "job 2"]


def test_what_is_not_ready_yet_is_not_taken_up(
    any_store: Store, clock: FakeClock, job: Job
) -> None:
    assert claim(any_store, "me", limit=9, now_us=clock() - 2 * HOUR) == []


def test_a_run_is_on_record_as_running_from_its_begin_to_its_end(
    any_store: Store, clock: FakeClock, job: Job, run: Claimed
) -> None:
    begin(any_store, run, Begun(clock()), notes=["told so"])
    assert states_of(any_store, job) == ["running"]

    finish(any_store, run, Finish(RunEnd(success=True)), now_us=clock() + MINUTE)

    [over] = runs_of(any_store, job)
    assert (over.state, over.duration_us) == ("succeeded", MINUTE)
    assert under_way(any_store) == []


@pytest.mark.parametrize("step", ["begin", "finish", "give back"])
def test_who_lost_a_run_writes_nothing_of_it(
    any_store: Store, clock: FakeClock, job: Job, run: Claimed, step: str
) -> None:
    seized(any_store)

    steps = {
        "begin": lambda: begin(any_store, run, Begun(clock()), notes=()),
        "finish": lambda: finish(
            any_store, run, Finish(RunEnd(success=True)), now_us=clock()
        ),
        "give back": lambda: give_back(any_store, run, now_us=clock()),
    }
    with pytest.raises(LeaseLost):
        steps[step]()

    assert states_of(any_store, job) == ["claimed"]
    assert find_cancels(any_store, "you") == {run.run_id: ""}


def test_what_was_taken_up_and_did_not_begin_can_be_given_back(
    any_store: Store, clock: FakeClock, job: Job, run: Claimed
) -> None:
    give_back(any_store, run, now_us=clock())

    assert states_of(any_store, job) == ["due"]
    [again] = claim(any_store, "you", limit=1, now_us=clock())
    assert again.run_id == run.run_id


def test_a_run_whose_job_cannot_be_read_is_blocked_and_stops_no_other(
    any_store: Store, clock: FakeClock
) -> None:
    bad = made(any_store, clock, prompt="bad")
    good = made(any_store, clock, prompt="good")
    fire(any_store, clock() + MINUTE)
    change(any_store, "UPDATE jobs SET spec = 'no' WHERE name = 'bad'")

    taken = claim(any_store, "me", limit=9, now_us=clock() + MINUTE)

    assert [run.job.uid for run in taken] == [good.uid]
    [blocked] = runs_of(any_store, bad)
    assert blocked.state == "blocked"
    assert blocked.end_reason is not None
    assert blocked.end_reason.startswith("its job cannot be read")
    assert claim(any_store, "me", limit=9, now_us=clock() + HOUR) == []


def test_what_had_begun_is_lost_when_it_is_given_up(
    any_store: Store, clock: FakeClock, job: Job, run: Claimed
) -> None:
    begin(any_store, run, Begun(clock()), notes=())

    lost = give_up(any_store, seized(any_store), by="you", now_us=clock() + HOUR)

    assert lost is not None
    [over] = runs_of(any_store, job)
    assert (over.state, over.success) == ("lost", None)
    assert over.end_reason is not None
    assert "what it did until then is not known" in over.end_reason
    assert claim(any_store, "you", limit=9, now_us=clock() + 9 * HOUR) == []


def test_what_had_not_begun_waits_again_when_it_is_given_up(
    any_store: Store, clock: FakeClock, job: Job, run: Claimed
) -> None:
    lost = give_up(any_store, seized(any_store), by="you", now_us=clock())

    assert lost is None
    assert states_of(any_store, job) == ["due"]
    assert len(claim(any_store, "you", limit=9, now_us=clock())) == 1


def test_only_what_has_no_side_effects_is_tried_again_when_it_was_lost(
    any_store: Store, clock: FakeClock
) -> None:
    job = made(any_store, clock, retries=1, side_effects=False)
    fire(any_store, clock() + MINUTE)
    [run] = claim(any_store, "me", limit=1, now_us=clock() + MINUTE)
    begin(any_store, run, Begun(clock()), notes=())
    give_up(any_store, seized(any_store), by="you", now_us=clock() + HOUR)

    [again] = claim(any_store, "you", limit=9, now_us=clock() + 2 * HOUR)
    begin(any_store, again, Begun(clock()), notes=())
    give_up(any_store, seized(any_store, by="she"), by="she", now_us=clock() + 3 * HOUR)

    assert states_of(any_store, job) == ["lost", "lost"]
    assert (again.cause, again.attempt) == ("retry", 2)


def test_a_run_that_is_over_already_is_only_let_go(
    any_store: Store, clock: FakeClock, job: Job, run: Claimed
) -> None:
    change(
        any_store, "UPDATE runs SET state = 'cancelled', ended_at_us = started_at_us"
    )

    assert give_up(any_store, seized(any_store), by="you", now_us=clock()) is None

    assert states_of(any_store, job) == ["cancelled"]
    assert under_way(any_store) == []


def test_a_run_whose_job_is_damaged_is_lost_all_the_same(
    any_store: Store, clock: FakeClock, job: Job, run: Claimed
) -> None:
    begin(any_store, run, Begun(clock()), notes=())
    change(any_store, "UPDATE jobs SET spec = 'no'")

    assert give_up(any_store, seized(any_store), by="you", now_us=clock()) is None

    assert states_of(any_store) == ["lost"]


def test_a_sign_of_life_or_a_begin_keeps_a_run_from_being_seized(
    any_store: Store, clock: FakeClock, run: Claimed
) -> None:
    [seen] = [Abandoned(*row) for row in under_way(any_store)]
    begin(any_store, run, Begun(clock()), notes=())

    assert seize(any_store, seen, by="you") is None


def test_two_who_give_up_the_same_run_do_it_once(
    any_store: Store, clock: FakeClock, run: Claimed
) -> None:
    begin(any_store, run, Begun(clock()), notes=())
    [seen] = [Abandoned(*row) for row in under_way(any_store)]
    first = seize(any_store, seen, by="you")
    second = seize(any_store, seen, by="she")

    assert first is not None
    assert second is None
    with pytest.raises(Conflict):
        give_up(any_store, first, by="she", now_us=clock())


def test_of_runs_that_begin_together_only_those_that_are_ours_do(
    any_store: Store, clock: FakeClock
) -> None:
    for number in range(3):
        made(any_store, clock, prompt=f"job {number}")
    fire(any_store, clock() + MINUTE)
    one, two, three = claim(any_store, "me", limit=9, now_us=clock() + MINUTE)
    seen = next(Abandoned(*row) for row in under_way(any_store) if row[0] == two.run_id)
    seize(any_store, seen, by="you")
    began = [
        Beginning.of(run.run_id, Begun(clock()), ["told"]) for run in (one, two, three)
    ]

    begun = begin_all(any_store, "me", began)

    assert begun == {one.run_id, three.run_id}
    assert states_of(any_store) == ["running", "claimed", "running"]
    assert begin_all(any_store, "me", began) == frozenset()
