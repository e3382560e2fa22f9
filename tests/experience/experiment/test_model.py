"""What an experiment may be, and what it is told when it may not."""

from __future__ import annotations

import pytest

from oldhand.errors import InvalidInput
from oldhand.experience.experiment.model import (
    Experiment,
    check_plan,
    shares_from_text,
    shares_of,
    shares_to_text,
)


@pytest.mark.parametrize(
    ("arms", "shares", "said"),
    [
        (["warm", "placebo"], None, "expected cold"),
        (["cold"], None, "at least one other"),
        ([], None, "expected cold"),
        (["cold", "hot"], None, "no arm 'hot'"),
        (["cold", "warm", "cold"], None, "twice"),
        (["cold", "warm"], [0.5], "shares: 1, arms: 2"),
        (["cold", "warm"], [0.5, 0.6], "sum to 1.1"),
        (["cold", "warm"], [0.0, 1.0], "above 0"),
        (["cold", "warm"], [float("nan"), 0.5], "above 0"),
    ],
)
def test_arms_and_shares_that_make_no_experiment(
    arms: list[str], shares: list[float] | None, said: str
) -> None:
    with pytest.raises(InvalidInput, match=said):
        shares_of(arms, shares)


@pytest.mark.parametrize(
    ("name", "holdout", "horizon", "said"),
    [
        ("", 0.1, 20, "no name"),
        ("a b", 0.1, 20, "no name"),
        ("-x", 0.1, 20, "no name"),
        ("x", 0.6, 20, "holdout"),
        ("x", -0.1, 20, "holdout"),
        ("x", float("nan"), 20, "holdout"),
        ("x", 0.1, 0, "horizon"),
    ],
)
def test_plans_that_make_no_experiment(
    name: str, holdout: float, horizon: int, said: str
) -> None:
    with pytest.raises(InvalidInput, match=said):
        check_plan(name, holdout=holdout, horizon=horizon)


def test_thirds_written_with_three_digits_are_all() -> None:
    shares = shares_of(["cold", "warm", "placebo"], [0.333, 0.333, 0.333])

    assert sum(shares.values()) == pytest.approx(1)


def test_shares_come_back_from_the_database_in_their_order() -> None:
    shares = shares_of(["warm", "cold"], [0.7, 0.3])

    assert list(shares_from_text(shares_to_text(shares)).items()) == [
        ("warm", 0.7),
        ("cold", 0.3),
    ]


def test_who_is_held_out_counts_as_cold() -> None:
    shares = shares_of(["cold", "warm"], [0.25, 0.75])
    experiment = Experiment("e", shares, 0.2, 20, "", "salt", 0)

    assert experiment.chance_of("cold") == pytest.approx(0.2 + 0.8 * 0.25)
    assert experiment.chance_of("warm") == pytest.approx(0.6)
    assert experiment.chance_between("warm", "cold") == pytest.approx(0.6)
