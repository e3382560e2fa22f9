"""Labels of calls: which are asked about, and what they say of judging."""

from __future__ import annotations

import json

import pytest

from oldhand.errors import InvalidInput
from oldhand.sessions.labels import label_call, sample, score_labels
from oldhand.sessions.model import Evidence, Message, Session, ToolCall
from oldhand.sessions.record import SessionWriter
from oldhand.store import Store
from oldhand.testing import FakeClock

WELL = Evidence(exit_code=0)
BAD = Evidence(exit_code=3)


@pytest.fixture
def calls(store: Store) -> Store:
    """Record forty calls that went well and two that failed."""
    messages = [Message(role="user", content="Go on")]
    for number in range(42):
        evidence = BAD if number < 2 else WELL
        made = ToolCall(f"c{number}", "Bash", json.dumps({"command": f"run {number}"}))
        messages.append(Message(role="assistant", calls=[made]))
        messages.append(
            Message(
                role="tool", content="done", call_id=f"c{number}", evidence=evidence
            )
        )
    with store.transaction():
        SessionWriter(store).write(Session(uid="one", source="test", messages=messages))
    return store


def test_every_rule_is_asked_about_however_rare(calls: Store) -> None:
    chosen = sample(calls, 4)

    assert len(set(chosen)) == 4
    report = score_labels(calls)
    for call in chosen:
        label_call(calls, call, "ok")
    labelled = {s.rule: n for s, (_, n, _) in score_labels(calls).strata.items()}
    assert labelled == {"exit-code": 2, "exit-0": 2}
    assert report.labels == 0


def test_a_sample_goes_on_where_the_last_ended(calls: Store) -> None:
    first = sample(calls, 6)
    assert sample(calls, 6) == first
    for call in first:
        label_call(calls, call, "ok")

    assert not set(first) & set(sample(calls, 50))
    assert len(sample(calls, 50)) == 36


def test_labels_are_weighted_by_how_many_calls_a_rule_judged(calls: Store) -> None:
    failed = [call for call in sample(calls, 4) if call >> 10 & 4095 < 6]
    for call in failed:
        label_call(calls, call, "error")
    for call in sample(calls, 10):
        label_call(calls, call, "ok")
    missed = sample(calls, 1)
    label_call(calls, missed[0], "error")

    report = score_labels(calls)

    assert report.precision.value == 1
    assert report.recall.value is not None  # 2 found, and 1 in 11 of 40 others missed
    assert report.recall.value == pytest.approx(2 / (2 + 40 / 11))
    assert report.recall.low < 0.3 < report.recall.high
    assert report.misses == [(missed[0], "ok", "error")]


def test_without_a_label_nothing_is_known(calls: Store) -> None:
    report = score_labels(calls)

    assert report.labels == 0
    assert report.calls == 42
    assert report.precision.value is None
    assert report.recall.high - report.recall.low > 0.5


def test_an_empty_database_has_nothing_to_score(store: Store) -> None:
    assert score_labels(store).precision == (None, 0, 1)
    assert sample(store, 5) == []


def test_a_label_replaces_the_one_before(calls: Store) -> None:
    (call,) = sample(calls, 1)
    label_call(calls, call, "ok", clock=FakeClock(1))
    label_call(calls, call, "error", clock=FakeClock(2))

    assert score_labels(calls).labels == 1


def test_a_label_is_an_outcome(calls: Store) -> None:
    with pytest.raises(InvalidInput, match="expected one of ok, empty"):
        label_call(calls, sample(calls, 1)[0], "fine")
