"""What was spent on skills: by share, each run once."""

from __future__ import annotations

from typing import Any

import pytest

from oldhand.ledger.model import RunEnd, RunStart, SkillUse
from oldhand.ledger.runs import close_run, open_run
from oldhand.ledger.spend import skill_spend
from oldhand.store import Store
from oldhand.testing import FakeClock

from .told import tell


def test_shares_of_all_skills_sum_to_what_was_paid(
    any_store: Store, clock: FakeClock
) -> None:
    uses = (SkillUse("a", share=0.75), SkillUse("b", share=0.25))
    run = open_run(any_store, RunStart(skills=uses), clock=clock)
    close_run(
        any_store, run, RunEnd(success=True, cost_usd=4, input_tokens=8), clock=clock
    )
    tell(any_store, clock, skill_name="b", success=False)

    found = skill_spend(any_store)

    assert [(s.skill, s.runs, s.cost_usd, s.input_tokens) for s in found.by_skill] == [
        ("a", 1, 3.0, 6),
        ("b", 2, 1.0, 2),
    ]
    assert (found.total.runs, found.total.cost_usd) == (2, 4.0)
    assert (found.total.success_count, found.total.failure_count) == (1, 1)
    assert found.total.cost_unknown_runs == 1


def test_what_nobody_knows_is_none_and_never_0(
    any_store: Store, clock: FakeClock
) -> None:
    tell(any_store, clock)

    (spend,) = skill_spend(any_store).by_skill

    assert (spend.cost_usd, spend.input_tokens, spend.cost_unknown_runs) == (
        None,
        None,
        1,
    )


@pytest.mark.parametrize("scope", [{"source": "hermes"}, {"project": "/p"}])
def test_runs_outside_the_sessions_asked_for_are_left_out(
    any_store: Store, clock: FakeClock, scope: dict[str, Any]
) -> None:
    tell(any_store, clock, session_id="nowhere", estimated_cost_usd=1)

    assert skill_spend(any_store, **scope).as_json() == {
        "by_skill": [],
        "total": {
            "runs": 0, "success_count": 0, "failure_count": 0, "input_tokens": None,
            "output_tokens": None, "cache_read_tokens": None, "cache_write_tokens": None,
            "cost_usd": None, "cost_unknown_runs": 0,
        },
    }  # fmt: skip
