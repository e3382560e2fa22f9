"""When a message is tried: later and later, not before its time, whatever the clock does."""

from __future__ import annotations

import logging

import pytest

from oldhand.errors import InvalidInput
from oldhand.notices import (
    Channels,
    Delivered,
    Message,
    counts,
    deliver_due,
    pending,
    put,
)
from oldhand.notices.channels import NotSent
from oldhand.notices.channels.http_post import JsonPoster
from oldhand.notices.channels.rest import Rest
from oldhand.notices.channels.telegram import Telegram
from oldhand.store import Store
from oldhand.testing import FakeClock

from .scripted import Broken, Scripted, chain
from .services import Reply, Service

SECOND = 1_000_000
HOUR = 3_600 * SECOND
DAY = 24 * HOUR
TOKEN = "123456789:AAF-" + "aBcd3fgh" * 4


def most() -> float:
    return 1 - 2**-53


def test_waits_double_from_a_second_to_an_hour(
    any_store: Store, clock: FakeClock
) -> None:
    made = chain(Broken("telegram"), Broken("discord"))
    put(any_store, Message("one"), clock=clock)
    waits = []
    for _ in range(16):
        assert deliver_due(any_store, made.channels, clock=clock, draw=most).postponed
        (waiting,) = pending(any_store)
        waits.append(-(-(waiting.due_at_us - clock()) // SECOND))
        clock.at_us = waiting.due_at_us - 1
        assert deliver_due(any_store, made.channels, clock=clock) == Delivered()
        clock.advance(1)

    assert waits == [*(2**n for n in range(12)), 3600, 3600, 3600, 3600]


def test_waits_are_spread(store: Store, clock: FakeClock) -> None:
    made = chain(Broken("telegram"), Broken("discord"))
    for _ in range(4):
        put(store, Message("one"), clock=clock)
    for _ in range(6):
        deliver_due(store, made.channels, clock=clock)
        clock.advance(HOUR)
    draws = iter([0.0, 0.25, 0.5, 0.75])
    deliver_due(store, made.channels, clock=clock, draw=lambda: next(draws))

    assert [(each.due_at_us - clock()) // SECOND for each in pending(store)] == [
        32,
        40,
        48,
        56,
    ]


def test_after_a_day_it_is_given_up_and_that_is_logged(
    any_store: Store, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    made = chain(Broken("telegram"), Broken("discord"))
    put(any_store, Message("Decide?"), clock=clock)
    began = clock()
    while not (done := deliver_due(any_store, made.channels, clock=clock)).given_up:
        clock.at_us = pending(any_store)[0].due_at_us

    assert done == Delivered(given_up=1)
    assert clock() - began == DAY
    assert "gave up on message 1 'Decide?'" in caplog.text
    assert "telegram: no; discord: no" in caplog.text
    assert caplog.records[-1].levelno == logging.WARNING
    assert counts(any_store).given_up == 1
    assert pending(any_store) == []


def test_a_message_that_waited_for_a_stopped_daemon_is_tried_before_it_is_given_up(
    any_store: Store, clock: FakeClock
) -> None:
    made = chain(Scripted("telegram"), Scripted("discord"))
    put(any_store, Message("one"), clock=clock)
    clock.advance(3 * DAY)

    assert deliver_due(any_store, made.channels, clock=clock) == Delivered(sent=1)


def test_a_service_that_says_when_is_not_asked_before(
    any_store: Store, clock: FakeClock, service: Service
) -> None:
    service.replies.append(
        Reply(429, b'{"ok": false, "parameters": {"retry_after": 90}}')
    )
    put(any_store, Message("one"), clock=clock)
    put(any_store, Message("two"), clock=clock)
    poster = JsonPoster(service.url, rest=Rest(counter=lambda: clock() / SECOND))
    channels = Channels((Telegram(TOKEN, "-100", poster=poster),), log=Scripted("log"))
    first = deliver_due(any_store, channels, clock=clock)
    asked = len(service.received)
    clock.advance(89 * SECOND)
    second = deliver_due(any_store, channels, clock=clock)
    clock.advance(SECOND)
    third = deliver_due(any_store, channels, clock=clock)

    assert (first, asked) == (Delivered(postponed=2), 1)
    assert (second, third) == (Delivered(), Delivered(sent=2))
    assert service.texts() == ["one", "one", "two"]


@pytest.mark.parametrize("fault", [NotSent("down"), InvalidInput("no"), OSError("no")])
def test_with_a_second_channel_nobody_waits_for_the_one_that_asked_for_patience(
    any_store: Store, clock: FakeClock, fault: Exception
) -> None:
    made = chain(
        Scripted("telegram", NotSent("429", retry_after=9000)),
        Scripted("discord", fault),
    )
    put(any_store, Message("one"), clock=clock)
    deliver_due(any_store, made.channels, clock=clock)

    assert pending(any_store)[0].due_at_us - clock() == SECOND


def test_a_message_is_not_sent_before_it_is_due(
    any_store: Store, clock: FakeClock
) -> None:
    put(any_store, Message("later"), clock=clock, due_us=clock() + HOUR)
    early = deliver_due(any_store, Channels(), clock=clock)
    clock.advance(HOUR)

    assert (early.sent, deliver_due(any_store, Channels(), clock=clock).sent) == (0, 1)


def test_a_clock_set_back_neither_holds_up_nor_floods(
    any_store: Store, clock: FakeClock
) -> None:
    made = chain(Broken("telegram"), Broken("discord"))
    put(any_store, Message("one"), clock=clock)
    for _ in range(8):  # the next wait is then at least a minute
        deliver_due(any_store, made.channels, clock=clock, draw=most)
        clock.advance(HOUR)
    deliver_due(any_store, made.channels, clock=clock, draw=most)
    before = pending(any_store)[0].due_at_us - clock()
    clock.advance(-365 * DAY)
    at_once = deliver_due(any_store, made.channels, clock=clock)
    after = pending(any_store)[0].due_at_us - clock()
    clock.advance(after)

    assert at_once == Delivered()
    assert after == before
    assert deliver_due(any_store, made.channels, clock=clock).postponed == 1


def test_a_clock_set_back_does_not_lengthen_the_day_after_which_it_is_given_up(
    any_store: Store, clock: FakeClock
) -> None:
    made = chain(Broken("telegram"), Broken("discord"))
    put(any_store, Message("one"), clock=clock)
    deliver_due(any_store, made.channels, clock=clock)
    clock.advance(-365 * DAY)
    deliver_due(any_store, made.channels, clock=clock)
    clock.advance(DAY)

    assert deliver_due(any_store, made.channels, clock=clock).given_up == 1


def test_a_leap_of_the_clock_sends_once(any_store: Store, clock: FakeClock) -> None:
    made = chain(Scripted("telegram"), Scripted("discord"))
    put(any_store, Message("one"), clock=clock)
    clock.advance(400 * DAY)
    deliver_due(any_store, made.channels, clock=clock)
    clock.advance(-400 * DAY)
    deliver_due(any_store, made.channels, clock=clock)

    assert made.telegram.tried == ["one"]


def test_one_call_tries_each_message_once_however_long_that_takes(
    any_store: Store, clock: FakeClock
) -> None:
    class Slow(Broken):
        def send(self, message: Message) -> None:
            clock.advance(20 * SECOND)
            super().send(message)

    slow = Slow("telegram")
    put(any_store, Message("one"), clock=clock)
    put(any_store, Message("two"), clock=clock)

    done = deliver_due(any_store, Channels((slow,)), clock=clock)

    assert done == Delivered(postponed=2)
    assert slow.tried == ["one", "two"]


def test_several_slow_channels_do_not_outlast_the_lease(
    any_store: Store, clock: FakeClock
) -> None:
    working = Scripted("ntfy")

    class Slow(Broken):
        def send(self, message: Message) -> None:
            clock.advance(40 * SECOND)
            deliver_due(any_store, Channels((working,)), clock=clock)
            super().send(message)

    channels = Channels((), tuple(Slow(f"mail {n}") for n in range(4)))
    put(any_store, Message("one"), clock=clock)

    assert deliver_due(any_store, channels, clock=clock).postponed == 1
    assert working.tried == []
