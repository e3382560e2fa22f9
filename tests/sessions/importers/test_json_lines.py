"""Lines of JSON that another program may be writing to."""

from __future__ import annotations

from pathlib import Path

import pytest

from oldhand.errors import UnreadableSource
from oldhand.sessions.importers import Tally, json_lines
from oldhand.sessions.importers.json_lines import read_json_lines


def read(path: Path) -> tuple[list[object], Tally]:
    tally = Tally()
    return [value for _, value in read_json_lines(path, tally=tally)], tally


def test_a_half_of_a_surrogate_pair_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a\\ud800b", "\\udfff": ["\\ud83d\\ude00"]}\n')

    values, _ = read(path)

    assert values == [{"text": "a\ufffdb", "\ufffd": ["😀"]}]


def test_a_byte_order_mark_and_windows_line_ends_cost_no_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}\r\n{"b": 2}\r\n')

    values, tally = read(path)

    assert values == [{"a": 1}, {"b": 2}]
    assert tally.malformed == []


def test_a_line_that_is_too_long_is_counted_and_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_lines, "MAX_LINE_BYTES", 100)
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\n{"b": "' + "x" * 950 + '"}\n{"c": 3}\n')

    values, tally = read(path)

    assert values == [{"a": 1}, {"c": 3}]
    assert [place.reason for place in tally.malformed] == ["longer than 64 MB"]


def test_bytes_that_were_read_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\n{"b": 2}\n')
    told: list[int] = []

    list(read_json_lines(path, tally=Tally(), progress=told.append))

    assert sum(told) == path.stat().st_size


def test_a_compressed_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\x1f\x8b\x08rest")

    with pytest.raises(UnreadableSource, match=r"a\.jsonl: a binary file"):
        read(path)


def test_a_nesting_too_deep_to_read_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("[" * 100_000 + "\n" + '{"a": 1}\n')

    values, tally = read(path)

    assert values == [{"a": 1}]
    assert len(tally.malformed) == 1
