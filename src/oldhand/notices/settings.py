"""Which channels a person has, from what their settings say. Nothing is read here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from oldhand.errors import InvalidInput
from oldhand.notices.channels import Channel
from oldhand.notices.channels.apprise import Apprise
from oldhand.notices.channels.discord import Discord
from oldhand.notices.channels.log import Log
from oldhand.notices.channels.telegram import Telegram


class Channels(NamedTuple):
    """Who is told, and in what order.

    Attributes:
        people: Tried in order, until one has taken the message.
        besides: Each gets every message as well.
        log: Takes a message that none of `people` took.
    """

    people: tuple[Channel, ...] = ()
    besides: tuple[Channel, ...] = ()
    log: Channel = Log()


def channels_from(config: Mapping[str, str]) -> Channels:
    """Make the channels.

    Args:
        config: `telegram_token` with `telegram_chat`, `discord_webhook`, `notify_urls`
            (addresses of apprise, separated by blanks); "" or missing is not configured.

    Raises:
        InvalidInput: A value is none of its kind, one of two is missing, or apprise is
            not installed. The message holds no secret.
    """
    token, chat = config.get("telegram_token", ""), config.get("telegram_chat", "")
    if bool(token) != bool(chat):
        missing = "telegram_chat" if token else "telegram_token"
        raise InvalidInput(f"Telegram needs {missing} as well")
    webhook = config.get("discord_webhook", "")
    people: list[Channel] = []
    if token:
        people.append(Telegram(token, chat))
    if webhook:
        people.append(Discord(webhook))
    urls = dict.fromkeys(config.get("notify_urls", "").split())
    return Channels(tuple(people), tuple(Apprise(url) for url in urls))
