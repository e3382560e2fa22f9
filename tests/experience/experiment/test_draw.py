"""Lots by hash: the same again, in the shares that were wanted, fair in every stratum."""

from __future__ import annotations

from collections import Counter

import pytest

from oldhand.experience.experiment.draw import draw
from oldhand.experience.experiment.model import Experiment, shares_of


def experiment(salt: str = "salt", *, holdout: float = 0.1) -> Experiment:
    shares = shares_of(["cold", "warm", "placebo"], [0.5, 0.3, 0.2])
    return Experiment("e", shares, holdout, 20, "", salt, 0)


def uids(count: int, prefix: str = "session") -> list[str]:
    return [f"{prefix}-{number}" for number in range(count)]


@pytest.mark.parametrize("prefix", ["ada/claude-code", "bob/codex"])
def test_arms_are_drawn_in_their_shares_in_every_stratum(prefix: str) -> None:
    drawn = [draw(experiment(), uid) for uid in uids(5_000, prefix)]
    counts = Counter(each.arm for each in drawn)

    assert sum(each.is_held_out for each in drawn) == pytest.approx(500, abs=65)
    assert counts["cold"] == pytest.approx(500 + 2_250, abs=105)
    assert counts["warm"] == pytest.approx(1_350, abs=100)
    assert counts["placebo"] == pytest.approx(900, abs=90)


def test_the_same_session_draws_the_same() -> None:
    assert draw(experiment(), "s") == draw(experiment(), "s")


def test_who_is_held_out_is_so_in_every_experiment() -> None:
    one = {uid for uid in uids(2_000) if draw(experiment("a"), uid).is_held_out}
    other = {uid for uid in uids(2_000) if draw(experiment("b"), uid).is_held_out}
    larger = experiment("c", holdout=0.2)

    assert one == other != set()
    assert all(draw(larger, uid).is_held_out for uid in one)
    assert all(draw(experiment("a"), uid).arm == "cold" for uid in one)


def test_experiments_draw_independently() -> None:
    pairs = Counter(
        (
            draw(experiment("a", holdout=0), uid).arm,
            draw(experiment("b", holdout=0), uid).arm,
        )
        for uid in uids(5_000)
    )

    assert pairs["cold", "cold"] == pytest.approx(1_250, abs=95)
    assert pairs["warm", "placebo"] == pytest.approx(300, abs=55)


def test_without_a_holdout_nobody_is_held_out() -> None:
    assert not any(draw(experiment(holdout=0), uid).is_held_out for uid in uids(500))
