"""When a job fires: what may be said, and the moments that it means."""

from __future__ import annotations

from oldhand.cron.schedule.describe import describe, show_moment
from oldhand.cron.schedule.machine import MachineZone, machine_zone
from oldhand.cron.schedule.model import Schedule
from oldhand.cron.schedule.parse import parse_schedule
from oldhand.cron.schedule.zones import load_zone

__all__ = [
    "MachineZone",
    "Schedule",
    "describe",
    "load_zone",
    "machine_zone",
    "parse_schedule",
    "show_moment",
]
