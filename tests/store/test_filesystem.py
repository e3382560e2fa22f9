"""Which file system a path lies on, from what the kernel lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from oldhand.store.filesystem import is_network, open_to_others, type_of

MOUNTS = """\
/dev/sda1 / ext4 rw 0 0
host:/home /home nfs4 rw 0 0
tmpfs /home/ada/tmp tmpfs rw 0 0
ada@host: /home/far\\040away fuse.sshfs rw 0 0
overlay /home overlay rw 0 0
broken line
"""


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/var/lib/a.db", "ext4"),
        ("/homestead/a.db", "ext4"),
        ("/home/ada/tmp/a.db", "tmpfs"),
        ("/home/far away/a.db", "fuse.sshfs"),
        ("/home/ada/a.db", "overlay"),
    ],
)
def test_the_nearest_and_last_mount_counts(path: str, expected: str) -> None:
    assert type_of(Path(path), mounts=MOUNTS) == expected


def test_a_system_that_lists_none_is_unknown() -> None:
    assert type_of(Path("/home/ada/a.db"), mounts="") is None


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("nfs", True),
        ("nfs4", True),
        ("cifs", True),
        ("9p", True),
        ("fuse.sshfs", True),
        ("fuse.rclone", True),
        ("fuse.bindfs", False),
        ("ext4", False),
        ("apfs", False),
    ],
)
def test_network_file_systems_are_known(kind: str, expected: bool) -> None:
    assert is_network(kind) is expected


def test_modes_that_let_others_in_are_found(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.touch(mode=0o600)
    private = open_to_others(path)
    path.chmod(0o640)

    assert private is None
    assert open_to_others(path) == 0o640
    assert open_to_others(tmp_path / "gone") is None
