"""Whatever happens in which order: no time fires twice, and every run has one end."""
# ruff: noqa: D102 - the rules of a state machine are named for what they do

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
)

from oldhand.cron.claims import Finish, LeaseLost, beat, begin, claim, finish, give_back
from oldhand.cron.fire import fire_due, reckon_anew
from oldhand.cron.jobs import list_jobs, pause_job, resume_job, trigger_job
from oldhand.cron.lost import Watcher, give_up, seize
from oldhand.cron.model import Claimed
from oldhand.errors import Conflict
from oldhand.ledger.model import END_STATES, RunEnd
from oldhand.ledger.waiting import Begun
from oldhand.store import Query, Store, open_database
from oldhand.testing import FakeClock

from .acting import MINUTE, made

LEASE = 30
_ROWS = Query(
    "rows",
    """SELECT w.job_id, w.due_us, w.cause, w.owner, w.ready_at_us, r.state, r.ended_at_us,
        w.run_id, w.is_alone FROM job_runs w JOIN runs r ON r.id = w.run_id""",
    "",
)


class Schedulers(RuleBasedStateMachine):
    """Three schedulers, step by step; any of them may be silent for any time."""

    runs = Bundle("runs")

    def __init__(self) -> None:
        super().__init__()
        self.clock = FakeClock()
        self.store: Store = open_database(":memory:")
        self.steady = 0.0
        self.watcher = Watcher(lease_us=LEASE * 1_000_000, steady=lambda: self.steady)
        self.began: dict[int, int] = {}
        self.finished: set[int] = set()
        self.ended: dict[int, str] = {}

    @initialize()
    def jobs(self) -> None:
        kinds: list[dict[str, Any]] = [
            {"on_overlap": "skip"},
            {"on_overlap": "queue", "on_misfire": "all", "repeat": 9},
            {"on_overlap": "allow", "side_effects": False, "retries": 2},
        ]
        for number, kind in enumerate(kinds):
            made(self.store, self.clock, prompt=f"job {number}", **kind)

    @rule(minutes=st.sampled_from([1, 1, 1, 3, 200, -1, -5, -200]))
    def set_clock(self, minutes: int) -> None:
        self.clock.advance(minutes * MINUTE)
        if minutes < 0:
            reckon_anew(self.store, now_us=self.clock())

    @rule()
    def fire(self) -> None:
        while fire_due(self.store, now_us=self.clock()):
            pass

    @rule(number=st.integers(0, 2))
    def trigger(self, number: int) -> None:
        job = sorted(list_jobs(self.store), key=lambda each: each.name)[number]
        trigger_job(self.store, job.uid, clock=self.clock)

    @rule(number=st.integers(0, 2))
    def pause_or_resume(self, number: int) -> None:
        job = sorted(list_jobs(self.store), key=lambda each: each.name)[number]
        if job.state == "scheduled":
            pause_job(self.store, job.uid, clock=self.clock)
        elif job.state == "paused":
            resume_job(self.store, job.uid, clock=self.clock)

    @rule(target=runs, owner=st.sampled_from("abc"))
    def take(self, owner: str) -> Claimed | None:
        taken = claim(self.store, owner, limit=1, now_us=self.clock())
        return taken[0] if taken else None

    @rule(run=runs)
    def begin(self, run: Claimed | None) -> None:
        if run is None or run.run_id in self.began:
            return
        try:
            begin(self.store, run, Begun(self.clock()), notes=())
        except (LeaseLost, Conflict):
            return
        self.began[run.run_id] = self.began.get(run.run_id, 0) + 1

    @rule(run=runs, success=st.booleans())
    def finish(self, run: Claimed | None, *, success: bool) -> None:
        if run is None or run.run_id not in self.began:
            return
        done = Finish(RunEnd(success=success, end_reason="so"))
        try:
            finish(self.store, run, done, now_us=self.clock())
        except LeaseLost:
            return
        assert run.run_id not in self.finished, "a run ended twice"
        self.finished.add(run.run_id)

    @rule(run=runs)
    def leave(self, run: Claimed | None) -> None:
        if run is None or run.run_id in self.began:
            return
        try:
            give_back(self.store, run, now_us=self.clock())
        except (LeaseLost, Conflict):
            return

    @rule(run=runs)
    def beat(self, run: Claimed | None) -> None:
        if run is not None:
            beat(self.store, run.owner, [run.run_id], now_us=self.clock())

    @rule(seconds=st.sampled_from([5, 10, 40, 3_600]), times=st.integers(1, 5))
    def watch(self, seconds: int, times: int) -> None:
        for _ in range(times):
            self.steady += seconds
            for seen in self.watcher.look(self.store):
                with self.store.transaction():
                    taken = seize(self.store, seen, by="watcher")
                    if taken is not None:
                        give_up(self.store, taken, by="watcher", now_us=self.clock())

    @invariant()
    def no_time_fires_twice(self) -> None:
        rows = self.store.query_all(_ROWS)
        fired = [(row[0], row[1]) for row in rows if row[2] == "schedule"]

        assert len(fired) == len(set(fired))

    @invariant()
    def a_run_waits_or_is_somebodys_or_is_over(self) -> None:
        for _, _, _, owner, ready, state, ended, _, _ in self.store.query_all(_ROWS):
            stands = (ready is not None, owner is not None, ended is not None)

            assert sum(stands) == 1
            assert (state == "due") is stands[0]
            assert (state in {"claimed", "running"}) is stands[1]
            assert (state in END_STATES) is stands[2]

    @invariant()
    def what_goes_one_by_one_is_somebodys_once(self) -> None:
        rows = self.store.query_all(_ROWS)
        alone = [row[0] for row in rows if row[8] and row[3] is not None]

        assert len(alone) == len(set(alone))

    @invariant()
    def what_is_over_stays_as_it_ended(self) -> None:
        for row in self.store.query_all(_ROWS):
            if row[5] in END_STATES:
                assert self.ended.setdefault(row[7], row[5]) == row[5]

    @invariant()
    def nothing_begins_twice(self) -> None:
        assert all(times == 1 for times in self.began.values())

    def teardown(self) -> None:
        self.store.close()


TestSchedulers = Schedulers.TestCase
TestSchedulers.settings = settings(
    max_examples=25,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
