"""A run's row is there from its start, and is closed once."""

from __future__ import annotations

from decimal import Decimal

import pytest

from oldhand.errors import Conflict, InvalidInput, NotFound
from oldhand.ledger.model import RunEnd, RunStart, SkillUse
from oldhand.ledger.runs import close_run, find_run, link_skills, list_runs, open_run
from oldhand.ledger.stats import skill_stats
from oldhand.store import Store
from oldhand.testing import FakeClock

from .told import both, rows


def test_a_run_that_nobody_closed_is_there_as_running(
    any_store: Store, clock: FakeClock
) -> None:
    start = RunStart(job="nightly", model="qwen3", skills=[SkillUse("triage")])
    run_id = open_run(any_store, start, clock=clock)

    (run,) = list_runs(any_store, state="running")
    (day,) = any_store.query_all(
        both("SELECT invocation_count, unknown_count FROM skill_stats_daily")
    )

    assert (run.id, run.job, run.success, run.ended_at_us) == (
        run_id, "nightly", None, None,
    )  # fmt: skip
    assert day == (1, 1)


def test_a_closed_run_says_what_it_was_told(any_store: Store, clock: FakeClock) -> None:
    run_id = open_run(any_store, RunStart(model="asked", provider="p"), clock=clock)
    clock.advance(90_000_000)

    close_run(
        any_store,
        run_id,
        RunEnd(
            success=True, model="answered", input_tokens=10, output_tokens=0,
            cache_read_tokens=7, cost_usd=Decimal("0.1234565"), quality=0.5,
        ),
        clock=clock,
    )  # fmt: skip
    run = find_run(any_store, run_id)

    assert (run.state, run.success, run.model, run.provider) == (
        "succeeded", True, "answered", "p",
    )  # fmt: skip
    assert (run.duration_us, run.cost_microusd, run.quality) == (
        90_000_000, 123_456, 0.5,
    )  # fmt: skip
    assert (run.input_tokens, run.output_tokens, run.cache_write_tokens) == (
        10,
        0,
        None,
    )
    assert run.as_json()["cost_usd"] == 0.123456


@pytest.mark.parametrize(
    ("success", "state"), [(True, "succeeded"), (False, "failed"), (None, "ended")]
)
def test_a_run_is_closed_once(
    any_store: Store, success: bool | None, state: str
) -> None:
    run_id = open_run(any_store, RunStart(skills=[SkillUse("triage")]))
    close_run(any_store, run_id, RunEnd(success=success))

    with pytest.raises(Conflict, match="closed"):
        close_run(any_store, run_id, RunEnd(success=not success))

    assert find_run(any_store, run_id).state == state
    assert skill_stats(any_store)[0].invocation_count == 1


def test_a_run_counts_for_the_model_that_answered(any_store: Store) -> None:
    run_id = open_run(any_store, RunStart(model="asked", skills=[SkillUse("triage")]))

    close_run(any_store, run_id, RunEnd(success=True, model="fallback"))

    assert [(s.model, s.success_count) for s in skill_stats(any_store)] == [
        ("fallback", 1)
    ]


def test_the_cost_of_a_run_is_counted_once(any_store: Store) -> None:
    skills = [SkillUse("a"), SkillUse("b"), SkillUse("c")]
    run_id = open_run(any_store, RunStart(skills=skills))

    close_run(any_store, run_id, RunEnd(success=True, cost_usd=0.9))
    stats = skill_stats(any_store)

    assert sum(each.total_cost_microusd for each in stats) == pytest.approx(900_000)
    assert [s.estimates()[0].cost_per_call_usd for s in stats] == pytest.approx(
        [0.9] * 3
    )


def test_skills_can_be_linked_after_the_end(any_store: Store) -> None:
    run_id = open_run(any_store)
    close_run(any_store, run_id, RunEnd(success=False, cost_usd=2))

    link_skills(
        any_store, run_id, [SkillUse("a", tokens=300), SkillUse("b", tokens=100)]
    )
    found = {s.skill: s for s in skill_stats(any_store)}

    assert found["a"].total_cost_microusd == 1_500_000
    assert found["b"].total_cost_microusd == 500_000
    assert found["b"].failure_count == 1
    with pytest.raises(Conflict, match="on record"):
        link_skills(any_store, run_id, [SkillUse("c")])


