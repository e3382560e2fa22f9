"""What people hear of a run: its answer, its failures once, that it works again, what was missed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from oldhand.cron.deliver import is_silent, put_missed, put_result, without_mark
from oldhand.cron.jobs import find_job
from oldhand.cron.model import Claimed, Job
from oldhand.cron.runs import find_job_run
from oldhand.cron.scheduler import Scheduler
from oldhand.ledger.model import RunEnd, RunState
from oldhand.notices import Channels, Message, deliver_due, pending
from oldhand.store import Store
from oldhand.testing import FakeClock

from .acting import DAY, HOUR, MINUTE, Raises, Says, fire, made, runs_of

WELL = RunEnd(success=True)


@pytest.fixture
def job(any_store: Store, clock: FakeClock) -> Job:
    return made(any_store, clock, prompt="Look", deliver=("telegram",))


def failed(reason: str = "exit code 3", state: RunState = "failed") -> RunEnd:
    return RunEnd(state=state, success=False, end_reason=reason)


class Telling:
    """Ends runs of a job, and reads what was put of them."""

    def __init__(self, store: Store, job: Job, clock: FakeClock) -> None:
        self.store, self.job, self.clock = store, job, clock
        self.runs = iter(range(1_000_000, 2_000_000))

    def end(self, end: RunEnd, answer: str = "", **more: Any) -> str:
        """Say what became of telling it."""
        run = Claimed(next(self.runs), self.job, self.clock(), "schedule", 1, "me")
        with self.store.transaction():
            return put_result(self.store, run, end, answer, now_us=self.clock(), **more)

    @property
    def told(self) -> list[Message]:
        """All messages that wait, oldest first."""
        return [each.message for each in pending(self.store, limit=1_000)]


@pytest.fixture
def telling(any_store: Store, job: Job, clock: FakeClock) -> Telling:
    return Telling(any_store, job, clock)


def test_an_answer_goes_to_the_channels_of_its_job_with_the_way_to_the_run(
    telling: Telling,
) -> None:
    link = "http://localhost:6060/jobs/runs/1000000"

    assert telling.end(WELL, "3 errors\nin 2 files\n", link=link) == "put"
    [message] = telling.told
    assert message == Message(
        "Look: succeeded", {}, link, key="run:1000000", body="3 errors\nin 2 files",
        to=("telegram",),
    )  # fmt: skip


def test_what_nobody_wants_to_hear_is_not_put(
    any_store: Store, clock: FakeClock
) -> None:
    local = made(any_store, clock, prompt="quiet")
    telling = Telling(any_store, local, clock)

    assert telling.end(WELL, "done") == "none"
    assert telling.end(failed()) == "none"
    assert telling.told == []


def test_an_agent_can_keep_silent(telling: Telling) -> None:
    assert telling.end(WELL, "All is well.\n[SILENT]") == "silent"
    assert telling.told == []


def test_a_failure_is_told_though_the_agent_kept_silent(telling: Telling) -> None:
    assert telling.end(failed(), "half done\n[SILENT]") == "put"
    [message] = telling.told
    assert message.facts == {"Why": "exit code 3"}
    assert message.body == "half done"


@pytest.mark.parametrize("state", ["failed", "blocked", "lost"])
def test_the_same_failure_again_is_told_after_a_day_then_seldomer(
    telling: Telling, clock: FakeClock, state: RunState
) -> None:
    told_at = []
    for hour in range(24 * 30):
        if telling.end(failed(f"exit code {hour}", state)) == "put":
            told_at.append(hour // 24)
        clock.advance(HOUR)

    assert told_at == [0, 1, 3, 7, 14, 21, 28]
    assert telling.told[1].facts["Failing since"] == (
        "Thu 2026-01-01 00:00 UTC (+00:00), 25 times"
    )


def test_another_failure_is_told_at_once(telling: Telling) -> None:
    ends = [failed("disk full"), failed("disk full"), failed("no such model")]

    assert [telling.end(end) for end in ends] == ["put", "repeat", "put"]


def test_that_it_works_again_is_told_once_even_where_there_is_nothing_to_say(
    telling: Telling, clock: FakeClock
) -> None:
    for _ in range(3):
        telling.end(failed())
        clock.advance(HOUR)
    first, second = (telling.end(WELL, "ok\n[SILENT]") for _ in range(2))

    assert (first, second) == ("put", "silent")
    assert telling.told[-1].subject == "Look: works again"
    assert telling.told[-1].body == "ok"
    since = "Thu 2026-01-01 00:00 UTC (+00:00)"
    assert telling.told[-1].facts == {"After": f"3 failures since {since}"}


def test_after_it_worked_a_failure_is_news_again(telling: Telling) -> None:
    ends = [failed(), WELL, failed(), failed()]

    assert [telling.end(end) for end in ends] == ["put", "put", "put", "repeat"]


def test_an_end_of_which_nothing_is_known_is_no_recovery(telling: Telling) -> None:
    telling.end(failed())
    unknown = telling.end(RunEnd(end_reason="no result was said"), "…")

    assert unknown == "put"
    assert telling.told[-1].subject == "Look: ended"
    assert telling.end(failed()) == "repeat"


def test_a_clock_set_back_does_not_silence_a_failure_for_years(
    telling: Telling, clock: FakeClock
) -> None:
    telling.end(failed())
    clock.advance(-400 * DAY)
    again = telling.end(failed())
    clock.advance(DAY)

    assert (again, telling.end(failed())) == ("repeat", "put")


def test_troubles_are_no_change_of_the_job(
    any_store: Store, telling: Telling, job: Job
) -> None:
    telling.end(failed())

    assert find_job(any_store, job.uid).rev == job.rev


def test_an_answer_is_put_redacted(telling: Telling) -> None:
    telling.end(WELL, "key sk-ant-api03-" + "aB3" * 30)

    assert "aB3aB3" not in telling.told[0].body


def test_what_was_undone_was_not_told(any_store: Store, telling: Telling) -> None:
    def undone() -> None:
        with any_store.transaction():
            telling.end(failed())
            raise RuntimeError

    with pytest.raises(RuntimeError):
        undone()

    assert telling.told == []
    assert telling.end(failed()) == "put"


def test_a_job_that_nobody_was_there_for_is_told_once_for_all_its_firings(
    any_store: Store, clock: FakeClock
) -> None:
    hourly = {"schedule": "every 1h", "on_misfire": "skip"}
    job = made(any_store, clock, prompt="Look", deliver=("all",), **hourly)
    fire(any_store, clock() + 3 * HOUR + 30 * MINUTE)

    [waiting] = pending(any_store)
    run = runs_of(any_store, job)[-1]
    assert waiting.message.facts == {
        "Was due": "Thu 2026-01-01 03:00 UTC (+00:00)",
        "Why": "nobody was there for 1800 s, and it is not made up",
    }
    assert run.state == "missed"
    assert waiting.message.subject == "Look: missed"
    assert waiting.message.key == f"run:{run.id}"
    assert waiting.message.to == ("all",)
    assert find_job_run(any_store, run.id).delivery.state == "waiting"


def test_what_a_later_run_stands_for_is_not_told(
    any_store: Store, clock: FakeClock
) -> None:
    made(any_store, clock, prompt="Look", deliver=("all",), on_misfire="once")
    fire(any_store, clock() + 3 * HOUR)

    assert pending(any_store) == []


def test_many_jobs_that_were_missed_are_one_message_for_each_who_is_told(
    any_store: Store, clock: FakeClock
) -> None:
    hourly = {"schedule": "every 1h", "on_misfire": "skip"}
    for number in range(30):
        to = ("all",) if number % 3 else ("telegram",)
        made(any_store, clock, prompt=f"job {number}", deliver=to, **hourly)
    made(any_store, clock, prompt="quiet", **hourly)
    fire(any_store, clock() + 3 * HOUR + 30 * MINUTE)

    said = sorted(each.message.subject for each in pending(any_store))
    assert said == ["10 jobs missed", "20 jobs missed"]


def test_nothing_is_told_of_a_row_that_is_not_there(
    store: Store, clock: FakeClock
) -> None:
    put_missed(store, [], now_us=clock())

    assert pending(store) == []


@pytest.fixture
def scheduler_of(store: Store) -> Iterator[Any]:
    made_here: list[Scheduler] = []

    def make(runner: Any, **more: Any) -> Scheduler:
        made_here.append(Scheduler(store, {"command": runner}, **more))
        return made_here[-1]

    yield make
    for each in made_here:
        each.close()


def test_a_run_is_told_with_its_page_and_how_that_went_stands_with_it(
    store: Store, clock: FakeClock, scheduler_of: Any
) -> None:
    job = made(store, clock, prompt="Look", deliver=("log",))
    scheduler = scheduler_of(
        Says(), clock=clock, page_of=lambda run: f"http://localhost:6060/runs/{run}"
    )
    scheduler.tick(clock() + MINUTE)
    scheduler.join()
    [run] = runs_of(store, job)
    before = find_job_run(store, run.id).delivery
    deliver_due(store, Channels(), clock=clock)
    after = find_job_run(store, run.id).delivery

    assert before.state == "waiting"
    assert (after.state, after.sent_to) == ("sent", ("log",))


def test_a_failure_of_the_runner_is_told_with_its_words(
    store: Store, clock: FakeClock, scheduler_of: Any
) -> None:
    made(store, clock, prompt="Look", deliver=("log",))
    scheduler = scheduler_of(Raises(RuntimeError("no such model")), clock=clock)
    scheduler.tick(clock() + MINUTE)
    scheduler.join()

    [waiting] = pending(store)
    assert waiting.message.facts == {"Why": "RuntimeError: no such model"}


@pytest.mark.parametrize(
    ("answer", "silent", "rest"),
    [
        ("[SILENT]", True, ""),
        ("NO_REPLY", True, ""),
        ("  All well. \n\n [SILENT] \n\n", True, "All well."),
        ("[SILENT] All well.", False, "[SILENT] All well."),
        ("All well. [SILENT]", False, "All well. [SILENT]"),
        ("[silent]", False, "[silent]"),
        ("", False, ""),
    ],
)
def test_only_a_line_of_its_own_at_the_end_keeps_silent(
    answer: str, silent: bool, rest: str
) -> None:
    assert (is_silent(answer), without_mark(answer)) == (silent, rest)
