"""The time zone of this machine, by its IANA name; the one file here that looks at a disk."""

from __future__ import annotations

from pathlib import Path

from oldhand.cron.schedule.zones import load_zone
from oldhand.errors import InvalidInput
from oldhand.named_tuple import NamedTuple

_FOLDER = "zoneinfo/"


class MachineZone(NamedTuple):
    """What zone this machine is in.

    Attributes:
        name: An IANA name; UTC where the machine does not say.
        found_in: `TZ`, `/etc/localtime` or `/etc/timezone`; "" where none of them says.
    """

    name: str
    found_in: str

    @property
    def note(self) -> str:
        """What to tell a person, or ""."""
        if self.found_in:
            return ""
        return (
            "this machine's time zone has no name in TZ, /etc/localtime or /etc/timezone, "
            "so times are in UTC"
        )


def machine_zone(tz: str | None, *, etc: Path = Path("/etc")) -> MachineZone:
    """Find the zone that this machine's clock is read in.

    A variable beats the files, as it does for every program; rules that it spells out
    (`CET-1CEST,M3.5.0,…`) have no name, so that they count as not known.

    Args:
        tz: The variable TZ; None where it is not set.
        etc: Where the files are.
    """
    if tz is not None:
        said = tz.removeprefix(":")
        if said == "":
            return MachineZone("UTC", "TZ")
        if said != "/etc/localtime":
            return _known(_below_folder(said) or said, "TZ") or MachineZone("UTC", "")
    return (
        _known(_linked(etc / "localtime"), "/etc/localtime")
        or _known(_written(etc / "timezone"), "/etc/timezone")
        or MachineZone("UTC", "")
    )


def _known(name: str, found_in: str) -> MachineZone | None:
    try:
        load_zone(name)
    except InvalidInput:
        return None
    return MachineZone(name, found_in)


def _linked(path: Path) -> str:
    """Return the zone that a link names; the first link, as zones link to each other."""
    try:
        return _below_folder(str(path.readlink())) or _below_folder(str(path.resolve()))
    except OSError:  # a file, or none
        return ""


def _below_folder(path: str) -> str:
    _, folder, name = path.rpartition(_FOLDER)
    return name if folder else ""


def _written(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
