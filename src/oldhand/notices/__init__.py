"""How people are told: messages wait in an outbox and go out by channels."""

from __future__ import annotations

from oldhand.notices.deliver import Delivered, deliver_due
from oldhand.notices.message import Message
from oldhand.notices.outbox import (
    Counts,
    Waiting,
    counts,
    pending,
    prune,
    put,
    withdraw,
)
from oldhand.notices.settings import Channels, channels_from

__all__ = [
    "Channels",
    "Counts",
    "Delivered",
    "Message",
    "Waiting",
    "channels_from",
    "counts",
    "deliver_due",
    "pending",
    "prune",
    "put",
    "withdraw",
]
