"""What counts, in which arm, and when; what is said where there is too little."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest

from oldhand.experience.experiment import (
    Experiment,
    analyse,
    assign,
    find_experiment,
    shares_of,
    start_experiment,
    stop_experiment,
)
from oldhand.experience.experiment.measure import SILENT_US, Measured, measure
from oldhand.experience.warm import WarmRequest
from oldhand.sessions.model import Evidence, Message, MessageType, Session, ToolCall
from oldhand.sessions.record import SessionWriter
from oldhand.store import Store
from oldhand.testing import FakeClock

HORIZON = 3
EVIDENCE = {
    "ok": Evidence(is_error=False),
    "error": Evidence(is_error=True),
    "blocked": Evidence(refused=True, is_error=True),
    "cancelled": Evidence(cancelled=True),
}
Ran = Callable[..., None]


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def experiment(store: Store, clock: FakeClock) -> Experiment:
    return start_experiment(
        store,
        "e",
        shares=shares_of(["cold", "warm"], None),
        holdout=0,
        horizon=HORIZON,
        salt="salt",
        clock=clock,
    )


@pytest.fixture
def ran(store: Store, experiment: Experiment, clock: FakeClock) -> Ran:
    """Return a function that assigns a session and records what it did."""

    def record(
        uid: str,
        outcomes: Sequence[str] | None,
        *,
        tool: str = "lookup",
        has_ended: bool = True,
        message_type: MessageType = "turn",
    ) -> None:
        assign(store, experiment, WarmRequest(session=uid), agent="a", clock=clock)
        clock.advance(1_000_000)
        if outcomes is None:
            return
        messages = [Message(role="user", content="Go", at_us=clock())]
        for number, outcome in enumerate(outcomes):
            call = ToolCall(f"c{number}", tool, json.dumps({"number": number}))
            messages.append(
                Message(
                    role="assistant", calls=[call], at_us=clock(), type=message_type
                )
            )
            if outcome != "pending":
                messages.append(
                    Message(
                        role="tool",
                        content="said",
                        call_id=call.call_id,
                        evidence=EVIDENCE[outcome],
                        at_us=clock(),
                    )
                )
        session = Session(
            uid=uid,
            source="test",
            messages=messages,
            ended_at_us=clock() if has_ended else None,
        )
        with store.transaction():
            SessionWriter(store).write(session)

    return record


@pytest.fixture
def one(
    store: Store, experiment: Experiment, clock: FakeClock
) -> Callable[[], Measured]:
    """Return a function that measures the only session."""

    def measured() -> Measured:
        (found,) = measure(store, experiment, clock=clock)
        return found

    return measured


def test_the_first_working_calls_are_looked_at(
    ran: Ran, one: Callable[[], Measured]
) -> None:
    ran("s", ["ok", "ok", "ok", "error"])

    assert (one().first_calls, one().bad_calls, one().calls) == (3, 0, 4)


def test_calls_that_were_refused_or_cancelled_do_not_count(
    ran: Ran, one: Callable[[], Measured]
) -> None:
    ran("s", ["blocked", "cancelled", "ok", "ok", "error", "error"])

    assert (one().first_calls, one().bad_calls, one().refused_calls) == (3, 1, 1)
    assert one().is_bad


@pytest.mark.parametrize(
    ("tool", "message_type"), [("TodoWrite", "turn"), ("lookup", "sidechain")]
)
def test_calls_of_tools_that_do_no_work_and_of_subagents_do_not_count(
    ran: Ran, one: Callable[[], Measured], tool: str, message_type: MessageType
) -> None:
    ran("s", ["error", "ok"], tool=tool, message_type=message_type)

    assert (one().first_calls, one().bad_calls) == (0, 0)


@pytest.mark.parametrize(
    ("outcomes", "has_ended", "is_settled"),
    [
        (["ok", "ok", "ok"], False, True),
        (["ok", "ok"], False, False),
        (["ok", "ok", "pending"], False, False),
        (["ok", "ok"], True, True),
        ([], True, True),
        (None, False, False),
    ],
)
def test_a_session_is_settled_when_its_first_calls_are_there_or_it_has_ended(
    ran: Ran,
    one: Callable[[], Measured],
    clock: FakeClock,
    outcomes: list[str] | None,
    has_ended: bool,
    is_settled: bool,
) -> None:
    ran("s", outcomes, has_ended=has_ended)
    before = one().is_settled
    clock.advance(SILENT_US)

    assert before is is_settled
    assert one().is_settled


def test_a_session_counts_in_the_arm_that_it_drew_whatever_happened_after(
    store: Store, experiment: Experiment, clock: FakeClock, ran: Ran
) -> None:
    for number in range(30):
        ran(f"s{number}", [["error"], ["ok"], [], None][number % 4])
    clock.advance(SILENT_US)

    found = analyse(store, experiment, clock=clock)

    assert found.waiting == 0
    assert sum(arm.assigned for arm in found.arms) == 30
    assert sum(arm.counted for arm in found.arms) == 30
    assert sum(arm.without_calls for arm in found.arms) == 14
    assert sum(arm.bad_sessions for arm in found.arms) == 8


def test_sessions_wait_for_one_that_was_drawn_before_and_is_open(
    store: Store, experiment: Experiment, clock: FakeClock, ran: Ran
) -> None:
    ran("done", ["ok"])
    ran("open", ["ok"], has_ended=False)
    ran("later", ["ok"])

    found = analyse(store, experiment, clock=clock)

    assert sum(arm.counted for arm in found.arms) == 1
    assert found.waiting == 2


def test_what_comes_after_the_stop_is_shown_apart(
    store: Store, experiment: Experiment, clock: FakeClock, ran: Ran
) -> None:
    ran("before", ["ok"])
    stop_experiment(store, "e", clock=clock)
    clock.advance(1)
    stopped = find_experiment(store, experiment.name)
    assign(store, stopped, WarmRequest(session="after"), clock=clock)

    found = analyse(store, stopped, clock=clock)

    assert sum(arm.assigned for arm in found.arms) == 1
    assert found.since_stop == {"warm": 1}


def test_with_few_sessions_the_number_that_is_missing_is_a_planned_one(
    store: Store, experiment: Experiment, clock: FakeClock, ran: Ran
) -> None:
    empty = analyse(store, experiment, clock=clock).comparisons[0]
    ran("s", ["ok"])
    (comparison,) = analyse(store, experiment, clock=clock).comparisons

    assert empty.path == []
    assert comparison.is_planned
    assert comparison.decided_at is None
    assert comparison.needed is not None
    assert 300 < comparison.needed < 700


def test_a_difference_that_is_there_is_found_and_nothing_is_missing(
    store: Store, experiment: Experiment, clock: FakeClock, ran: Ran
) -> None:
    for number in range(120):
        arm = assign(
            store, experiment, WarmRequest(session=f"s{number}"), clock=clock
        ).arm
        ran(f"s{number}", ["error" if arm == "cold" else "ok"])

    found = analyse(store, experiment, clock=clock)
    (comparison,) = found.comparisons

    assert comparison.difference == -1
    assert comparison.decided_at is not None
    assert comparison.decided_at < 60
    assert (comparison.needed, comparison.is_planned) == (0, False)
    assert comparison.path[-1].high < 0
    assert {each.measure: each.high for each in found.guardrails}["bad-call rate"] == -1
    json.dumps(found.as_json())


def test_where_tokens_and_cost_are_unknown_no_mean_is_told(
    store: Store, experiment: Experiment, clock: FakeClock, ran: Ran
) -> None:
    ran("s", ["ok"])

    found = analyse(store, experiment, clock=clock)

    tokens = next(each for each in found.guardrails if each.measure == "tokens")
    assert (tokens.mean, tokens.cold_mean, tokens.unknown) == (None, None, 1)
