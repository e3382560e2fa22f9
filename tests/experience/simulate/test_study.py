"""The meter, tested: a policy that reads only its messages, in the real pipe."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from oldhand.experience.simulate.policy import (
    Message,
    ignores_its_context,
    reads_its_messages,
    request,
)
from oldhand.experience.simulate.study import (
    Place,
    prepare_place,
    run_experiment,
    run_pairs,
)
from oldhand.experience.simulate.world import DAYS, FORMS, form_of, make_world
from oldhand.store import Query, Store

_OUTCOMES = "SELECT DISTINCT outcome FROM tool_calls ORDER BY 1"


@pytest.fixture
def place(store: Store) -> Place:
    return prepare_place(store, seed=1)


def test_the_meter_sees_what_true_examples_do(place: Place) -> None:
    found = run_experiment(place, "true", arms=("cold", "warm"), sessions=120)

    (comparison,) = found.comparisons
    assert comparison.decided_at is not None
    assert comparison.path[-1].high < 0


def test_a_session_that_runs_twice_does_better_with_true_examples(place: Place) -> None:
    pairs = run_pairs(place, "pairs", reads_its_messages, sessions=30)

    assert pairs.mean("warm") < -0.2
    assert 1 not in pairs.differences["warm"]
    assert set(pairs.differences["cold"]) == {0}


def test_a_session_that_runs_twice_does_worse_with_false_examples(
    store: Store,
) -> None:
    place = prepare_place(store, seed=1, have_tools_changed=True)

    pairs = run_pairs(place, "pairs", reads_its_messages, sessions=30)

    assert pairs.mean("warm") > 0.2


def test_a_placebo_makes_no_difference(place: Place) -> None:
    pairs = run_pairs(place, "pairs", reads_its_messages, sessions=30)

    assert len(pairs.differences["placebo"]) > 5
    assert abs(pairs.mean("placebo")) < 0.05


def test_what_ignores_its_context_differs_in_no_session(place: Place) -> None:
    pairs = run_pairs(place, "pairs", ignores_its_context, sessions=30)

    assert {each for found in pairs.differences.values() for each in found} == {0}
    assert len(pairs.differences["warm"]) > 5


def test_the_same_seed_gives_the_same_sessions(store: Store, place: Place) -> None:
    one = run_pairs(place, "one", reads_its_messages, sessions=10)

    # Another name draws other arms, but the sessions that run are the same ones.
    again = run_pairs(place, "one-more", ignores_its_context, sessions=10)

    assert sum(map(len, one.differences.values())) == 10
    assert sum(map(len, again.differences.values())) == 10
    outcomes = store.query_all(Query("outcomes", _OUTCOMES, _OUTCOMES))
    assert outcomes == [("error",), ("ok",)]


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_known_by_its_arguments(form: str) -> None:
    assert {form_of(FORMS[form](day)) for day in range(1, DAYS + 1)} == {form}


def test_odd_tools_take_another_form() -> None:
    world = make_world(verb="list", odd=3, rng=random.Random(1))  # noqa: S311

    assert sum(form != "iso" for form in world.forms.values()) == 3
    assert world.answer("list_orders", {"when": "today"}).startswith("Error")


def asked(*said: Message) -> list[Message]:
    return [*said, {"role": "user", "content": request("list_orders", 5)}]


def made(arguments: str, answer: str) -> list[Message]:
    function = {"name": "list_orders", "arguments": arguments}
    call = {"id": "c", "type": "function", "function": function}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": answer},
    ]


@pytest.mark.parametrize(
    ("policy", "said", "form"),
    [
        (reads_its_messages, [], "iso"),
        (reads_its_messages, made('{"date": 1}', "3 rows"), "seconds"),
        (ignores_its_context, made('{"date": 1}', "3 rows"), "iso"),
        (reads_its_messages, made('{"date": "2026-01-01"}', "Error: no"), "seconds"),
    ],
)
def test_a_policy_goes_by_what_it_sees(
    policy: Callable[..., object], said: list[Message], form: str
) -> None:
    forms = [
        form_of(policy(asked(*said), random.Random(seed)).arguments)  # type: ignore[attr-defined]  # noqa: S311
        for seed in range(50)
    ]

    # It slips now and then.
    assert forms.count(form) >= 45
