"""Telegram, by a bot that writes to one chat.

Without `parse_mode` nothing in the text is markup. Telegram still makes links, commands
and mentions of what looks like them; inside a `pre` entity it does not, so all but our own
code and link stands in one.
"""

from __future__ import annotations

import re

from oldhand.errors import InvalidInput
from oldhand.notices.channels.channel import NotSent
from oldhand.notices.channels.http_post import JsonPoster
from oldhand.notices.message import Message
from oldhand.notices.units import count_units

MAX_CHARS = 4_096
BASE_URL = "https://api.telegram.org"

_TOKEN = re.compile(r"\d{1,20}:[A-Za-z0-9_-]{10,100}")
_CHAT = re.compile(r"-?\d{1,20}|@\w{1,64}")
_PLACE = re.compile(r"(-?\d{1,20})(?::(\d{1,20}))?")


class Telegram:
    """Sends to one chat.

    Args:
        token: The bot's, `123456:ABC…`.
        chat: The chat's number, or `@name` of a channel.
        base_url: Of the Bot API, one's own server's too.
        poster: Instead of one with the usual limits.

    Raises:
        InvalidInput: The token or the chat is none.
    """

    def __init__(
        self,
        token: str,
        chat: str,
        *,
        base_url: str = BASE_URL,
        poster: JsonPoster | None = None,
    ) -> None:
        """Check what was given; nothing is opened."""
        self.name = "telegram"
        self.chat = chat
        if not _TOKEN.fullmatch(token):
            raise InvalidInput(
                "telegram_token is no bot token; expected 123456789:ABC… as BotFather "
                "shows it"
            )
        if not _CHAT.fullmatch(chat):
            raise InvalidInput(
                f"telegram_chat is {chat[:70]!r}; expected a chat's number, or @name"
            )
        self._path = f"/bot{token}/sendMessage"
        self._token = token
        self._thread: int | None = None
        self._poster = poster or JsonPoster(base_url, secrets=(token,))

    def at(self, place: str) -> Telegram:
        """Return a channel to another chat of the same bot.

        A bot writes only where it was added, or to who wrote to it first; anybody may do
        that. So whoever hands on a place says by that that it may be told.

        Args:
            place: `CHAT` or `CHAT:THREAD`, both numbers.

        Raises:
            InvalidInput: It is neither.
        """
        found = _PLACE.fullmatch(place)
        if found is None:
            raise InvalidInput(
                f"telegram:{place[:70]}: expected telegram:CHAT or telegram:CHAT:THREAD, "
                "in numbers"
            )
        other = Telegram(self._token, found[1], poster=self._poster)
        other.name = f"telegram:{place}"
        other._thread = int(found[2]) if found[2] else None
        return other

    def send(self, message: Message) -> None:
        """Send it, or raise `NotSent`."""
        written = message.write(MAX_CHARS)
        body: dict[str, object] = {
            "chat_id": self.chat,
            "text": written.text,
            "link_preview_options": {"is_disabled": True},
        }
        if self._thread is not None:
            body["message_thread_id"] = self._thread
        if written.facts:
            length = count_units(written.facts)
            body["entities"] = [{"type": "pre", "offset": 0, "length": length}]
        answer = self._poster.post(self._path, body)
        if not (isinstance(answer, dict) and answer.get("ok") is True):
            raise NotSent("the answer is not the Bot API's")
