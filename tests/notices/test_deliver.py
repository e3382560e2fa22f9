"""Messages go to the first channel that takes them, and are tried again until one does."""

from __future__ import annotations

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
    withdraw,
)
from oldhand.notices.channels import NotSent
from oldhand.notices.channels.discord import Discord
from oldhand.notices.channels.http_post import JsonPoster
from oldhand.notices.channels.telegram import Telegram
from oldhand.store import Query, Store
from oldhand.testing import FakeClock

from .scripted import Broken, Scripted, chain
from .services import Reply, Service

SECOND = 1_000_000
DAY = 24 * 3_600 * SECOND
TOKEN = "123456789:AAF-" + "aBcd3fgh" * 4
SPOIL = Query("spoil", *["UPDATE outbox SET message = '{}'"] * 2)


def telegram_at(service: Service) -> Telegram:
    poster = JsonPoster(service.url, secrets=(TOKEN,))
    return Telegram(TOKEN, "-100", poster=poster)


def test_the_next_channel_gets_it_only_where_the_one_before_failed(
    any_store: Store, clock: FakeClock
) -> None:
    made = chain(Scripted("telegram"), Scripted("discord", NotSent("down")))
    put(any_store, Message("one"), clock=clock)
    first = deliver_due(any_store, made.channels, clock=clock)
    made.telegram.faults.append(NotSent("down"))
    made.discord.faults.clear()
    put(any_store, Message("two"), clock=clock)
    second = deliver_due(any_store, made.channels, clock=clock)

    assert first == second == Delivered(sent=1)
    assert made.telegram.tried == ["one", "two"]
    assert made.discord.tried == ["two"]
    assert made.log.tried == []


def test_what_nobody_took_is_logged_once_and_tried_again(
    any_store: Store, clock: FakeClock
) -> None:
    made = chain(Scripted("telegram", NotSent("a"), NotSent("b")), Broken("discord"))
    put(any_store, Message("one"), clock=clock)
    results = []
    for _ in range(3):
        results.append(deliver_due(any_store, made.channels, clock=clock))
        clock.advance(2 * SECOND)

    assert results == [
        Delivered(postponed=1),
        Delivered(postponed=1),
        Delivered(sent=1),
    ]
    assert made.log.tried == ["one"]
    assert made.telegram.tried == ["one"] * 3


def test_without_a_channel_to_a_person_the_log_is_enough(
    any_store: Store, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    put(any_store, Message("Decide?", {"action": "deploy"}), clock=clock)

    assert deliver_due(any_store, Channels(), clock=clock) == Delivered(sent=1)
    assert "Decide?\n    action: deploy" in caplog.text
    assert pending(any_store) == []


def test_every_other_address_gets_it_besides_and_is_tried_by_itself(
    any_store: Store, clock: FakeClock
) -> None:
    failing, working = Scripted("mail", NotSent("full")), Scripted("ntfy")
    made = chain(Scripted("telegram"), Scripted("discord"), failing, working)
    put(any_store, Message("one"), clock=clock)
    first = deliver_due(any_store, made.channels, clock=clock)
    clock.advance(2 * SECOND)
    second = deliver_due(any_store, made.channels, clock=clock)

    assert (first, second) == (Delivered(postponed=1), Delivered(sent=1))
    assert (made.telegram.tried, working.tried) == (["one"], ["one"])
    assert failing.tried == ["one", "one"]


@pytest.mark.parametrize(
    "fault",
    [RuntimeError("bot" + TOKEN), InvalidInput("too small"), KeyError(1), OSError(5)],
)
def test_whatever_a_channel_raises_the_next_gets_the_message(
    any_store: Store,
    clock: FakeClock,
    caplog: pytest.LogCaptureFixture,
    fault: Exception,
) -> None:
    made = chain(Scripted("telegram", fault), Scripted("discord"))
    put(any_store, Message("one"), clock=clock)

    assert deliver_due(any_store, made.channels, clock=clock) == Delivered(sent=1)
    assert made.discord.tried == ["one"]
    assert TOKEN not in caplog.text


def test_a_fault_is_kept_without_the_token(
    any_store: Store,
    clock: FakeClock,
    service: Service,
    caplog: pytest.LogCaptureFixture,
) -> None:
    said = f'{{"ok": false, "description": "no /bot{TOKEN}/ \\u202e here"}}'
    service.replies.append(Reply(404, said.encode()))
    put(any_store, Message("one"), clock=clock)
    channels = Channels((telegram_at(service),))
    deliver_due(any_store, channels, clock=clock)

    (waiting,) = pending(any_store)
    assert waiting.fault == "telegram: 404 no /bot[redacted]/ ⟨U+202E⟩ here"
    assert counts(any_store).failing == 1
    assert TOKEN not in caplog.text


def test_a_row_that_cannot_be_read_does_not_hold_up_the_others(
    any_store: Store, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    put(any_store, Message("spoilt"), clock=clock)
    any_store.execute(SPOIL)
    put(any_store, Message("whole"), clock=clock)

    done = deliver_due(any_store, Channels(), clock=clock)

    assert done == Delivered(sent=1, given_up=1)
    assert "the row cannot be read" in caplog.text


def test_what_is_taken_back_while_it_is_sent_goes_to_no_further_channel(
    any_store: Store, clock: FakeClock
) -> None:
    class TakenBack(Scripted):
        def send(self, message: Message) -> None:
            super().send(message)
            withdraw(any_store, "r1", clock=clock)

    besides = Scripted("mail")
    channels = Channels((TakenBack("telegram"),), (besides,))
    put(any_store, Message("one", key="r1"), clock=clock)

    assert deliver_due(any_store, channels, clock=clock) == Delivered()
    assert besides.tried == []


def test_sending_holds_no_transaction(any_store: Store, clock: FakeClock) -> None:
    committed = []

    class Looking(Scripted):
        def send(self, message: Message) -> None:
            super().send(message)
            # In an open transaction this would join it, and be undone by the fault.
            put(
                any_store,
                Message("put while sending"),
                clock=clock,
                due_us=clock() + DAY,
            )
            committed.append(message.subject)
            raise NotSent("no")

    put(any_store, Message("one"), clock=clock)
    deliver_due(any_store, Channels((Looking("telegram"),)), clock=clock)

    assert committed == ["one"]
    assert len(pending(any_store)) == 2


def test_one_call_sends_at_most_so_many(any_store: Store, clock: FakeClock) -> None:
    for number in range(5):
        put(any_store, Message(str(number)), clock=clock)

    assert deliver_due(any_store, Channels(), clock=clock, limit=3).sent == 3
    assert [each.message.subject for each in pending(any_store)] == ["3", "4"]


def test_from_telegram_to_discord_over_http(
    any_store: Store, clock: FakeClock, service: Service, other_service: Service
) -> None:
    service.replies.append(Reply(502, b"<html>bad gateway</html>"))
    discord = Discord(f"{other_service.url}/api/webhooks/1/abcdefghij")
    put(any_store, Message("one", {"to": "prod"}), clock=clock)

    done = deliver_due(
        any_store, Channels((telegram_at(service), discord)), clock=clock
    )

    assert done == Delivered(sent=1)
    assert service.received[0].path == f"/bot{TOKEN}/sendMessage"
    assert other_service.texts() == ["one\nto\\: prod"]
