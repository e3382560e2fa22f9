"""Imported sessions say which skills they loaded, once, and at what cost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oldhand.ledger.attribute import (
    Load,
    attribute_sessions,
    loads_of,
    parts_of,
)
from oldhand.ledger.invocations import record_skill_invocation
from oldhand.ledger.model import RunEnd, RunStart, SkillUse
from oldhand.ledger.prices import Tokens
from oldhand.ledger.runs import close_run, list_runs, open_run
from oldhand.ledger.spend import skill_spend
from oldhand.ledger.stats import skill_stats
from oldhand.ledger.usage import Totals, Usage, part_after
from oldhand.sessions.importers import find_units, import_units, source_named
from oldhand.sessions.keep.erase import erase, plan_erase
from oldhand.sessions.keep.selection import Selection
from oldhand.store import Store
from oldhand.testing import FakeClock

from .told import both, rows, tell

UID = "0b1c2d3e-0000-4000-8000-000000000001"
BASE = "Base directory for this skill: "


def entry(seq: int, kind: str, content: object, **extra: object) -> dict[str, object]:
    said: dict[str, object] = {"role": kind, "content": content}
    if kind == "assistant":
        said |= {"model": "m-1", "id": f"msg{seq}"} | {
            "usage": {"input_tokens": 10 * seq, "output_tokens": 1,
                      "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
        }  # fmt: skip
    return {
        "type": kind, "uuid": f"u{seq}", "parentUuid": f"u{seq - 1}" if seq > 1 else None,
        "sessionId": UID, "timestamp": f"2026-01-05T09:00:{seq:02}.000Z", "cwd": "/w",
        "version": "2.1.30", "isSidechain": False, "message": said, **extra,
    }  # fmt: skip


def load(seq: int, skill: str) -> list[dict[str, object]]:
    """Return a call of the tool `Skill`, its result and the text that follows it."""
    use = {
        "type": "tool_use",
        "id": f"t{seq}",
        "name": "Skill",
        "input": {"skill": skill},
    }
    result = {"type": "tool_result", "tool_use_id": f"t{seq}", "content": "Launching"}
    text = (
        f"{BASE}/home/u/.claude/skills/{skill.replace(':', '-')}\n\n" + "Do it. " * 400
    )
    return [
        entry(seq, "assistant", [use]),
        entry(seq + 1, "user", [result]),
        entry(seq + 2, "user", [{"type": "text", "text": text}], isMeta=True),
    ]


def say(seq: int) -> dict[str, object]:
    return entry(seq, "assistant", [{"type": "text", "text": "done"}])


LINES = [
    entry(1, "user", "begin"), say(2), *load(3, "plan"), say(6), *load(7, "go:review"),
    say(10), say(11),
]  # fmt: skip


def write(folder: Path, lines: list[dict[str, object]]) -> Path:
    path = folder / "projects" / "-w" / f"{UID}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def bring(
    store: Store, folder: Path, lines: list[dict[str, object]], *, again: bool = False
) -> None:
    read(store, write(folder, lines), again=again)


def read(store: Store, path: Path, *, again: bool = False) -> None:
    units = find_units(source_named("claude-code"), [path])
    import_units(store, units, again=again)


def test_a_session_becomes_a_run_from_its_first_skill_on(
    any_store: Store, tmp_path: Path
) -> None:
    bring(any_store, tmp_path, LINES)

    assert attribute_sessions(any_store) == 1
    (run,) = list_runs(any_store)
    tokens = {day[0]: day[1] for day in any_store.query_all(
        both("SELECT skill, input_tokens FROM skill_stats_daily")
    )}  # fmt: skip

    assert (run.source, run.state, run.success, run.model) == (
        "session", "ended", None, "m-1",
    )  # fmt: skip
    assert run.input_tokens == 60 + 70 + 100 + 110  # not what came before
    # 61 + 71 tokens for the first, 101 + 111 for the second.
    assert tokens["plan"] == pytest.approx(340 * 132 / 344)
    assert tokens["go:review"] == pytest.approx(340 * 212 / 344)
    assert run.cost_microusd is None


def test_looking_again_changes_nothing(any_store: Store, tmp_path: Path) -> None:
    bring(any_store, tmp_path, LINES)
    attribute_sessions(any_store)
    before = skill_stats(any_store)

    bring(any_store, tmp_path, LINES, again=True)

    assert attribute_sessions(any_store) == 0
    assert skill_stats(any_store) == before


def test_a_session_that_has_grown_is_counted_anew_and_once(
    any_store: Store, tmp_path: Path
) -> None:
    bring(any_store, tmp_path, LINES[:6])
    attribute_sessions(any_store)
    bring(any_store, tmp_path, LINES)

    assert attribute_sessions(any_store) == 1

    assert {s.skill: s.invocation_count for s in skill_stats(any_store)} == {
        "plan": 1,
        "go:review": 1,
    }
    assert rows(any_store, "runs") == 1


def test_a_price_is_asked_for_what_came_after(store: Store, tmp_path: Path) -> None:
    bring(store, tmp_path, LINES)

    def price(
        model: str | None, _: str | None, tokens: Tokens, at_us: int
    ) -> int | None:
        assert (model, at_us > 0) == ("m-1", True)
        return tokens.input

    attribute_sessions(store, price_of=price)

    assert list_runs(store)[0].cost_microusd == 340


def test_one_unknown_price_makes_the_cost_unknown(store: Store, tmp_path: Path) -> None:
    bring(store, tmp_path, LINES)

    attribute_sessions(
        store,
        price_of=lambda _m, _p, tokens, _t: (
            tokens.input if tokens.input != 70 else None
        ),
    )

    assert list_runs(store)[0].cost_microusd is None


def test_an_erased_session_takes_its_run_along(
    any_store: Store, tmp_path: Path, clock: FakeClock
) -> None:
    bring(any_store, tmp_path, LINES)
    attribute_sessions(any_store)
    (uid,) = [run.session_uid for run in list_runs(any_store)]
    tell(any_store, clock, session_id=uid, success=True)

    with any_store.transaction():
        erase(any_store, plan_erase(any_store, Selection(uids=(uid or "",))))
    attribute_sessions(any_store)

    assert [(r.source, r.session_uid) for r in list_runs(any_store)] == [
        ("runner", None)
    ]
    assert [s.skill for s in skill_stats(any_store)] == ["triage"]


def test_a_session_without_a_skill_is_no_run(any_store: Store, tmp_path: Path) -> None:
    bring(any_store, tmp_path, [LINES[0], LINES[1]])

    assert attribute_sessions(any_store) == 0
    assert list_runs(any_store) == []


MARK = f"{BASE}/h/.claude/plugins/cache/market/powers/4.0.3/skills/plan\n\n# Plan"
CALL = (5, "Skill", '{"skill": "powers:plan"}')


@pytest.mark.parametrize(
    ("calls", "texts", "loads"),
    [
        ([CALL], [], [Load(5, "powers:plan")]),
        ([CALL], [(7, MARK)], [Load(5, "powers:plan")]),
        ([CALL], [(50, MARK)], [Load(5, "powers:plan"), Load(50, "powers:plan", True)]),
        ([], [(7, MARK)], [Load(7, "powers:plan", True)]),
        ([], [(7, f"{BASE}/h/.claude/skills/review/")], [Load(7, "review", True)]),
        ([], [(7, "He said: " + MARK)], []),
        ([(5, "skill_view", '{"name": "mail"}')], [], [Load(5, "mail")]),
        ([(5, "skill_manage", '{"action": "patch", "name": "mail"}')], [], [Load(5, "mail")]),
        ([], [(1, '[IMPORTANT: The user has invoked the "mail" skill, indicating')],
         [Load(1, "mail", True)]),
        ([(5, "Skill", "not json"), (6, "Skill", "[]"), (7, "Skill", '{"skill": 1}'),
          (8, "Skill", '{"skill": ""}'), (9, "Skill", '{"skill": "a\\u0000"}')], [], []),
    ],
)  # fmt: skip
def test_what_loads_a_skill_is_told_from_what_does_not(
    calls: list[tuple[int, str, str]], texts: list[tuple[int, str]], loads: list[Load]
) -> None:
    assert loads_of(calls, texts) == loads


def test_tokens_go_to_the_skill_that_was_loaded_last() -> None:
    usages = [Usage(n, None, None, 1, n) for n in (1, 2, 3, 4)]

    assert parts_of([Load(2, "a"), Load(3, "b")], usages) == {"a": 3, "b": 4}
    assert parts_of([Load(9, "a")], usages) == {"a": 0}


def test_where_only_totals_are_known_they_are_cut_by_answers() -> None:
    usages = [Usage(n, None, None, n % 2) for n in range(1, 9)]
    totals = Totals(800, Tokens(400, 40))

    part = part_after(usages, 2, totals=totals, model="m", price_of=None)
    priced = part_after(
        usages, 2, totals=totals._replace(cost_microusd=None), model="m",
        price_of=lambda _m, _p, tokens, _t: tokens.output,
    )  # fmt: skip

    assert part == ((300, 30, None, None), 600)
    assert priced.cost_microusd == 30
    assert parts_of([Load(2, "a"), Load(6, "b")], usages) == {"a": 2, "b": 1}


def test_real_sessions_say_which_skills_they_loaded(
    store: Store, real_sessions: Path
) -> None:
    read(store, real_sessions / "claude_code" / "-work-cli")

    counted = attribute_sessions(store)
    total = sum(
        row[0] for row in store.query_all(both("SELECT share FROM skill_invocations"))
    )

    assert counted > 15
    assert total == pytest.approx(counted)  # the shares of each sum to 1
    assert attribute_sessions(store) == 0


def test_a_runners_own_runs_are_left_alone(store: Store, tmp_path: Path) -> None:
    record_skill_invocation(store, skill_name="plan", invoked_at=1.7e9, session_id=UID)
    bring(store, tmp_path, LINES)

    attribute_sessions(store)

    assert [run.source for run in list_runs(store)] == ["session", "runner"]


def test_sessions_are_looked_at_again_when_prices_have_changed(
    any_store: Store, tmp_path: Path
) -> None:
    bring(any_store, tmp_path, LINES)
    attribute_sessions(any_store)
    told: list[tuple[int, int | None]] = []

    counted = attribute_sessions(
        any_store,
        price_of=lambda _m, _p, tokens, _t: tokens.input,
        again=True,
        progress=lambda done, total: told.append((done, total)),
    )

    assert (counted, told) == (1, [(1, 1)])
    assert [run.cost_microusd for run in list_runs(any_store)] == [340]


def job_run(store: Store, uid: str, *skills: str) -> int:
    """Record a run of a job that says at its end which session it was."""
    uses = [SkillUse(name, share=1 / len(skills)) for name in skills]
    start = RunStart(source="job", job="nightly", skills=uses)
    run_id = open_run(store, start)
    end = RunEnd(success=True, session_uid=uid, cost_usd=0.5)
    close_run(store, run_id, end)
    return run_id


@pytest.mark.parametrize("is_imported_first", [True, False])
def test_a_jobs_session_is_one_run_with_the_skills_that_it_loaded(
    any_store: Store, tmp_path: Path, is_imported_first: bool
) -> None:
    if is_imported_first:  # as a hook at the session's end does
        bring(any_store, tmp_path, LINES)
        attribute_sessions(any_store)
    run_id = job_run(any_store, UID)
    if not is_imported_first:
        bring(any_store, tmp_path, LINES)

    attribute_sessions(any_store)
    again = attribute_sessions(any_store)

    [run] = list_runs(any_store)
    assert (run.id, run.source, run.session_uid) == (run_id, "job", UID)
    assert again == 0
    spent = {each.skill: each.cost_usd for each in skill_spend(any_store).by_skill}
    kept = {each.skill: each.total_cost_microusd for each in skill_stats(any_store)}
    assert spent.keys() == {"plan", "go:review"}
    assert sum(filter(None, spent.values())) == pytest.approx(0.5)  # what the job paid
    assert kept == {
        name: pytest.approx(1e6 * (cost or 0)) for name, cost in spent.items()
    }


def test_a_jobs_own_skills_are_all_that_its_run_has(
    store: Store, tmp_path: Path
) -> None:
    job_run(store, UID, "nightly-check")
    bring(store, tmp_path, LINES)

    assert attribute_sessions(store) == 0

    assert [run.source for run in list_runs(store)] == ["job"]
    assert rows(store, "skill_invocations") == 1


def test_a_session_of_two_jobs_runs_is_counted_with_them(
    store: Store, tmp_path: Path
) -> None:
    for _ in range(2):  # the second one resumed it
        job_run(store, UID)
    bring(store, tmp_path, LINES)

    assert attribute_sessions(store) == 0
    assert rows(store, "skill_invocations") == 0


def test_a_subagents_session_is_part_of_the_jobs_run(
    any_store: Store, tmp_path: Path
) -> None:
    parent = "0b1c2d3e-0000-4000-8000-00000000000a"
    bring(any_store, tmp_path, LINES)
    any_store.execute(
        both(f"UPDATE sessions SET relation = 'subagent', parent = '{parent}'")  # noqa: S608
    )
    job_run(any_store, parent)

    assert attribute_sessions(any_store) == 0
    assert [run.source for run in list_runs(any_store)] == ["job"]
