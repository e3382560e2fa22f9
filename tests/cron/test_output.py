"""The output of a run: whole up to a limit, then its two ends; and never a secret."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.cron.output import Output

LINES = [f"line {number} of what it said\n" for number in range(200_000)]


def test_all_is_kept_where_it_fits() -> None:
    said = Output()
    for line in LINES[:1_000]:
        said.add(line)

    assert said.kept() == ("".join(LINES[:1_000]), said.chars, 0)


def test_a_long_one_is_kept_by_its_beginning_and_end() -> None:
    said = Output(head_chars=10_000, tail_chars=20_000)
    for line in LINES:
        said.add(line)

    kept = said.kept()

    head, between, tail = kept.text.partition("\n[…")
    mark, _, tail = tail.partition("…]\n")
    assert between
    assert "".join(LINES).startswith(head)
    assert "".join(LINES).endswith(tail)
    assert 9_900 < len(head) <= 10_000
    assert 19_900 < len(tail) <= 20_000
    assert kept.dropped == kept.chars - len(head) - len(tail)
    assert f" {kept.dropped:,} of {kept.chars:,} " in mark


@given(st.lists(st.text(alphabet="abc\n", max_size=9), max_size=30), st.integers(1, 40))
def test_how_it_was_said_changes_nothing(pieces: list[str], room: int) -> None:
    one, other = (Output(head_chars=room, tail_chars=room) for _ in range(2))
    for piece in pieces:
        one.add(piece)
    other.add("".join(pieces))

    assert one.kept() == other.kept()


@pytest.mark.parametrize("before", range(28, 60))
def test_a_secret_at_the_border_is_not_half_there(before: int) -> None:
    said = Output(head_chars=60, tail_chars=60)
    secret = "PGPASSWORD=correct-horse-7 psql\n"  # noqa: S105 - a made one
    said.add("x" * before + "\n" + secret + "y\n" * 40 + secret + "z" * before + "\n")

    text = said.kept().text

    assert "correct" not in text
    assert "horse" not in text


def test_a_part_of_it_is_enough_on_the_way() -> None:
    said = Output()
    for line in LINES:
        said.add(line)

    part, whole = said.kept(most_chars=1_000), said.kept()

    assert part.text.startswith("line 0 of")
    assert part.text.endswith(LINES[-1])
    assert len(part.text) < 1_100
    assert part.chars == whole.chars == said.chars
    assert part.dropped > whole.dropped


def test_words_said_one_by_one_take_no_more_room() -> None:
    said = Output(head_chars=10, tail_chars=100_000)
    for _ in range(100_000):
        said.add("ab")

    assert len(said._tail) < 100
    assert said.kept().text.endswith("ab")
