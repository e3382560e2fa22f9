"""A session draws once, is given the same again, and what it is given is on record."""

from __future__ import annotations

import hashlib
import json

import pytest

from oldhand.errors import Conflict, InvalidInput, NotFound
from oldhand.experience.experiment import (
    assign,
    find_experiment,
    forget_sessions,
    stop_experiment,
)
from oldhand.store import Query, Store

from ..conftest import Teach, bash  # noqa: TID252 - tests are no package
from .conftest import HERE, draw_one, request, start

_ROWS = """SELECT a.session, a.arm, a.principal, a.agent, u.digest, u.tokens
    FROM assignments a LEFT JOIN warm_uses u ON u.id = a.warm_use_id ORDER BY a.id"""
ROWS = Query("rows", _ROWS, _ROWS)
_USES = "SELECT count(*) FROM warm_uses"
USES = Query("uses", _USES, _USES)


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


def test_a_warm_session_is_given_what_is_on_record_as_given(taught: Store) -> None:
    made = draw_one(taught, start(taught), "warm")

    text = made.start.text or ""
    digest = hashlib.sha256(text.encode()).hexdigest()
    rows = {row[0]: row[1:] for row in taught.query_all(ROWS)}
    assert "make test" in text
    assert rows[made.session] == (
        "warm",
        "ada",
        "test-agent",
        digest,
        made.start.tokens,
    )


def test_a_cold_session_is_given_nothing_and_is_on_record(taught: Store) -> None:
    made = draw_one(taught, start(taught), "cold")

    rows = {row[0]: row[1:] for row in taught.query_all(ROWS)}
    assert (made.start.text, made.start.tokens, made.start.examples) == ("", 0, ())
    assert rows[made.session][0] == "cold"
    assert rows[made.session][3] is None


@pytest.mark.parametrize("arm", ["cold", "warm", "placebo"])
def test_the_same_session_is_given_the_same_bytes_whatever_was_learnt_since(
    taught: Store, teach: Teach, arm: str
) -> None:
    experiment = start(taught)
    first = draw_one(taught, experiment, arm)
    uses = taught.query_one(USES)
    for number in range(5):
        teach(f"later-{number}", bash("cargo build", "ok"), day=10, project=HERE)

    again = assign(taught, experiment, request(first.session, tokens=300))

    assert first.is_new
    assert not again.is_new
    assert again.start == first.start
    assert taught.query_one(USES) == uses


def test_native_turns_come_again_as_well(taught: Store) -> None:
    experiment = start(taught, "cold", "warm")
    wanted = [request(f"s{number}", target="openai") for number in range(20)]
    first = [assign(taught, experiment, each) for each in wanted]

    again = [assign(taught, experiment, each) for each in wanted]

    assert [each.start for each in again] == [each.start for each in first]
    assert {bool(each.start.messages) for each in again} == {True, False}


def test_a_session_in_the_warm_arm_stays_there_where_nothing_was_learnt(
    store: Store,
) -> None:
    made = draw_one(store, start(store), "warm")

    assert made.start.text == ""
    assert "no sessions with tool calls" in made.note


def test_a_session_that_has_made_calls_takes_no_part(taught: Store) -> None:
    with pytest.raises(Conflict, match="3 calls before it was assigned"):
        assign(taught, start(taught), request("here-1"))

    assert taught.query_all(ROWS) == []


def test_without_a_session_nothing_is_drawn(taught: Store) -> None:
    with pytest.raises(InvalidInput, match="none is named"):
        assign(taught, start(taught), request(None))


def test_another_target_is_not_the_same_bytes(taught: Store) -> None:
    experiment = start(taught)
    assign(taught, experiment, request("s"))

    with pytest.raises(Conflict, match="for the target 'text'"):
        assign(taught, experiment, request("s", target="openai"))


def test_what_cannot_be_given_fails_in_every_arm(taught: Store) -> None:
    experiment = start(taught)
    for number in range(12):
        with pytest.raises(NotFound, match="no template"):
            assign(taught, experiment, request(f"s{number}", template="nobody"))

    assert taught.query_all(ROWS) == []


def test_when_it_is_stopped_only_those_held_out_stay_cold(taught: Store) -> None:
    start(taught, holdout=0.5)
    stop_experiment(taught, "e")
    experiment = find_experiment(taught, "e")

    made = [assign(taught, experiment, request(f"s{number}")) for number in range(20)]

    assert {(each.arm, each.is_held_out) for each in made} == {
        ("cold", True),
        ("warm", False),
    }


def test_an_erased_session_leaves_no_assignment_and_is_shown_no_more(
    taught: Store,
) -> None:
    experiment = start(taught)
    warm = draw_one(taught, experiment, "warm")
    cold = draw_one(taught, experiment, "cold")
    shown = {example.session for example in warm.start.examples}

    with taught.transaction():
        forget_sessions(taught, [*shown, cold.session])

    sessions = [row[0] for row in taught.query_all(ROWS)]
    again = assign(taught, experiment, request(warm.session))
    assert cold.session not in sessions
    assert warm.session in sessions
    assert again.start.text == ""
    assert "erased" in again.note


def test_an_assignment_is_json(taught: Store) -> None:
    made = draw_one(taught, start(taught), "warm")

    value = json.loads(json.dumps(made.as_json()))

    assert (value["experiment"], value["arm"]) == ("e", "warm")
    assert value["text"] == made.start.text
