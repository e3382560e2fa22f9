"""Choosing examples: the budget, the order, the bound, and what is covered."""

from __future__ import annotations

import itertools
import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.errors import InvalidInput
from oldhand.experience.candidates import (
    Budget,
    Candidate,
    Levels,
    PastSession,
    Pool,
    Selection,
    Task,
)
from oldhand.experience.select import LEVEL_WEIGHTS, choose, cover, shape_shares

DIFF: Levels = ("Bash", "command", "git diff", "git diff")
DIFF_STAT: Levels = ("Bash", "command", "git diff", "git diff --stat")
PUSH: Levels = ("Bash", "command", "git push", "git push")
READ: Levels = ("Read", "file_path", "path.go", "path.go")
EDIT: Levels = ("Edit", "file_path", "path.go", "path.go")
LEVELS = {1: DIFF, 2: DIFF_STAT, 3: PUSH, 4: READ, 5: EDIT}


def past(
    counts: dict[int, int],
    *,
    uid: str = "s",
    at: int = 0,
    principal: str | None = None,
    words: tuple[str, ...] = (),
) -> PastSession:
    return PastSession(uid, at, principal, "project", words, counts)


def pool(prices: dict[int, int], *sessions: PastSession) -> Pool:
    candidates = [Candidate(shape, price) for shape, price in prices.items()]
    return Pool(sessions, candidates, LEVELS)


def ids(selection: Selection) -> list[int]:
    return [candidate.shape_id for candidate in selection.chosen]


@st.composite
def pools(draw: st.DrawFn, *, max_candidates: int = 12) -> Pool:
    """Draw a pool whose shapes share tools, keys and shapes with one another."""
    key = st.integers(0, 2)
    levels = draw(
        st.dictionaries(st.integers(0, 30), st.tuples(key, key, key, key), min_size=1)
    )
    shapes = st.sampled_from(sorted(levels))
    counts = st.dictionaries(shapes, st.integers(1, 40), max_size=8)
    sessions = st.builds(
        PastSession,
        uid=st.text("ab", max_size=3),
        started_at_us=st.integers(0, 3),
        principal=st.sampled_from([None, "ann", "bob"]),
        project=st.sampled_from([None, "p", "q"]),
        words=st.lists(st.sampled_from(["fix", "lint", "docs"]), max_size=4),
        counts=counts,
    )
    prices = draw(st.dictionaries(shapes, st.integers(1, 300), max_size=max_candidates))
    by_uid = st.lists(sessions, max_size=6, unique_by=lambda session: session.uid)
    candidates = [Candidate(shape, price) for shape, price in prices.items()]
    return Pool(draw(by_uid), candidates, levels)


tasks = st.builds(
    Task,
    words=st.lists(st.sampled_from(["fix", "lint", "new"]), max_size=3),
    principal=st.sampled_from([None, "ann"]),
    project=st.sampled_from([None, "p"]),
)
limits = st.none() | st.integers(0, 600)
one_limit = st.builds(Budget, tokens=st.integers(0, 600)) | st.builds(
    Budget, examples=st.integers(0, 6)
)
budgets = (
    st.tuples(limits, limits)
    .filter(lambda pair: pair != (None, None))
    .map(lambda pair: Budget(tokens=pair[0], examples=pair[1]))
)


@given(pools(), tasks, budgets)
def test_a_budget_is_never_passed(known: Pool, task: Task, budget: Budget) -> None:
    selection = choose(known, task=task, budget=budget)

    assert selection.tokens == sum(item.cost_tokens for item in selection.chosen)
    assert budget.tokens is None or selection.tokens <= budget.tokens
    assert budget.examples is None or len(selection.chosen) <= budget.examples
    assert len(set(selection.chosen)) == len(selection.chosen)
    assert 0 <= selection.coverage <= 1


@given(pools(), tasks, st.integers(0, 8))
def test_one_more_example_never_covers_less(
    known: Pool, task: Task, count: int
) -> None:
    fewer = choose(known, task=task, budget=Budget(examples=count))
    more = choose(known, task=task, budget=Budget(examples=count + 1))

    assert more.coverage >= fewer.coverage
    assert more.chosen[:count] == fewer.chosen


@given(pools(), tasks, st.integers(0, 400), st.integers(0, 400))
def test_more_tokens_never_cover_less_where_all_examples_cost_the_same(
    known: Pool, task: Task, tokens: int, extra: int
) -> None:
    alike = [Candidate(candidate.shape_id, 50) for candidate in known.candidates]
    known = known._replace(candidates=alike)

    fewer = choose(known, task=task, budget=Budget(tokens=tokens))
    more = choose(known, task=task, budget=Budget(tokens=tokens + extra))

    assert more.coverage >= fewer.coverage


