"""A message that names its channels goes to each of them, and is tried by each apart."""

from __future__ import annotations

from typing import Any

import pytest

from oldhand.errors import Conflict, InvalidInput
from oldhand.notices import (
    Channels,
    Delivered,
    Message,
    counts,
    deliver_due,
    find_message,
    find_targets,
    known_names,
    pending,
    put,
    put_again,
)
from oldhand.notices.channels import NotSent
from oldhand.notices.channels.http_post import JsonPoster
from oldhand.notices.channels.telegram import Telegram
from oldhand.store import Store
from oldhand.testing import FakeClock

from .scripted import Broken, Scripted, chain
from .services import Reply, Service

SECOND = 1_000_000
DAY = 24 * 3_600 * SECOND
TOKEN = "123456789:AAF-" + "aBcd3fgh" * 4


def telegram_at(service: Service) -> Telegram:
    return Telegram(TOKEN, "-100", poster=JsonPoster(service.url, secrets=(TOKEN,)))


def test_each_named_channel_gets_it_and_no_other(
    any_store: Store, clock: FakeClock
) -> None:
    mail = Scripted("apprise mailto 1")
    made = chain(Scripted("telegram"), Scripted("discord"), mail)
    put(any_store, Message("one", to=("discord", "log")), clock=clock)

    assert deliver_due(any_store, made.channels, clock=clock) == Delivered(sent=1)
    assert (made.telegram.tried, made.discord.tried) == ([], ["one"])
    assert (mail.tried, made.log.tried) == ([], ["one"])


def test_only_who_does_not_have_it_is_tried_again(
    any_store: Store, clock: FakeClock
) -> None:
    made = chain(Scripted("telegram", NotSent("down")), Scripted("discord"))
    put(any_store, Message("one", to=("telegram", "discord")), clock=clock)
    first = deliver_due(any_store, made.channels, clock=clock)
    [waiting] = pending(any_store)
    clock.advance(2 * SECOND)
    second = deliver_due(any_store, made.channels, clock=clock)

    assert (first, second) == (Delivered(postponed=1), Delivered(sent=1))
    assert waiting.fault == "telegram: down"
    assert made.telegram.tried == ["one", "one"]
    assert made.discord.tried == ["one"]
    assert made.log.tried == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("all", ["telegram", "discord", "apprise a 1", "apprise b 2"]),
        ("notify", ["apprise a 1", "apprise b 2"]),
        ("apprise", ["apprise a 1", "apprise b 2"]),
        ("log", ["log"]),
        ("apprise b 2", ["apprise b 2"]),
    ],
)
def test_names_stand_for_channels(name: str, expected: list[str]) -> None:
    made = chain(
        Scripted("telegram"),
        Scripted("discord"),
        Scripted("apprise a 1"),
        Scripted("apprise b 2"),
    )

    targets = find_targets(made.channels, (name, name))

    assert [each.name for each in targets.channels] == expected
    assert targets.faults == {}


def test_where_nobody_can_be_told_all_is_the_log(
    any_store: Store, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    put(any_store, Message("one", to=("all",)), clock=clock)

    assert deliver_due(any_store, Channels(), clock=clock) == Delivered(sent=1)
    assert "one" in caplog.text


def test_a_channel_that_is_not_there_is_a_fault_that_is_shown_and_logged(
    any_store: Store, clock: FakeClock
) -> None:
    log = Scripted("log")
    channels = Channels(log=log)
    put(any_store, Message("one", to=("slack",)), clock=clock)
    first = deliver_due(any_store, channels, clock=clock)
    [waiting] = pending(any_store)
    clock.advance(DAY)
    second = deliver_due(any_store, channels, clock=clock)

    assert waiting.fault == "slack: not configured, or no channel"
    assert (first, second) == (Delivered(postponed=1), Delivered(given_up=1))
    assert log.tried == ["one"]
    assert counts(any_store).given_up == 1


def test_the_others_get_it_where_one_name_is_wrong(
    any_store: Store, clock: FakeClock
) -> None:
    made = chain(Scripted("telegram"), Scripted("discord"))
    put(any_store, Message("one", to=("slack", "telegram")), clock=clock)
    deliver_due(any_store, made.channels, clock=clock)

    assert made.telegram.tried == ["one"]
    assert made.log.tried == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("telegram", {"chat_id": "-100"}),
        ("telegram:42", {"chat_id": "42"}),
        ("telegram:-1001:7", {"chat_id": "-1001", "message_thread_id": 7}),
    ],
)
def test_a_bot_writes_to_the_chat_and_thread_that_are_named(
    any_store: Store,
    clock: FakeClock,
    service: Service,
    name: str,
    expected: dict[str, Any],
) -> None:
    put(any_store, Message("one", to=(name,)), clock=clock)
    deliver_due(any_store, Channels((telegram_at(service),)), clock=clock)

    [received] = service.received
    keys = ("chat_id", "message_thread_id")
    assert {k: v for k, v in received.body.items() if k in keys} == expected


