"""Files in directories that somebody else arranges."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from oldhand.sessions.importers import source_named
from oldhand.sessions.importers.files import changed_ns, files_below, is_there

needs_permissions = pytest.mark.skipif(
    os.geteuid() == 0, reason="nothing is closed to root"
)


def test_files_are_found_below_a_directory_by_ending_and_in_order(
    tmp_path: Path,
) -> None:
    (tmp_path / "b").mkdir()
    for name in ("b/2.jsonl", "a.jsonl", "a.json", "a.txt"):
        (tmp_path / name).touch()

    found = list(files_below(tmp_path, "*.jsonl", "*.json"))

    assert found == [tmp_path / name for name in ("a.json", "a.jsonl", "b/2.jsonl")]


def test_what_is_no_file_is_passed_over(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "link.jsonl").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to(tmp_path)

    assert list(files_below(tmp_path, "*.jsonl")) == []
    assert list(files_below(tmp_path / "pipe.jsonl", "*.jsonl")) == []
    assert list(files_below(tmp_path / "nothing", "*.jsonl")) == []


def test_a_link_to_a_file_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    (tmp_path / "link.jsonl").symlink_to("a.txt")

    assert list(files_below(tmp_path, "*.jsonl")) == [tmp_path / "link.jsonl"]


@needs_permissions
def test_a_directory_that_is_closed_stands_for_its_files(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    (closed / "a.jsonl").touch()
    closed.chmod(0)

    found = list(files_below(tmp_path, "*.jsonl"))
    closed.chmod(0o700)

    assert found == [closed]


def test_a_file_that_went_away_changed_at_no_time(tmp_path: Path) -> None:
    assert changed_ns(tmp_path / "gone") == 0
    assert not is_there(tmp_path / "gone")
    assert is_there(tmp_path)


def test_every_source_finds_its_files_alike(tmp_path: Path) -> None:
    """A link to nothing and a named pipe among the files stop none of them."""
    (tmp_path / "rollout-a.jsonl").write_text("{}\n")
    (tmp_path / "rollout-b.jsonl").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "rollout-c.jsonl")

    for name in ("claude-code", "codex", "openai", "oldhand"):
        found = [path.name for path in source_named(name).find(tmp_path)]
        assert found == ["rollout-a.jsonl"], name
