"""A message as a row of the outbox holds it: redacted, of a bounded size, JSON.

What can be shown in no channel is not kept either: the row counts it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from oldhand.errors import InvalidInput
from oldhand.notices.message import Message
from oldhand.redact import redact, redact_json

MAX_FACT_CHARS = 4_096
"""The longest text that a channel takes."""
MAX_BODY_CHARS = 20_000
"""Of a body so much is kept: a channel shows less, and what was said stands elsewhere."""
_MAX_FACTS_CHARS = 4 * MAX_FACT_CHARS
_OFTEN_CHARS = 200
_MAX_LINK_CHARS = 500
_MAX_SHORT_CHARS = 200
_MAX_TARGETS = 64
# No character that some service takes for the end of an address, or for markup.
_LINK = re.compile(r"https?://[A-Za-z0-9._~:/?#@!$&+,;=%\[\]-]+")


def storable(message: Message) -> Message:
    """Return a message without secrets, and without the facts that no channel can show.

    Raises:
        InvalidInput: The link is none that every channel can carry, or the link, the
            code, the key or a channel's name is too long.
    """
    link = message.link
    if link and (len(link) > _MAX_LINK_CHARS or not _LINK.fullmatch(link)):
        raise InvalidInput(
            f"link is {link[:100]!r}; expected an http or https address of at most "
            f"{_MAX_LINK_CHARS} plain characters"
        )
    for name in ("check_code", "key"):
        if len(getattr(message, name)) > _MAX_SHORT_CHARS:
            raise InvalidInput(f"{name} is longer than {_MAX_SHORT_CHARS} characters")
    if len(message.to) > _MAX_TARGETS or any(
        len(name) > _MAX_SHORT_CHARS for name in message.to
    ):
        raise InvalidInput(
            f"to: expected at most {_MAX_TARGETS} names of channels, each of at most "
            f"{_MAX_SHORT_CHARS} characters"
        )
    facts = dict(_shown(message.facts))
    body = redact(message.body) if message.body else ""
    subject = message.subject
    is_long = len(subject) > MAX_FACT_CHARS
    left_out = len(message.facts) - len(facts) + is_long
    return message._replace(
        subject="" if is_long else redact(subject),
        facts=facts,
        left_out=message.left_out + left_out,
        body=body[:MAX_BODY_CHARS],
        body_cut=message.body_cut + max(0, len(body) - MAX_BODY_CHARS),
    )


def _shown(facts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield redacted facts while there is room; one whose label is taken is left out."""
    room = _MAX_FACTS_CHARS
    seen = set()
    for label, value in facts.items():
        size = len(label) + len(value) + 2
        if size > min(room, MAX_FACT_CHARS):
            continue
        room -= size
        redacted = _redact_often if size <= _OFTEN_CHARS else _redact
        clean, shown = redacted(label, value)
        if clean not in seen:
            seen.add(clean)
            yield clean, shown


def _redact(label: str, value: str) -> tuple[str, str]:
    """Redact a fact by itself, as a label says what its value is."""
    ((clean, shown),) = redact_json({label: value}).items()
    return clean, shown


# Actions, targets and risks come again and again: 0.1 ms each beside 0.2 ms for the row.
_redact_often = lru_cache(maxsize=1_000)(_redact)


def to_json(message: Message) -> str:
    """Write all but the key, which has a column; what most messages lack is left out."""
    held: dict[str, Any] = {
        "subject": message.subject,
        "facts": list(message.facts.items()),
        "link": message.link,
        "check_code": message.check_code,
        "left_out": message.left_out,
    }
    if message.body:
        held |= {"body": message.body, "body_cut": message.body_cut}
    if message.to:
        held["to"] = message.to
    return json.dumps(held)


def from_json(text: str, *, key: str = "") -> Message:
    """Read what `to_json` wrote.

    Raises:
        ValueError: It is not that.
    """
    try:
        held = json.loads(text)
        return Message(
            subject=held["subject"],
            facts=dict(held["facts"]),
            link=held["link"],
            check_code=held["check_code"],
            key=key,
            left_out=held["left_out"],
            body=held.get("body", ""),
            body_cut=held.get("body_cut", 0),
            to=tuple(held.get("to", ())),
        )
    except (KeyError, TypeError, AttributeError) as fault:
        raise ValueError(f"no message: {fault!r}") from fault
