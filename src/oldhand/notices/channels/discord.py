r"""Discord, by a webhook of one channel.

Discord reads Markdown, mentions and links in any text. A backslash before punctuation
takes its meaning away, nobody is pinged (`allowed_mentions` is empty), and no address is
looked up for a preview.
"""

from __future__ import annotations

import re
import string
from urllib.parse import urlsplit

from oldhand.errors import InvalidInput
from oldhand.notices.channels.http_post import JsonPoster
from oldhand.notices.message import Message

MAX_CHARS = 2_000

_SUPPRESS_EMBEDS = 4
_PUNCTUATION = re.compile(f"[{re.escape(string.punctuation)}]")
_LOOPBACK = frozenset(("localhost", "127.0.0.1", "::1"))


class Discord:
    """Sends to one webhook.

    Args:
        webhook: Its whole address, `https://discord.com/api/webhooks/…`, or one of
            `http://localhost` for a relay of one's own.
        poster: Instead of one with the usual limits.

    Raises:
        InvalidInput: It is no such address.
    """

    name = "discord"

    def __init__(self, webhook: str, *, poster: JsonPoster | None = None) -> None:
        """Check what was given; nothing is opened."""
        try:
            url = urlsplit(webhook)
            port = f":{url.port}" if url.port else ""
        except ValueError:
            raise InvalidInput("discord_webhook is no web address") from None
        is_safe = url.scheme == "https" or (
            url.scheme == "http" and url.hostname in _LOOPBACK
        )
        if not (
            is_safe and url.hostname and webhook.isascii() and webhook.isprintable()
        ):
            raise InvalidInput(
                "discord_webhook is no https address; expected "
                "https://discord.com/api/webhooks/… as Discord shows it"
            )
        host = f"[{url.hostname}]" if ":" in url.hostname else url.hostname
        # With `wait` Discord answers when the message is there, not before.
        query = f"{url.query}&wait=true" if url.query else "wait=true"
        self._path = f"{url.path}?{query}"
        self._poster = poster or JsonPoster(
            f"{url.scheme}://{host}{port}", secrets=(url.path, url.query)
        )

    def send(self, message: Message) -> None:
        """Send it, or raise `NotSent`."""
        self._poster.post(
            self._path,
            {
                "content": message.text(MAX_CHARS, escape=escape_markdown),
                "allowed_mentions": {"parse": []},
                "flags": _SUPPRESS_EMBEDS,
            },
        )


def escape_markdown(text: str) -> str:
    r"""Put a backslash before all punctuation.

    Example:
        >>> print(escape_markdown("**rm** <@1> https://a.b"))
        \*\*rm\*\* \<\@1\> https\:\/\/a\.b
    """
    return _PUNCTUATION.sub(r"\\\g<0>", text)
