"""How people are told: messages wait in an outbox and go out by channels."""

from __future__ import annotations

from oldhand.notices.deliver import Delivered, deliver_due
from oldhand.notices.message import Message
from oldhand.notices.outbox import (
    Counts,
    Held,
    Waiting,
    counts,
    find_message,
    pending,
    prune,
    put,
    put_again,
    withdraw,
)
from oldhand.notices.settings import Channels, channels_from
from oldhand.notices.targets import find_targets, known_names

__all__ = [
    "Channels",
    "Counts",
    "Delivered",
    "Held",
    "Message",
    "Waiting",
    "channels_from",
    "counts",
    "deliver_due",
    "find_message",
    "find_targets",
    "known_names",
    "pending",
    "prune",
    "put",
    "put_again",
    "withdraw",
]
