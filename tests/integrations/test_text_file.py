"""A settings file is replaced whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from oldhand.errors import Conflict, InvalidInput
from oldhand.integrations.text_file import read_file, write_file

needs_a_user = pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")


def test_the_mode_stays_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text("old")
    path.chmod(0o640)

    write_file(read_file(path), b"new")

    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_is_for_its_owner_and_its_directory_is_made(tmp_path: Path) -> None:
    path = tmp_path / "project" / ".claude" / "settings.json"

    write_file(read_file(path), b"new")

    assert path.stat().st_mode & 0o777 == 0o600


def test_a_link_stays_a_link_and_its_file_is_replaced(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text("old")
    path = tmp_path / "settings.json"
    path.symlink_to(real)

    write_file(read_file(path), b"new")

    assert path.is_symlink()
    assert real.read_bytes() == b"new"


def test_what_somebody_changed_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text("old")
    found = read_file(path)
    path.write_text("somebody's")

    with pytest.raises(Conflict, match="somebody changed it"):
        write_file(found, b"new")

    assert path.read_text() == "somebody's"


@pytest.mark.parametrize("kind", ["directory", "loop", "dangling", "pipe"])
def test_what_is_no_file_is_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "settings.json"
    if kind == "directory":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(path if kind == "loop" else tmp_path / "gone")

    with pytest.raises(InvalidInput, match="nothing was changed"):
        read_file(path)


def test_a_file_that_is_marked_as_not_to_be_written_is_left_alone(
    tmp_path: Path,
) -> None:
    path = tmp_path / "settings.json"
    path.write_text("old")
    path.chmod(0o444)

    with pytest.raises(InvalidInput, match="nothing was changed"):
        write_file(read_file(path), b"new")

    assert path.read_text() == "old"


@needs_a_user
def test_a_closed_directory_is_told(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text("old")
    tmp_path.chmod(0o500)

    with pytest.raises(InvalidInput, match="Permission denied"):
        write_file(read_file(path), b"new")


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"\xff{}")

    with pytest.raises(InvalidInput, match="not UTF-8"):
        read_file(path).text  # noqa: B018 - it raises
