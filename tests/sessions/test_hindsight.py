"""What came later moves the confidence of a judgement, and never its outcome."""

from __future__ import annotations

import pytest

from oldhand.sessions.outcome.hindsight import PastCall, is_correction, reconsider


def call(
    seq: int, outcome: str, *, shape: str = "Bash:make", arguments: str = "{}"
) -> PastCall:
    return PastCall(seq, "Bash", shape, arguments, outcome, 0.8)


def test_a_retry_that_worked_speaks_for_the_failure() -> None:
    found = reconsider([call(1, "error"), call(3, "ok")])

    assert found == {0: ("retry-worked", 0.9)}


@pytest.mark.parametrize("outcome", ["error", "negative"])
def test_a_retry_counts_only_soon(outcome: str) -> None:
    others = [call(seq, "ok", shape="Read(file_path:path)") for seq in (2, 3, 4)]

    assert reconsider([call(1, outcome), *others, call(5, "ok")]) == {}
    assert 0 in reconsider([call(1, outcome), *others[:2], call(5, "ok")])


def test_another_shape_is_no_retry() -> None:
    assert reconsider([call(1, "error"), call(2, "ok", shape="Bash:ls")]) == {}


def test_the_very_same_call_that_then_fails_speaks_against_a_success() -> None:
    found = reconsider([call(1, "ok"), call(2, "error")])

    assert found == {0: ("repeat-failed", 0.64)}
    changed = [call(1, "ok"), call(2, "error", arguments='{"a":1}')]
    assert reconsider(changed) == {}


def test_a_correction_speaks_against_what_the_user_saw_last() -> None:
    first = call(1, "ok", arguments='{"a":1}')
    calls = [first, call(3, "ok"), call(3, "error"), call(7, "ok")]

    found = reconsider(calls, corrections=[5])

    assert found[1] == ("corrected", 0.64)
    assert found.keys() == {1, 2}  # the error was retried, and worked


def test_a_correction_before_the_first_call_blames_nothing() -> None:
    assert reconsider([call(4, "ok")], corrections=[2]) == {}


@pytest.mark.parametrize("outcome", ["blocked", "cancelled", "pending", "unknown"])
def test_of_what_was_not_judged_well_or_ill_nothing_is_thought(outcome: str) -> None:
    assert reconsider([call(1, outcome), call(2, "ok")], corrections=[2]) == {}


@pytest.mark.parametrize(
    "said",
    [
        "No, I meant the other file",
        "that's not what I asked for",
        "it still fails",
        "This doesn't work.",
        "you forgot the tests",
        "revert that",
        "Wrong file",
    ],
)
def test_corrections_are_known(said: str) -> None:
    assert is_correction(said)


@pytest.mark.parametrize(
    "said",
    [
        "now add a test",
        "Great, commit it",
        "note that the build is slow",
        "nothing else, thanks",
        "Can you stop the server afterwards",
        "",
        "yes. " + "x" * 200 + " that is wrong",
    ],
)
def test_other_words_are_no_correction(said: str) -> None:
    assert not is_correction(said)
