"""What programs print becomes text, however it comes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.cron.runner.tidy import Tidy


def tidied(*pieces: bytes) -> str:
    tidy = Tidy()
    return "".join([*map(tidy.take, pieces), tidy.rest()])


@pytest.mark.parametrize(
    ("printed", "text"),
    [
        (b"one\ntwo", "one\ntwo"),
        (b"one\r\ntwo\r\n", "one\ntwo\n"),
        (b"1 %\r50 %\r100 %\ndone\n", "100 %\ndone\n"),
        (b"1 %\r50 %\r", "50 %"),
        (b"\x1b[1;31mred\x1b[0m \x1b]0;title\x07text", "red text"),
        (b"\xff\xfe\0\n", "\ufffd\ufffd\ufffd\n"),
        (b"\x1b", "\x1b"),
    ],
)
def test_it_reads_as_a_person_saw_it(printed: bytes, text: str) -> None:
    assert tidied(printed) == text


@given(st.text(alphabet="ab\n€\r\x1b[m", max_size=60), st.integers(1, 7))
def test_how_it_is_cut_changes_nothing(text: str, size: int) -> None:
    data = text.encode()
    pieces = [data[at : at + size] for at in range(0, len(data), size)]

    assert tidied(*pieces) == tidied(data)


def test_a_line_without_an_end_is_handed_on() -> None:
    tidy = Tidy()

    given_on = sum(len(tidy.take(b"x" * 10_000)) for _ in range(100))

    assert given_on > 900_000
    assert given_on + len(tidy.rest()) == 1_000_000
