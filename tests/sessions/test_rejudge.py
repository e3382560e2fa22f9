"""Calls judged anew from the database alone, and in the light of what came later."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.sessions.live.recorder import Recorder
from oldhand.sessions.marks import evidence_of, marks_of
from oldhand.sessions.model import Evidence, Message, Session, ToolCall
from oldhand.sessions.read_calls import find_call, iterate_calls
from oldhand.sessions.record import SessionWriter
from oldhand.sessions.rejudge import explain_call, look_back, rejudge_all
from oldhand.store import Query, Store

FORGET = Query(
    "forget",
    "UPDATE tool_calls SET outcome = 'ok', rule = 'old', confidence = 0.5, later = NULL",
    "UPDATE tool_calls SET outcome = 'ok', rule = 'old', confidence = 0.5, later = NULL",
)
FAILED_CALLS = Query(
    "failed_calls",
    "SELECT failed_call_count FROM sessions",
    "SELECT failed_call_count FROM sessions",
)


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


def turn(
    number: int, command: str, result: str, evidence: Evidence
) -> tuple[Message, Message]:
    name = f"c{number}"
    made = ToolCall(name, "Bash", json.dumps({"command": command}))
    return (
        Message(role="assistant", calls=[made]),
        Message(role="tool", content=result, call_id=name, evidence=evidence),
    )


def session() -> Session:
    """Return a session with every kind of evidence, a retry and a correction."""
    messages = [
        Message(role="user", content="Build it"),
        *turn(0, "cp a b", "no a", Evidence(exit_code=2)),
        *turn(1, "cp a b", "", Evidence(exit_code=0)),
        *turn(2, "rm -r build", "", Evidence(refused=True)),
        *turn(3, "sleep 99", "", Evidence(cancelled=True)),
        *turn(4, "cat log", "x" * 3_000, Evidence(is_error=False, is_partial=True)),
        Message(role="user", content="No, that's wrong"),
        *turn(5, "mv a b", "no a", Evidence(is_error=True)),
    ]
    return Session(uid="one", source="test", messages=messages)


def verdicts(store: Store) -> list[tuple[str, str, float]]:
    calls = iterate_calls(store)
    return [(call.outcome, call.rule, call.confidence) for call in calls]


@given(
    st.builds(
        Evidence,
        is_error=st.sampled_from((None, True, False)),
        exit_code=st.none() | st.integers(-(2**31), 2**31),
        refused=st.booleans(),
        cancelled=st.booleans(),
        is_partial=st.booleans(),
        duration_us=st.none(),
    )
)
def test_evidence_comes_back_from_its_row(evidence: Evidence) -> None:
    assert evidence_of(marks_of(evidence), evidence.exit_code) == evidence


def test_judging_anew_by_the_same_rules_changes_nothing(store: Store) -> None:
    with store.transaction():
        SessionWriter(store).write(session())

    found = rejudge_all(store)

    assert (found.calls, found.outcomes, found.reasons) == (6, {}, 0)


def test_judging_anew_brings_back_what_other_rules_had_said(store: Store) -> None:
    with store.transaction():
        SessionWriter(store).write(session())
    judged = verdicts(store)
    store.execute(FORGET)

    would_be = rejudge_all(store, keeps=False)
    unchanged = {rule for _, rule, _ in verdicts(store)}
    found = rejudge_all(store)

    assert unchanged == {"old"}
    assert would_be == found
    assert found.outcomes["ok", "error"] == 2
    assert verdicts(store) == judged
    assert store.query_one(FAILED_CALLS) == (2,)


def test_what_came_later_moves_the_confidence_alone(store: Store) -> None:
    with store.transaction():
        SessionWriter(store).write(session())

    first = explain_call(store, find_call(store, "c0"))
    last = explain_call(store, find_call(store, "c4"))

    assert first.later == "retry-worked"
    assert first.recorded.outcome == first.explanation.judgement.outcome == "error"
    assert first.recorded.confidence > first.explanation.judgement.confidence
    assert last.later == "corrected"
    assert last.recorded.confidence < last.explanation.judgement.confidence


def test_a_live_session_is_looked_back_on_when_it_ends(store: Store) -> None:
    recorder = Recorder(store, uid="one", source="test")
    for message in session().messages:
        recorder.append([message])
    before = verdicts(store)
    recorder.end()

    with store.transaction():
        moved = look_back(store, 1)

    assert moved == 0  # it was done, and is not done twice
    assert [verdict[:2] for verdict in verdicts(store)] == [v[:2] for v in before]
    assert explain_call(store, find_call(store, "c0")).later == "retry-worked"
    assert rejudge_all(store, keeps=False).reasons == 0


def test_an_explanation_ends_with_the_rule_that_decided(store: Store) -> None:
    with store.transaction():
        SessionWriter(store).write(session())

    explanation = explain_call(store, find_call(store, "one/c2")).explanation

    assert explanation.judgement.outcome == "blocked"
    assert [step.holds for step in explanation.steps] == [True]
    assert explanation.steps[-1].rule == explanation.judgement.rule
    assert all(step.question for step in explanation.steps)
