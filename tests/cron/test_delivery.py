"""What became of a message about a run, and sending it again without running anything."""

from __future__ import annotations

from typing import Any

import pytest

from oldhand.cron.deliver import put_result
from oldhand.cron.delivery import delivery_from, redeliver
from oldhand.cron.jobs import edit_job
from oldhand.cron.model import Claimed, Job
from oldhand.cron.runs import find_job_run
from oldhand.errors import Conflict, NotFound
from oldhand.ledger.model import RunEnd
from oldhand.notices import Channels, Message, deliver_due, pending, prune
from oldhand.notices.channels import NotSent
from oldhand.store import Queries, Store
from oldhand.testing import FakeClock

from .acting import DAY, MINUTE, fire, made, runs_of


class Scripted:
    """A channel that takes what it takes."""

    def __init__(self, name: str, *, is_down: bool = False) -> None:
        self.name = name
        self.is_down = is_down
        self.texts: list[str] = []

    def send(self, message: Message) -> None:
        """Keep it, or refuse."""
        if self.is_down:
            raise NotSent("403 bot was kicked")
        self.texts.append(message.text(4_096))


class Told:
    """A run of a job, that was put into the outbox."""

    def __init__(self, store: Store, clock: FakeClock, **fields: Any) -> None:
        self.store, self.clock = store, clock
        self.job: Job = made(store, clock, prompt="Look", **fields)
        fire(store, clock() + MINUTE)
        self.run_id = runs_of(store, self.job)[0].id
        run = Claimed(self.run_id, self.job, clock(), "schedule", 1, "me")
        end = RunEnd(success=True)
        self.said = put_result(store, run, end, "all of it", now_us=clock())
        row = {"run_id": self.run_id, "delivery": self.said}
        store.execute(Queries("oldhand.cron")["set_delivery"], row)

    @property
    def delivery(self) -> tuple[str, str, tuple[str, ...]]:
        """Of the run."""
        return tuple(find_job_run(self.store, self.run_id).delivery)  # type: ignore[return-value]

    def deliver(self, *channels: Scripted) -> None:
        """Try once."""
        deliver_due(self.store, Channels(channels), clock=self.clock)


def test_it_waits_then_is_sent(any_store: Store, clock: FakeClock) -> None:
    told = Told(any_store, clock, deliver=("telegram",))
    before = told.delivery
    told.deliver(Scripted("telegram"))

    assert before == ("waiting", "", ())
    assert told.delivery == ("sent", "", ("telegram",))


def test_one_that_no_channel_took_has_failed_and_is_sent_again_with_its_text(
    any_store: Store, clock: FakeClock
) -> None:
    told = Told(any_store, clock, deliver=("telegram", "discord"))
    good = Scripted("discord")
    told.deliver(Scripted("telegram", is_down=True), good)
    tried = told.delivery
    clock.advance(2 * DAY)
    told.deliver(Scripted("telegram", is_down=True), good)
    failed = told.delivery
    to = redeliver(any_store, told.run_id, clock=clock)
    waiting = told.delivery
    works = Scripted("telegram")
    told.deliver(works, good)

    fault = "telegram: 403 bot was kicked"
    assert tried == ("waiting", fault, ("discord",))
    assert failed == ("failed", fault, ("discord",))
    assert (to, waiting[0]) == (("telegram", "discord"), "waiting")
    assert works.texts == ["Look: succeeded\n| all of it"]
    assert len(good.texts) == 1
    assert told.delivery[0] == "sent"


def test_it_goes_to_where_the_job_says_by_now(
    any_store: Store, clock: FakeClock
) -> None:
    told = Told(any_store, clock, deliver=("slack",))
    clock.advance(2 * DAY)
    told.deliver(Scripted("telegram"))
    edit_job(any_store, told.job.uid, {"deliver": ["telegram"]}, clock=clock)
    redeliver(any_store, told.run_id, clock=clock)
    works = Scripted("telegram")
    told.deliver(works)

    assert works.texts == ["Look: succeeded\n| all of it"]


def test_what_was_delivered_is_not_delivered_twice(
    any_store: Store, clock: FakeClock
) -> None:
    told = Told(any_store, clock, deliver=("telegram",))
    told.deliver(Scripted("telegram"))

    with pytest.raises(Conflict, match="it was delivered to telegram"):
        redeliver(any_store, told.run_id, clock=clock)


def test_a_run_without_a_message_says_so(any_store: Store, clock: FakeClock) -> None:
    told = Told(any_store, clock)

    assert told.delivery == ("none", "", ())
    with pytest.raises(NotFound, match="there is no message of it"):
        redeliver(any_store, told.run_id, clock=clock)
    with pytest.raises(NotFound, match="no such run"):
        redeliver(any_store, 4_711, clock=clock)


def test_a_job_that_wants_nothing_any_more_is_asked_first(
    any_store: Store, clock: FakeClock
) -> None:
    told = Told(any_store, clock, deliver=("slack",))
    edit_job(any_store, told.job.uid, {"deliver": ["local"]}, clock=clock)

    with pytest.raises(Conflict, match="wants nothing delivered"):
        redeliver(any_store, told.run_id, clock=clock)


def test_after_a_week_it_is_forgotten(any_store: Store, clock: FakeClock) -> None:
    told = Told(any_store, clock, deliver=("telegram",))
    told.deliver(Scripted("telegram"))
    clock.advance(8 * DAY)
    prune(any_store, clock=clock)

    assert told.delivery == ("forgotten", "", ())
    assert pending(any_store) == []


@pytest.mark.parametrize("state", ["none", "silent", "repeat"])
def test_states_without_a_message(state: str) -> None:
    assert delivery_from(state, None, None, None) == (state, "", ())
