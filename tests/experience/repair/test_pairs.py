"""Repairs are found among a session's calls: what failed, and what then worked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from oldhand.experience.repair.pairs import SOON_CALLS, error_words, find_pairs
from oldhand.experience.repair.past_calls import Names, PastCall
from oldhand.sessions.keys import call_id, message_id

BASH, READ = 1, 2
GO_TEST, GO_RUN, LS = 11, 12, 13
NAMES = Names(
    frozenset(), frozenset({BASH}), {shape: shape for shape in (GO_TEST, GO_RUN, LS)}
)


def call(
    number: int,
    outcome: str,
    *,
    tool: int = BASH,
    shape: int = GO_TEST,
    arguments: str = "{}",
) -> PastCall:
    kind = "command" if outcome == "error" else None
    key = call_id(message_id(1, number), 0)
    return PastCall(key, tool, shape, outcome, kind, 10, arguments)


def found(*calls: PastCall) -> list[tuple[int, int]]:
    at = {one.id: number for number, one in enumerate(calls)}
    return [(at[f.id], at[w.id]) for f, w in find_pairs(calls, NAMES)]


def test_the_next_call_of_the_shape_that_worked_repairs_it() -> None:
    assert found(call(1, "error"), call(2, "error"), call(3, "ok"), call(4, "ok")) == [
        (0, 2),
        (1, 2),
    ]


def test_one_that_found_nothing_has_worked() -> None:
    assert found(call(1, "error"), call(2, "empty")) == [(0, 1)]


def test_a_red_test_is_not_repaired_by_calling_it_otherwise() -> None:
    assert found(call(1, "negative"), call(2, "ok")) == []


def test_what_was_refused_is_neither_a_repair_nor_in_need_of_one() -> None:
    assert found(call(1, "blocked"), call(2, "ok")) == []
    assert found(call(1, "error"), call(2, "blocked")) == []


def test_another_tool_repairs_nothing() -> None:
    assert found(call(1, "error"), call(2, "ok", tool=READ)) == []


def test_a_call_that_shares_nothing_only_came_after() -> None:
    assert found(call(1, "error"), call(2, "ok", shape=LS)) == []


def test_another_shape_repairs_it_where_it_is_about_the_same() -> None:
    failed = call(1, "error", arguments='{"command":"go tset ./cli/main.go"}')
    worked = call(2, "ok", shape=GO_RUN, arguments='{"command":"go run cli/main.go"}')

    assert found(failed, worked) == [(0, 1)]


def test_a_later_one_is_looked_for_behind_one_that_is_not_about_it() -> None:
    assert found(call(1, "error"), call(2, "ok", shape=LS), call(3, "ok")) == [(0, 2)]


def test_after_five_calls_it_is_no_repair_any_more() -> None:
    others = [call(n, "ok", tool=READ) for n in range(2, 2 + SOON_CALLS - 1)]

    assert found(call(1, "error"), *others, call(9, "ok")) == [(0, SOON_CALLS)]
    assert found(call(1, "error"), *others, others[0], call(9, "ok")) == []


def test_a_call_of_the_same_message_was_made_without_knowing_of_the_error() -> None:
    failed = call(1, "error")
    beside = failed._replace(id=failed.id + 1, outcome="ok", error_kind=None)

    assert found(failed, beside) == []


def test_errors_that_differ_in_their_particulars_alone_have_the_same_words() -> None:
    assert error_words("Exit code 1\nunknown flag: --stat") == error_words(
        "unknown flag: --no-pager"
    )
    assert error_words("<tool_use_error>File does not exist.") == error_words(
        "File does not exist."
    )
    assert error_words("File does not exist.") != error_words("unknown flag: --stat")


@given(st.text())
def test_words_of_any_error_fit_into_a_column(error: str) -> None:
    assert 0 <= error_words(error) < 1 << 32
