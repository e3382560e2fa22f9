"""Where a job's results go, and what is refused when it is made."""

from __future__ import annotations

import pytest

from oldhand.cron.model import JobSpec
from oldhand.cron.targets import check_deliver, target_of, targets_of
from oldhand.errors import InvalidInput
from oldhand.notices import Channels
from oldhand.notices.channels.discord import Discord
from oldhand.notices.channels.telegram import Telegram

TELEGRAM = Telegram("123456789:AAF-" + "aBcd3fgh" * 4, "-100")
DISCORD = Discord("https://discord.com/api/webhooks/1/abcdefghij")
BOTH = Channels((TELEGRAM, DISCORD))
HERE = {"platform": "telegram", "chat": "42", "thread": "7"}


@pytest.mark.parametrize(
    ("deliver", "expected"),
    [
        (("local",), ()),
        (("all",), ("all",)),
        (("local", "discord"), ("discord",)),
        (("origin", "discord"), ("telegram:42:7", "discord")),
        (("telegram:42:7", "origin"), ("telegram:42:7",)),
    ],
)
def test_targets(deliver: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert targets_of(JobSpec(deliver=deliver, origin=HERE)) == expected


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ({"platform": "Telegram", "chat_id": "42"}, "telegram:42"),
        ({"platform": "telegram", "chat_id": "-1", "thread_id": "2"}, "telegram:-1:2"),
        ({"platform": "discord", "chat": "9"}, "discord"),
        ({"platform": "telegram"}, "telegram"),
        ({}, "origin"),
    ],
)
def test_an_origin_is_told_where_it_was(origin: dict[str, str], expected: str) -> None:
    assert target_of(origin) == expected


@pytest.mark.parametrize(
    "deliver",
    [("local",), ("all",), ("telegram",), ("discord",), ("log",), ("origin",),
     ("telegram:42",), ("telegram:-100",), ("telegram:-100:3",)],
)  # fmt: skip
def test_what_can_be_delivered_is_taken(deliver: tuple[str, ...]) -> None:
    check_deliver(JobSpec(deliver=deliver, origin=HERE), BOTH)


@pytest.mark.parametrize(
    ("deliver", "said"),
    [
        (
            ("slack",),
            "slack: not configured, or no channel; expected of local, origin, ",
        ),
        (("notify",), "no address of apprise"),
        (("telegram:43",), "the chat in the settings"),
        (("telegram:@everyone",), "in numbers"),
        (("discord:5",), "not configured, or no channel"),
    ],
)
def test_what_cannot_be_delivered_is_refused(
    deliver: tuple[str, ...], said: str
) -> None:
    with pytest.raises(InvalidInput, match=said):
        check_deliver(JobSpec(deliver=deliver, origin=HERE), BOTH)


def test_an_origin_that_cannot_be_told_is_refused_by_its_name() -> None:
    spec = JobSpec(deliver=("origin",), origin={"platform": "cli"})

    with pytest.raises(InvalidInput, match=r"origin \(cli\): not configured"):
        check_deliver(spec, BOTH)


def test_a_chat_is_refused_where_no_bot_is_configured() -> None:
    with pytest.raises(InvalidInput, match="not configured"):
        check_deliver(JobSpec(deliver=("origin",), origin=HERE), Channels())
