"""Channels that do as they are told."""

from __future__ import annotations

from typing import NamedTuple

from oldhand.notices import Channels, Message
from oldhand.notices.channels import NotSent


class Scripted:
    """A channel that raises what it is told to, in turn, then takes everything."""

    def __init__(self, name: str, *faults: Exception) -> None:
        self.name = name
        self.faults = list(faults)
        self.tried: list[str] = []

    def send(self, message: Message) -> None:
        """Note the subject; take the message or do not."""
        self.tried.append(message.subject)
        if self.faults:
            raise self.faults.pop(0)


class Broken(Scripted):
    """A channel that takes nothing."""

    def send(self, message: Message) -> None:
        """Note the subject; take the message or do not."""
        self.tried.append(message.subject)
        raise NotSent("no")


class Chain(NamedTuple):
    """Three channels, and what deliver_due is given of them."""

    telegram: Scripted
    discord: Scripted
    log: Scripted
    channels: Channels


def chain(telegram: Scripted, discord: Scripted, *besides: Scripted) -> Chain:
    log = Scripted("log")
    return Chain(telegram, discord, log, Channels((telegram, discord), besides, log))