@pytest.mark.parametrize(
    ("skills", "said"),
    [
        ([], "skills"),
        ([SkillUse("a"), SkillUse("a")], "skills: 'a'"),
        ([SkillUse(" ")], "skill_name: ' '"),
        ([SkillUse("a\nb")], "skill_name"),
        ([SkillUse("x" * 201)], "skill_name"),
        ([SkillUse("a", share=0.5), SkillUse("b", share=0.4)], "share: 0.9"),
        ([SkillUse("a", share=0.5), SkillUse("b")], "share: said of 1 of 2"),
        ([SkillUse("a", share=float("nan")), SkillUse("b", share=1)], "share: nan"),
        ([SkillUse("a", share=0.0), SkillUse("b", share=1)], "share: 0.0"),
        ([SkillUse("a", share=-0.5), SkillUse("b", share=1.5)], "share: -0.5"),
        ([SkillUse("a", tokens=-1)], "tokens: -1"),
        ([SkillUse(str(n)) for n in range(257)], "skills: 257"),
    ],
)
def test_links_that_cannot_be_are_refused_and_nothing_is_written(
    any_store: Store, skills: list[SkillUse], said: str
) -> None:
    run_id = open_run(any_store)

    with pytest.raises(InvalidInput, match=said):
        link_skills(any_store, run_id, skills)

    assert rows(any_store, "skill_invocations") == 0


@pytest.mark.parametrize(
    ("start", "said"),
    [
        (RunStart(source=""), "source: ''"),
        (RunStart(draw_probability=0.0), "draw_probability: 0.0"),
        (RunStart(draw_probability=1.5), "draw_probability: 1.5"),
        (RunStart(started_at="yesterday"), "started_at: 'yesterday'"),
        (RunStart(model="two\nlines"), "model"),
        (RunStart(skills=[SkillUse("")]), "skill_name"),
    ],
)
def test_a_start_that_cannot_be_is_refused(
    any_store: Store, start: RunStart, said: str
) -> None:
    with pytest.raises(InvalidInput, match=said):
        open_run(any_store, start)

    assert rows(any_store, "runs") == 0


@pytest.mark.parametrize(
    ("end", "said"),
    [
        (RunEnd(state="running"), "state: 'running'"),
        (RunEnd(ended_at=0), "ended_at: 0; expected no time before"),
        (RunEnd(duration_seconds=-1), "duration_seconds: -1"),
        (RunEnd(duration_seconds=float("inf")), "duration_seconds: inf"),
        (RunEnd(cost_usd=float("nan")), "cost_usd: nan"),
        (RunEnd(cost_usd="-0.01"), "cost_usd: '-0.01'"),
        (RunEnd(cost_usd="1 EUR"), "cost_usd: '1 EUR'"),
        (RunEnd(success=1), "success: 1"),  # type: ignore[arg-type]
        (RunEnd(output_tokens=1.5), "output_tokens: 1.5"),  # type: ignore[arg-type]
        (RunEnd(quality=1.01), "quality: 1.01"),
    ],
)
def test_an_end_that_cannot_be_is_refused_and_the_run_stays_open(
    any_store: Store, end: RunEnd, said: str
) -> None:
    run_id = open_run(any_store, RunStart(skills=[SkillUse("triage")]))

    with pytest.raises(InvalidInput, match=said):
        close_run(any_store, run_id, end)

    assert find_run(any_store, run_id).state == "running"
    assert rows(any_store, "skill_sums") == 0


def test_a_clock_that_is_set_back_ends_no_run_before_it_began(
    store: Store, clock: FakeClock
) -> None:
    run_id = open_run(store, clock=clock)
    clock.advance(-3_600_000_000)

    assert close_run(store, run_id, clock=clock).duration_us == 0


def test_a_key_is_for_one_run(any_store: Store) -> None:
    open_run(any_store, key="job:1")

    with pytest.raises(Conflict):
        open_run(any_store, key="job:1")

    assert rows(any_store, "runs") == 1


def test_a_run_that_is_not_there_is_not_found(any_store: Store) -> None:
    with pytest.raises(NotFound, match="run 7"):
        close_run(any_store, 7)
