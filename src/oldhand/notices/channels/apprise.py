"""Any other service, through apprise: e-mail, ntfy, Slack, Matrix and a hundred more.

What a service reads as markup differs, and apprise hands text on. So the beginnings of
links, mentions and tags that services know are broken by a space.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from oldhand.errors import InvalidInput
from oldhand.extras import install_command
from oldhand.notices.channels.channel import NotSent
from oldhand.notices.channels.rest import Rest
from oldhand.notices.message import Message

if TYPE_CHECKING:
    import apprise

MAX_CHARS = 4_096
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}(?=://)")
_MARKUP = re.compile(r"([<@])(?=\S)|\](?=\()")


class Apprise:
    """Sends to one address of apprise.

    Args:
        url: As apprise writes them, such as `ntfy://topic`; it holds secrets.
        rest: How long the service is left alone after a refusal.

    Raises:
        InvalidInput: apprise is not installed, or knows no such address.
    """

    def __init__(self, url: str, *, rest: Rest | None = None) -> None:
        """Let apprise read the address; nothing is opened."""
        scheme = found[0].lower() if (found := _SCHEME.match(url)) else "?"
        digest = hashlib.sha256(url.encode(errors="surrogatepass")).hexdigest()[:8]
        self._name = f"apprise {scheme} {digest}"
        self._sender = _sender(url, scheme)
        self._rest = rest or Rest()
        longest = min(service.body_maxlen for service in self._sender)
        self._max_chars = min(longest or MAX_CHARS, MAX_CHARS)

    @property
    def name(self) -> str:
        """The scheme, and a digest that tells two addresses of one scheme apart."""
        return self._name

    def send(self, message: Message) -> None:
        """Send it, or raise `NotSent`."""
        text = message.text(self._max_chars, escape=break_markup)
        self._rest.check()
        if not self._sender.notify(body=text, body_format="text"):
            self._rest.begin()  # apprise does not say why; to be down is the usual
            raise NotSent("the service did not take it, as apprise says")


def break_markup(text: str) -> str:
    """Break the beginnings of links, mentions and tags by a space.

    Example:
        >>> break_markup("@everyone <https://a.b|Open> [Open](https://a.b)")
        '@ everyone < https://a.b|Open> [Open] (https://a.b)'
    """
    return _MARKUP.sub(r"\g<0> ", text)


def _sender(url: str, scheme: str) -> apprise.Apprise:
    try:
        import apprise  # noqa: PLC0415 - an extra, and 0.1 s
    except ImportError:
        raise InvalidInput(
            "notify_urls needs apprise, which is not installed",
            advice=install_command("notify"),
        ) from None
    sender = apprise.Apprise()
    if not sender.add(url) or not len(sender):
        raise InvalidInput(
            f"notify_urls: apprise knows no such address (its scheme is {scheme!r})"
        )
    for service in sender:
        # Up to 5.5 s of sleep after each message, while the next person is not told.
        service.request_rate_per_sec = 0
    return sender