@given(pools(), tasks, budgets, st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_change_the_choice(
    known: Pool, task: Task, budget: Budget, dice: Random
) -> None:
    sessions, candidates = list(known.sessions), list(known.candidates)
    levels = list(known.levels.items())
    for part in (sessions, candidates, levels):
        dice.shuffle(part)
    other = Pool(sessions, candidates, dict(levels))

    assert choose(known, task=task, budget=budget) == choose(
        other, task=task, budget=budget
    )


def value_of(
    chosen: tuple[Candidate, ...], known: Pool, shares: dict[int, float]
) -> float:
    """Add up what is covered, straight from the definition."""
    value = 0.0
    for level, level_weight in enumerate(LEVEL_WEIGHTS):
        keys = {shape: (key[0], key[level]) for shape, key in known.levels.items()}
        covered = {keys[candidate.shape_id] for candidate in chosen}
        found = (share for shape, share in shares.items() if keys[shape] in covered)
        value += level_weight * sum(found)
    return value


@given(pools(max_candidates=7), one_limit)
def test_the_choice_is_near_the_best_of_all_choices(
    known: Pool, budget: Budget
) -> None:
    shares = shape_shares(known.sessions, Task())
    selection = cover(known, shares, budget=budget)
    best = max(
        value_of(chosen, known, shares)
        for size in range(len(known.candidates) + 1)
        for chosen in itertools.combinations(known.candidates, size)
        if budget.examples is None or size <= budget.examples
        if budget.tokens is None
        or sum(item.cost_tokens for item in chosen) <= budget.tokens
    )

    reached = value_of(selection.chosen, known, shares)

    assert reached >= (1 - 1 / math.e) / 2 * best - 1e-9


def test_coverage_is_the_share_of_past_calls_whose_shape_is_shown() -> None:
    known = pool({1: 10, 4: 10}, past({1: 9, 4: 1}))

    selection = choose(known, task=Task(), budget=Budget(examples=1))

    assert ids(selection) == [1]
    assert selection.coverage == pytest.approx(0.75)  # 3 of 3 + 1: roots of 9 and 1


def test_a_call_that_only_ever_failed_is_not_covered_and_never_shown() -> None:
    known = pool({4: 10}, past({1: 1, 4: 1}))

    selection = choose(known, task=Task(), budget=Budget(examples=5))

    assert ids(selection) == [4]
    assert selection.coverage == pytest.approx(0.5)


def test_other_flags_of_a_shown_shape_come_after_a_new_shape() -> None:
    known = pool({1: 10, 2: 10, 3: 10}, past({1: 25, 2: 16, 3: 4}))

    selection = choose(known, task=Task(), budget=Budget(examples=3))

    assert ids(selection) == [1, 3, 2]


def test_the_same_file_type_under_another_tool_is_another_shape() -> None:
    known = pool({4: 10, 5: 10}, past({4: 1, 5: 1}))

    assert choose(known, task=Task(), budget=Budget(examples=1)).coverage == 0.5


def test_two_cheap_examples_go_before_a_dear_one_that_covers_less() -> None:
    known = pool({1: 90, 3: 30, 4: 30}, past({1: 9, 3: 8, 4: 8}))

    selection = choose(known, task=Task(), budget=Budget(tokens=100))

    assert ids(selection) == [3, 4]


def test_a_dear_example_that_covers_nearly_all_beats_a_cheap_one() -> None:
    known = pool({1: 100, 3: 1}, past({1: 400, 3: 1}))

    selection = choose(known, task=Task(), budget=Budget(tokens=100))

    assert ids(selection) == [1]


def test_an_example_that_does_not_fit_leaves_room_for_a_smaller_one() -> None:
    known = pool({1: 500, 4: 40}, past({1: 9, 4: 1}))

    selection = choose(known, task=Task(), budget=Budget(tokens=100, examples=3))

    assert ids(selection) == [4]


def test_between_equals_the_lower_shape_id_is_chosen() -> None:
    known = pool({5: 10, 4: 10}, past({4: 1, 5: 1}))

    assert ids(choose(known, task=Task(), budget=Budget(examples=1))) == [4]


def test_the_task_decides_which_session_is_followed() -> None:
    known = pool(
        {3: 10, 4: 10},
        past({3: 5}, uid="a", at=1, words=("push", "release")),
        past({4: 5}, uid="b", at=1, words=("review", "code")),
    )

    release = choose(known, task=Task(("release",)), budget=Budget(examples=1))
    review = choose(known, task=Task(("review",)), budget=Budget(examples=1))

    assert (ids(release), ids(review)) == ([3], [4])


def test_shapes_have_shares_that_are_together_one() -> None:
    sessions = [past({1: 3, 4: 1}, uid="a"), past({3: 7}, uid="b", at=9), past({})]

    assert sum(shape_shares(sessions, Task()).values()) == pytest.approx(1)


def test_a_shape_without_levels_is_passed_over() -> None:
    known = pool({1: 10, 99: 1}, past({1: 1, 99: 5}))

    assert ids(choose(known, task=Task(), budget=Budget(examples=2))) == [1]


@pytest.mark.parametrize(
    "known",
    [
        pytest.param(pool({}), id="nothing at all"),
        pytest.param(pool({1: 10}), id="no session"),
        pytest.param(pool({}, past({1: 1})), id="no candidate"),
        pytest.param(pool({1: 10}, past({})), id="a session without calls"),
    ],
)
def test_nothing_is_chosen_where_nothing_is_known(known: Pool) -> None:
    selection = choose(known, task=Task(("fix",)), budget=Budget(tokens=1_000))

    assert selection == Selection((), 0, 0.0)


def test_a_budget_without_a_limit_is_refused() -> None:
    with pytest.raises(InvalidInput, match="without any limit"):
        Budget()


@pytest.mark.parametrize("limit", ["tokens", "examples"])
def test_a_budget_below_zero_is_refused_with_its_value(limit: str) -> None:
    with pytest.raises(InvalidInput, match="-1"):
        Budget(**{limit: -1})
