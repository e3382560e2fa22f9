"""Results find their calls, with ids, without ids, and with ids used twice."""

from __future__ import annotations

import time

import pytest

from oldhand.sessions.importers.call_pairs import CallPairs
from oldhand.sessions.importers.tally import Tally


@pytest.fixture
def pairs() -> CallPairs:
    return CallPairs(Tally())


def begin(pairs: CallPairs, named: str | None, tool: str = "t", at: int = 1) -> str:
    return pairs.begin(named, tool=tool, arguments="{}", fallback=f"#{at}").call_id


def test_an_id_in_use_is_answered_oldest_call_first(pairs: CallPairs) -> None:
    begin(pairs, "c")
    begin(pairs, "c")

    assert [pairs.finish("c"), pairs.finish("c")] == ["c", "c~2"]


def test_a_result_without_id_answers_the_oldest_call_of_its_tool(
    pairs: CallPairs,
) -> None:
    begin(pairs, None, "a", 1)
    begin(pairs, None, "b", 2)
    begin(pairs, None, "b", 3)

    assert pairs.finish(None, tool="b") == "#2"
    assert pairs.finish(None) == "#1"
    assert pairs.finish(None) == "#3"


def test_results_too_many_are_counted_by_their_fault(pairs: CallPairs) -> None:
    begin(pairs, "c")

    assert pairs.finish("c") == "c"
    assert [pairs.finish("c"), pairs.finish("x"), pairs.finish(None)] == [None] * 3
    assert (pairs.tally.duplicates, pairs.tally.orphans) == (1, 2)


def test_an_unanswered_call_is_told_once(pairs: CallPairs) -> None:
    begin(pairs, "a")
    begin(pairs, "b")
    pairs.finish("a")

    assert pairs.new_unanswered() == ["b"]
    assert pairs.new_unanswered() == []


def test_many_calls_of_one_id_are_paired_in_linear_time(pairs: CallPairs) -> None:
    before = time.perf_counter()

    for _ in range(50_000):
        begin(pairs, "c")
    for _ in range(50_000):
        pairs.finish("c")

    assert time.perf_counter() - before < 2
