"""The channels, one file each."""

from __future__ import annotations

from oldhand.notices.channels.channel import Channel, NotSent

__all__ = ["Channel", "NotSent"]
