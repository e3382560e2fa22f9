"""What an import will read, and what it is told to pass over."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from oldhand.sessions.importers import ReadContext, Source, find_units, source_named
from oldhand.sessions.model import Session


def touch(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def found(root: Path, *exclude: str) -> list[str]:
    units = find_units(source_named("claude-code"), [root], exclude=exclude)
    return [unit.path.name for unit in units]


@pytest.mark.parametrize(
    "pattern",
    [
        "*/secret/*",
        "*/secret",
        "{root}/secret",
        "{root}/secret/",
        "{root}/secret/b.jsonl",
        "~/secret",
        "secret",
        "secret/*.jsonl",
    ],
)
def test_a_glob_keeps_out_a_file_and_all_below_a_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pattern: str
) -> None:
    touch(tmp_path / "open" / "a.jsonl")
    touch(tmp_path / "secret" / "b.jsonl")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    assert found(tmp_path, pattern.format(root=tmp_path)) == ["a.jsonl"]


def test_a_glob_keeps_out_what_is_reached_by_a_relative_path_or_a_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    touch(tmp_path / "secret" / "b.jsonl")
    (tmp_path / "link").symlink_to(tmp_path / "secret")
    monkeypatch.chdir(tmp_path)

    assert found(Path("secret"), f"{tmp_path}/secret/*") == []
    assert found(tmp_path / "link", f"{tmp_path}/secret/*") == []


def test_a_glob_with_a_home_that_nobody_has_matches_nothing(tmp_path: Path) -> None:
    touch(tmp_path / "a.jsonl")

    assert found(tmp_path, "~nobody-of-that-name/*") == ["a.jsonl"]


def test_a_file_has_one_name_wherever_the_import_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = touch(tmp_path / "logs" / "a.jsonl")
    monkeypatch.chdir(tmp_path)

    (unit,) = find_units(source_named("claude-code"), [Path("logs")])

    assert unit.name == str(path)


def test_a_name_that_is_no_text_is_escaped(tmp_path: Path) -> None:
    touch(Path(os.fsdecode(os.fsencode(tmp_path) + b"/a\xff.jsonl")))

    (unit,) = find_units(source_named("claude-code"), [tmp_path])

    assert unit.name == f"{tmp_path}/a\\xff.jsonl"


def test_a_place_that_is_closed_is_found_so_that_reading_names_it(
    tmp_path: Path,
) -> None:
    def refuse(root: Path) -> Iterator[Path]:
        raise PermissionError(13, "Permission denied", str(root))

    def read(_path: Path, _context: ReadContext) -> Iterator[Session]:
        return iter(())

    closed = Source(name="closed", homes=lambda _env, _home: [], find=refuse, read=read)

    assert [unit.path for unit in find_units(closed, [tmp_path])] == [tmp_path]
