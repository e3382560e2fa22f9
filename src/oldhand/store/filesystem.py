"""The file system that a database lies on: SQLite's locks hold on a local one alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_MOUNTS = Path("/proc/self/mounts")
_NETWORK = frozenset(
    (
        "9p",
        "afs",
        "ceph",
        "cifs",
        "davfs",
        "glusterfs",
        "gpfs",
        "lustre",
        "ncpfs",
        "nfs",
        "nfs4",
        "smb3",
        "smbfs",
        "vboxsf",
    )
)
_NETWORK_FUSE = ("ceph", "davfs", "gcs", "gluster", "nfs", "rclone", "s3", "smb", "ssh")


def type_of(path: Path, *, mounts: str | None = None) -> str | None:
    r"""Return the type of the file system that a path lies on, as `ext4`.

    Args:
        path: It need not exist yet.
        mounts: Instead of what the kernel lists, lines of `/proc/mounts`.

    Returns:
        None where this system does not say.

    Example:
        >>> mounts = "x / ext4 rw 0 0\nhost:/t /mnt/team nfs4 rw 0 0"
        >>> type_of(Path("/mnt/team/a.db"), mounts=mounts)
        'nfs4'
    """
    lines = _read_mounts() if mounts is None else mounts
    target = os.path.realpath(path)
    best, found = "", None
    for line in lines.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:  # noqa: PLR2004 - device, place, type
            continue
        place = _unescape(fields[1])
        if _is_below(target, place) and len(place) >= len(best):
            best, found = place, fields[2]
    return found


def is_network(file_system: str) -> bool:
    """Say whether a file system type is known to lie on another machine.

    Example:
        >>> is_network("fuse.sshfs"), is_network("ext4")
        (True, False)
    """
    if file_system.startswith("fuse."):
        return file_system.removeprefix("fuse.").startswith(_NETWORK_FUSE)
    return file_system in _NETWORK


def open_to_others(path: Path) -> int | None:
    """Return a file's mode where people other than its owner may read or write it."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return None
    return mode if mode & 0o077 else None


def _read_mounts() -> str:
    try:
        return _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:  # not Linux
        return ""


def _is_below(target: str, place: str) -> bool:
    return target == place or target.startswith(place.rstrip("/") + "/")


def _unescape(place: str) -> str:
    """Read the kernel's octal escapes: a space is written as backslash 040."""
    for character in (" ", "\t", "\n", "\\"):
        place = place.replace(f"\\{ord(character):03o}", character)
    return place
