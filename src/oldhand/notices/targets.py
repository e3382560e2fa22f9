"""Where a message goes that names its channels.

A name is a channel's (`telegram`, `discord`, `log`, one address of apprise), `notify` or
`apprise` for all addresses of apprise, `all` for everybody who can be told, or
`telegram:CHAT[:THREAD]` for another chat of the bot.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol, runtime_checkable

from oldhand.errors import InvalidInput
from oldhand.notices.channels import Channel
from oldhand.notices.settings import Channels

ALL = "all"
_OF_APPRISE = ("notify", "apprise")


@runtime_checkable
class Reaching(Protocol):
    """A channel that reaches more places than one."""

    def at(self, place: str) -> Channel:
        """Return a channel to a place, or raise `InvalidInput`."""


class Targets(NamedTuple):
    """What names stand for.

    Attributes:
        channels: Each once, in the order of the names.
        faults: Of names that stand for nothing here, why.
    """

    channels: list[Channel]
    faults: dict[str, str]


def find_targets(channels: Channels, names: Iterable[str]) -> Targets:
    """Find the channels that names stand for.

    Args:
        channels: That are configured.
        names: As `Message.to` holds them.
    """
    found: dict[str, Channel] = {}
    faults = {}
    for name in names:
        try:
            found |= {channel.name: channel for channel in _named(channels, name)}
        except InvalidInput as fault:
            faults[name] = str(fault)
    return Targets(list(found.values()), faults)


def known_names(channels: Channels) -> list[str]:
    """Return the names that a message may be sent to, for a refusal to list."""
    besides = [_OF_APPRISE[0]] if channels.besides else []
    return [*(each.name for each in channels.people), *besides, channels.log.name, ALL]


def _named(channels: Channels, name: str) -> list[Channel]:
    if name == ALL:
        return [*channels.people, *channels.besides] or [channels.log]
    if name in _OF_APPRISE:
        if not channels.besides:
            raise InvalidInput("not configured: no address of apprise (notify_urls)")
        return list(channels.besides)
    for each in (*channels.people, *channels.besides, channels.log):
        if each.name == name:
            return [each]
    first, colon, place = name.partition(":")
    for each in channels.people:
        if colon and each.name == first and isinstance(each, Reaching):
            return [each.at(place)]
    raise InvalidInput("not configured, or no channel")
