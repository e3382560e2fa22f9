"""Begin to hold actions for people: who there is at first, and what people are told."""

from __future__ import annotations

import json
import logging
import os
import re
from pathlib import Path
from typing import NamedTuple

from oldhand.canonical_json import canonical_json
from oldhand.clock import Clock
from oldhand.confirm.credentials import issue_token
from oldhand.confirm.model import AGENT, PERSON, Principal, Request
from oldhand.confirm.people import has_password, make_link
from oldhand.confirm.principals import (
    add_principal,
    find_person,
    list_principals,
)
from oldhand.confirm.requests.check_code import check_code
from oldhand.confirm.switches import set_solo
from oldhand.errors import NotFound
from oldhand.notices import Channels, Message, channels_from, put, withdraw
from oldhand.notices.visible import visible
from oldhand.settings import AGENT_TOKEN_FILE, Settings
from oldhand.store import Store

AGENT_NAME = "agent"
_OTHER_AGENT_NAME = "my-agent"
_MOST_FACTS = 12
_MOST_FACT_CHARS = 300
_MOST_SUBJECT_CHARS = 100

logger = logging.getLogger(__name__)


class Beginning(NamedTuple):
    """What was made for a first start.

    Attributes:
        person: Whose daemon it is.
        agent: Made now, with its token in `token_file`; None: there are principals already.
        moved_token: Where the token of an earlier database was put aside.
        link: The secret of a one-time link for the person; None: nobody needs one.
    """

    person: str
    agent: str | None = None
    token_file: Path | None = None
    moved_token: Path | None = None
    link: str | None = None


def begin(
    store: Store,
    settings: Settings,
    *,
    clock: Clock,
    wants_link: bool = False,
    url: str = "",
) -> Beginning:
    """See to it that there is a person who can decide, and an agent that can ask.

    On the first start both are made, and the agent's token is written to a file of the
    person's. A link is made while no person has a password.

    Args:
        store: Where the requests are.
        settings: Who it is, and where the home is.
        clock: Tells the time.
        wants_link: Make a link in any case, as for a password that was forgotten.
        url: Where agents reach the daemon, if not by a name of this machine for itself: the
            token's file says it, and without it the token is sent nowhere else.

    Raises:
        NotFound: A link is wanted for a person that is not there.
    """
    name = person_name(settings.principal)
    with store.transaction():
        there = list_principals(store)
        if there:
            beginning = Beginning(name)
        else:
            add_principal(store, name, kind=PERSON, by=None, clock=clock)
            beginning = _make_agent(store, settings, name, clock, url)
            there = list_principals(store)
        if wants_link or not any(has_password(store, each) for each in there):
            person = _who_gets_link(store, name, there)
            link = make_link(store, person, by=None, clock=clock)
            beginning = beginning._replace(person=person.name, link=link)
    return beginning


def person_name(login: str) -> str:
    """Make a principal's name of a login name.

    Example:
        >>> person_name("Ada Lovelace")
        'ada-lovelace'
    """
    plain = re.sub(r"[^a-z0-9._@:+-]+", "-", login.lower()).strip("-._@:+")[:100]
    return plain if plain and plain not in {"policy", "daemon", "oldhand"} else "owner"


def turn_solo(store: Store, *, to: bool | None, clock: Clock) -> None:
    """Set solo mode as whoever starts the daemon says; None: as it was."""
    if to is not None:
        set_solo(store, to=to, by=None, clock=clock)


def channels_of(settings: Settings) -> Channels:
    """Return the channels that the settings name.

    Raises:
        InvalidInput: One of them is not as it must be.
    """
    return channels_from(
        {
            "telegram_token": settings.telegram_token,
            "telegram_chat": settings.telegram_chat,
            "discord_webhook": settings.discord_webhook,
            "notify_urls": settings.notify_urls,
        }
    )


def has_channels(channels: Channels) -> bool:
    """Say whether anybody is told elsewhere than in the daemon's own log."""
    return bool(channels.people or channels.besides)


def put_notice(store: Store, request: Request, url: str, *, clock: Clock) -> None:
    """Put the notice of a held request into the outbox, within its transaction."""
    put(store, notice_of(request, url), clock=clock)


def log_notice(_store: Store, request: Request, url: str) -> None:
    """Say a held request in the daemon's log, where there is no channel."""
    action = visible(request.action[:_MOST_SUBJECT_CHARS])
    logger.info("%s asks for %s: %s", request.requester, action, url)


def drop_notice(store: Store, request_id: str, *, clock: Clock) -> None:
    """Take back a notice that was not sent, as nobody need decide any more."""
    withdraw(store, _key_of(request_id), clock=clock)


def notice_of(request: Request, url: str) -> Message:
    """Say a held request: the facts first, each whole or not at all, and a link.

    The agent's own words are left to the page, which shows them as what they are.
    """
    facts = {
        "action": request.action,
        "from": request.requester,
        "risk": request.risk,
        "why asked": request.why,
    }
    if request.target:
        facts["target"] = request.target
    shown, left_out = _details_facts(request)
    facts = {
        label: value for label, value in facts.items() if len(value) <= _MOST_FACT_CHARS
    }
    action = request.action[:_MOST_SUBJECT_CHARS]
    return Message(
        subject=f"{request.requester} asks for {action}",
        facts=facts | shown,
        link=url,
        check_code=check_code(request.digest),
        key=_key_of(request.id),
        left_out=left_out,
    )


def _details_facts(request: Request) -> tuple[dict[str, str], int]:
    """Return the details as facts, and how many of them are left to the page."""
    shown: dict[str, str] = {}
    for name, value in request.details.items():
        text = value if isinstance(value, str) else canonical_json(value)
        if len(shown) < _MOST_FACTS and len(name) + len(text) <= _MOST_FACT_CHARS:
            # As in JSON, so that no name of a detail can be taken for one of ours.
            shown[f"details.{json.dumps(name, ensure_ascii=False)}"] = text
    return shown, len(request.details) - len(shown)


def _key_of(request_id: str) -> str:
    return f"request:{request_id}"


def _make_agent(
    store: Store, settings: Settings, owner: str, clock: Clock, url: str
) -> Beginning:
    name = _OTHER_AGENT_NAME if owner == AGENT_NAME else AGENT_NAME
    agent = add_principal(store, name, kind=AGENT, owner=owner, by=None, clock=clock)
    token = issue_token(store, agent, label="first start", by=None, clock=clock)
    file = settings.home / AGENT_TOKEN_FILE
    # Before the end of the transaction: a token that nobody holds would be of no use.
    text = "\n".join(filter(None, (token, url)))
    return Beginning(owner, name, file, _write_token(file, text))


def _write_token(file: Path, text: str) -> Path | None:
    """Write a token that its owner alone may read; put one that is there aside."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = file.with_name(f"{file.name}.{os.getpid()}.new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
    with os.fdopen(os.open(fresh, flags, 0o600), "w", encoding="ascii") as writing:
        writing.write(text + "\n")
        writing.flush()
        os.fsync(writing.fileno())
    before = None
    if file.exists():
        before = file.with_name(f"{file.name}.before")
        file.replace(before)
    fresh.replace(file)
    return before


def _who_gets_link(store: Store, name: str, there: list[Principal]) -> Principal:
    """Return the person whom the settings name, or else the first there is."""
    try:
        return find_person(store, name)
    except NotFound:
        people = [
            each for each in there if each.kind == PERSON and not each.is_disabled
        ]
        if not people:
            raise
        return people[0]
