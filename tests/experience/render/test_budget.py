"""How many examples fit into a budget of tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject, SearchStrategy

from oldhand.canonical_json import canonical_json
from oldhand.errors import InvalidInput
from oldhand.experience.example import Example
from oldhand.experience.render import (
    Target,
    fit_messages,
    fit_text,
    render_messages,
    render_text,
)

LONG = Example(
    tool="Bash",
    arguments='{"command":"make"}',
    result="w" * 400,
    result_chars=400,
    context="build it",
    outcome="ok",
)


def estimate(text: str) -> int:
    return -(-len(text.encode("utf-8")) // 3)


def test_everything_is_shown_at_full_length_where_the_budget_allows_it() -> None:
    fitted = fit_text([LONG, LONG], budget_tokens=2000, estimate=estimate)

    assert fitted.rendered == render_text([LONG, LONG])
    assert fitted.tokens == estimate(fitted.rendered)
    assert fitted.kept == (LONG, LONG)


def test_results_are_shortened_before_an_example_is_dropped() -> None:
    short = estimate(render_text([LONG, LONG], result_chars=250))

    fitted = fit_text([LONG, LONG], budget_tokens=short, estimate=estimate)

    assert fitted.rendered == render_text([LONG, LONG], result_chars=250)


def test_an_example_is_dropped_rather_than_its_result_cut_below_two_hundred() -> None:
    short = estimate(render_text([LONG, LONG], result_chars=200))

    fitted = fit_text([LONG, LONG], budget_tokens=short - 1, estimate=estimate)

    assert fitted.rendered == render_text([LONG])


def test_an_example_that_is_too_large_is_passed_over_for_the_next() -> None:
    huge = LONG._replace(arguments=canonical_json({"command": "x" * 9000}))

    fitted = fit_text([huge, LONG], budget_tokens=500, estimate=estimate)

    assert fitted.kept == (LONG,)


def test_a_budget_that_takes_no_example_gives_nothing_and_costs_nothing() -> None:
    fitted = fit_text([LONG], budget_tokens=20, estimate=estimate)

    assert fitted == ("", 0, ())


def test_a_note_that_alone_is_over_the_budget_is_an_error_that_says_its_size() -> None:
    with pytest.raises(InvalidInput, match="the budget is 20 tokens, expected 1"):
        fit_text([], budget_tokens=20, estimate=estimate, addendum="n" * 300)


def test_a_limit_in_characters_holds_besides_the_budget() -> None:
    fitted = fit_text(
        [LONG] * 30, budget_tokens=100_000, estimate=estimate, max_chars=9000
    )

    assert len(fitted.rendered) <= 9000
    assert len(fitted.kept) > 20


@given(
    data=st.data(),
    budget_tokens=st.integers(0, 1500),
    max_chars=st.one_of(st.none(), st.integers(0, 3000)),
)
def test_a_block_never_takes_more_than_the_budget(
    data: DataObject,
    budget_tokens: int,
    max_chars: int | None,
    hostile_examples: SearchStrategy[list[Example]],
) -> None:
    examples = data.draw(hostile_examples)

    fitted, again = (
        fit_text(
            list(examples),
            budget_tokens=budget_tokens,
            estimate=estimate,
            max_chars=max_chars,
        )
        for _ in range(2)
    )

    assert fitted == again
    assert fitted.tokens == estimate(fitted.rendered) <= budget_tokens
    assert len(fitted.rendered) <= (
        len(fitted.rendered) if max_chars is None else max_chars
    )
    assert fitted.rendered == "" or fitted.kept


@pytest.mark.parametrize("target", ["openai", "anthropic"])
@given(data=st.data(), budget_tokens=st.integers(0, 1500))
def test_native_turns_never_take_more_than_the_budget(
    data: DataObject,
    budget_tokens: int,
    target: Target,
    hostile_examples: SearchStrategy[list[Example]],
) -> None:
    examples = data.draw(hostile_examples)

    fitted = fit_messages(
        examples,
        budget_tokens=budget_tokens,
        target=target,
        tools=None,
        estimate=estimate,
    )

    assert fitted.tokens <= budget_tokens
    assert len(fitted.rendered) == 4 * len(fitted.kept)
    if fitted.rendered:
        assert fitted.tokens == estimate(canonical_json(fitted.rendered))


def test_examples_of_tools_that_the_session_lacks_do_not_use_up_the_budget() -> None:
    other = LONG._replace(tool="Other")

    fitted = fit_messages(
        [other, LONG],
        budget_tokens=400,
        target="openai",
        tools={"Bash"},
        estimate=estimate,
    )

    assert fitted.kept == (LONG,)
    assert fitted.rendered == render_messages([LONG], target="openai", tools=None)