@pytest.mark.parametrize(
    "name",
    ["telegram:", "telegram:@all", "telegram:1:2:3", "telegram:1 2", "discord:1"],
)
def test_a_place_that_is_none_is_a_fault(name: str, service: Service) -> None:
    targets = find_targets(Channels((telegram_at(service),)), (name,))

    assert targets.channels == []
    assert list(targets.faults) == [name]


def test_all_chats_of_a_bot_rest_together(
    any_store: Store, clock: FakeClock, service: Service
) -> None:
    service.replies.append(Reply(429, b'{"parameters": {"retry_after": 60}}'))
    put(any_store, Message("one", to=("telegram:1", "telegram:2")), clock=clock)
    deliver_due(any_store, Channels((telegram_at(service),)), clock=clock)

    assert len(service.received) == 1


def test_a_refusal_can_list_what_there_is() -> None:
    made = chain(Scripted("telegram"), Scripted("discord"), Scripted("apprise a 1"))

    names = known_names(made.channels)

    assert names == ["telegram", "discord", "notify", "log", "all"]


def test_what_was_given_up_is_sent_again_only_by_those_that_do_not_have_it(
    any_store: Store, clock: FakeClock
) -> None:
    made = chain(Broken("telegram"), Scripted("discord"))
    put(any_store, Message("one", key="k", to=("telegram", "discord")), clock=clock)
    deliver_due(any_store, made.channels, clock=clock)
    clock.advance(DAY)
    deliver_due(any_store, made.channels, clock=clock)
    given_up = find_message(any_store, "k")
    assert given_up is not None
    put_again(any_store, given_up, to=("telegram", "discord"), clock=clock)
    working = chain(Scripted("telegram"), Scripted("discord"))
    done = deliver_due(any_store, working.channels, clock=clock)
    now = find_message(any_store, "k")

    assert given_up.state == "given_up"
    assert done == Delivered(sent=1)
    assert (working.telegram.tried, working.discord.tried) == (["one"], [])
    assert now is not None
    assert sorted(now.sent_to) == ["discord", "telegram"]


def test_what_may_be_on_its_way_is_not_put_a_second_time(
    any_store: Store, clock: FakeClock
) -> None:
    refused: list[str] = []

    class Asking(Scripted):
        def send(self, message: Message) -> None:
            super().send(message)
            held = find_message(any_store, "k")
            assert held is not None
            with pytest.raises(Conflict, match="on its way"):
                put_again(any_store, held, to=("log",), clock=clock)
            refused.append(message.subject)

    put(any_store, Message("one", key="k"), clock=clock)
    deliver_due(any_store, Channels((Asking("telegram"),)), clock=clock)

    assert refused == ["one"]


def test_too_many_channels_are_refused(store: Store) -> None:
    with pytest.raises(InvalidInput, match="at most 64"):
        put(store, Message("one", to=tuple(map(str, range(65)))))


def test_a_long_answer_goes_to_telegram_in_one_message_and_as_plain_text(
    any_store: Store, clock: FakeClock, service: Service
) -> None:
    link = "http://localhost:6060/jobs/1"
    message = Message("logs: succeeded", {}, link, body="👍 **x** _y_\n" * 2_000)
    put(any_store, message, clock=clock)
    deliver_due(any_store, Channels((telegram_at(service),)), clock=clock)

    [received] = service.received
    text = received.body["text"]
    [entity] = received.body["entities"]
    units = text.encode("utf-16-le")
    outside = units[2 * entity["length"] :].decode("utf-16-le")
    assert len(units) // 2 <= 4_096
    assert len(units) // 2 > 4_000
    assert (entity["type"], outside) == ("pre", f"\n\nOpen: {link}")
    assert "more characters: open the page" in text
