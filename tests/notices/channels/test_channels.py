"""What each service is sent, and what a person may configure."""

from __future__ import annotations

import sys

import pytest

from oldhand.errors import InvalidInput
from oldhand.extras import install_command
from oldhand.notices import Message, channels_from
from oldhand.notices.channels import NotSent
from oldhand.notices.channels.apprise import Apprise
from oldhand.notices.channels.discord import Discord
from oldhand.notices.channels.telegram import Telegram
from oldhand.notices.units import count_units

from ..services import Reply, Service  # noqa: TID252 - tests are no package

TOKEN = "123456789:AAF-" + "abcdefgh" * 4
HOOK = "/api/webhooks/1/abcdefghij"
LINK = "http://localhost:6060/inbox/1"
needs_apprise = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")
HOSTILE = Message(
    "<b>x</b> 👍",
    {"command": "[a](http://evil.example) @everyone\n/start", "long": "🙂" * 1_500},
    LINK,
    "481 503",
)


def test_telegram_gets_plain_text_in_which_nothing_is_a_link(service: Service) -> None:
    Telegram(TOKEN, "-100200", base_url=service.url).send(HOSTILE)

    ((path, body),) = service.received
    entity = body["entities"][0]
    boxed = body["text"].encode("utf-16-le")[: 2 * entity["length"]].decode("utf-16-le")
    assert path == f"/bot{TOKEN}/sendMessage"
    assert "parse_mode" not in body
    assert body["link_preview_options"] == {"is_disabled": True}
    assert (entity["type"], entity["offset"]) == ("pre", 0)
    assert "evil.example" in boxed
    assert body["text"].removeprefix(boxed) == f"\n\nCheck code: 481 503\nOpen: {LINK}"
    assert count_units(body["text"]) <= 4096


def test_nothing_sent_can_be_pressed_to_decide(service: Service) -> None:
    Telegram(TOKEN, "-100200", base_url=service.url).send(HOSTILE)
    Discord(service.url + HOOK).send(HOSTILE)

    keys = [set(each.body) for each in service.received]
    assert keys == [
        {"chat_id", "text", "entities", "link_preview_options"},
        {"content", "allowed_mentions", "flags"},
    ]


@pytest.mark.parametrize(
    "body", [b"<html>sign in to the hotel</html>", b'{"ok": false}', b"[true]"]
)
def test_a_page_in_the_way_is_not_telegram(service: Service, body: bytes) -> None:
    service.replies.append(Reply(200, body))

    with pytest.raises(NotSent, match="not the Bot API's"):
        Telegram(TOKEN, "-100200", base_url=service.url).send(HOSTILE)


def test_discord_gets_text_that_mentions_nobody(service: Service) -> None:
    Discord(f"{service.url}{HOOK}?thread_id=7").send(HOSTILE)

    ((path, body),) = service.received
    assert path == f"{HOOK}?thread_id=7&wait=true"
    assert body["allowed_mentions"] == {"parse": []}
    assert body["flags"] == 4
    assert "\\[a\\]\\(http\\:\\/\\/evil\\.example\\) \\@everyone" in body["content"]
    assert "… 1 more fact: open the page" in body["content"]
    assert body["content"].endswith(f"\nOpen: {LINK}")
    assert count_units(body["content"]) <= 2000


def test_no_fault_of_discord_holds_the_webhook(service: Service) -> None:
    service.replies.append(Reply(404, f'{{"message": "no {HOOK}"}}'.encode()))

    with pytest.raises(NotSent) as fault:
        Discord(service.url + HOOK).send(HOSTILE)

    assert "abcdefghij" not in str(fault.value)


@needs_apprise
def test_apprise_gets_every_other_address(service: Service) -> None:
    pytest.importorskip("apprise", reason="the extra `notify` is not installed")
    address = service.url.replace("http://", "json://")
    channel = Apprise(f"{address}/hook-secret")

    channel.send(HOSTILE)

    ((path, body),) = service.received
    assert path == "/hook-secret"
    assert body["message"].startswith("< b>x< /b> 👍\ncommand:\n  | [a] (http")
    assert body["message"].endswith(f"\nOpen: {LINK}")
    assert channel.name.startswith("apprise json ")
    assert "secret" not in channel.name


@needs_apprise
def test_a_refusal_through_apprise_is_told(service: Service) -> None:
    pytest.importorskip("apprise", reason="the extra `notify` is not installed")
    service.replies.append(Reply(500))
    channel = Apprise(service.url.replace("http://", "json://"))

    for expected in ("did not take it", "left alone"):
        with pytest.raises(NotSent, match=expected):
            channel.send(HOSTILE)
    assert len(service.received) == 1


@needs_apprise
def test_an_address_that_apprise_does_not_know_is_refused_without_showing_it() -> None:
    pytest.importorskip("apprise", reason="the extra `notify` is not installed")

    with pytest.raises(InvalidInput, match="'nonsense'") as fault:
        channels_from({"notify_urls": "nonsense://user:hunter2@host"})

    assert "hunter2" not in str(fault.value)


def test_without_apprise_one_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "apprise", None)

    with pytest.raises(InvalidInput, match="not installed") as fault:
        channels_from({"notify_urls": "json://localhost"})

    assert fault.value.advice == install_command("notify")


def test_people_are_told_by_telegram_then_discord() -> None:
    config = {
        "telegram_token": TOKEN,
        "telegram_chat": "@ops",
        "discord_webhook": f"https://discord.com{HOOK}",
    }

    channels = channels_from(config)

    assert [each.name for each in channels.people] == ["telegram", "discord"]
    assert (channels.besides, channels.log.name) == ((), "log")
    assert channels_from({}).people == ()


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"telegram_token": TOKEN}, "telegram_chat"),
        ({"telegram_chat": "1"}, "telegram_token"),
        ({"telegram_token": "hunter2\n", "telegram_chat": "1"}, "no bot token"),
        ({"telegram_token": TOKEN, "telegram_chat": "me"}, "telegram_chat is 'me'"),
        ({"discord_webhook": "http://discord.com/hunter2"}, "no https address"),
        ({"discord_webhook": "https:///hunter2"}, "no https address"),
        ({"discord_webhook": "https://host:port/hunter2"}, "no web address"),
        ({"discord_webhook": "https://host/hunter2\n"}, "no https address"),
    ],
)
def test_a_wrong_value_is_named_without_the_secret(
    config: dict[str, str], expected: str
) -> None:
    with pytest.raises(InvalidInput, match=expected) as fault:
        channels_from(config)

    assert "hunter2" not in str(fault.value)
    assert TOKEN not in str(fault.value)
