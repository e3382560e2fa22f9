"""`oldhand skills`, and what an import says of skills, as a user meets them."""

from __future__ import annotations

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from oldhand import open_store, record_skill_invocation
from oldhand.ledger.sums import are_stale
from oldhand.store import Query

from .conftest import Run

DAY_SECONDS = 86_400


def tell(count: int, **said: Any) -> None:
    """Record runs of `triage` with `qwen3`, an hour apart, the last just now."""
    now = time.time()
    with closing(open_store()) as store:
        for hour in range(count):
            told: dict[str, Any] = {"skill_name": "triage", "model": "qwen3"} | said
            record_skill_invocation(store, invoked_at=now - 3600 * hour, **told)


@pytest.fixture
def told(run: Run, engine: str) -> Run:
    """Return a command line with runs of one skill with two models on record."""
    assert engine
    tell(12, success=True, estimated_cost_usd="0.5", duration_seconds=2)
    tell(12, success=False, model="m-2", provider="p")
    tell(1, model="m-2", provider="p")
    return run


def session(home: Path) -> Path:
    """Write a session of Claude Code in which the skill `plan` was loaded."""
    lines = [
        {
            "type": kind, "uuid": f"u{seq}", "sessionId": "s-1", "cwd": "/p",
            "timestamp": f"2026-01-01T10:00:{seq:02}.000Z",
            "message": {"role": kind, "content": content, **usage},
        }
        for seq, (kind, content, usage) in enumerate((
            ("user", "Plan it.", {}),
            ("assistant", [{"type": "tool_use", "id": "t1", "name": "Skill",
                            "input": {"skill": "plan"}}], used(10)),
            ("user", [{"type": "tool_result", "tool_use_id": "t1",
                       "content": "Launching skill: plan"}], {}),
            ("assistant", "Done.", used(1_000_000)),
        ))
    ]  # fmt: skip
    path = home / "s-1.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def used(count: int) -> dict[str, Any]:
    return {"model": "my-model", "id": f"m{count}"} | {
        "usage": {"input_tokens": count, "output_tokens": 0,
                  "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
    }  # fmt: skip


def test_where_there_is_nothing_it_is_said_and_nothing_is_made(
    run: Run, home: Path
) -> None:
    shown = run("skills", "stats")
    listed = run("skills", "list", "--project", home)

    assert (shown.code, shown.out) == (0, "")
    assert "no database yet" in shown.err
    assert "no skills found; looked in" in listed.err
    assert not (home / ".oldhand").exists()


def test_runs_are_shown_by_model_with_half_lives_side_by_side(told: Run) -> None:
    shown = told("skills", "stats")
    rows = told("skills", "stats", "--json").rows

    line = next(line for line in shown.out.splitlines() if "qwen3" in line)
    assert line.split()[:9] == [
        "triage", "qwen3", "12", "12", "0", "0", "100%", "100%", "100%",
    ]  # fmt: skip
    assert "$0.50" in shown.out
    assert "some costs are unknown, of m-2" in shown.err
    assert {row["model"]: row["unknown_count"] for row in rows} == {
        "qwen3": 0,
        "m-2": 1,
    }
    assert [one["half_life_days"] for one in rows[0]["half_lives"]] == [1, 7, 30]


def test_a_window_and_an_alpha_are_said_in_days(told: Run) -> None:
    shown = told("skills", "stats", "--alpha", "0.3")
    (row,) = told(
        "skills", "stats", "--window-days", "0.2", "--half-life", "3", "--json"
    ).rows[:1]

    assert "alpha 0.3 a day is a half-life of 1.94 days" in shown.err
    assert "runs of the last 14 days, half-life 1.94 days" in shown.out
    assert row["sample_count"] in range(4, 8)
    assert row["half_life_days"] == 3


def test_two_models_are_compared_and_it_is_said_that_nobody_drew(told: Run) -> None:
    command = ("skills", "compare", "triage", "--model-a", "m-2", "--model-b", "qwen3")
    shown = told(*command)
    (row,) = told(*command, "--json").rows

    assert "B is better: more than 99.9% likely; observational" in shown.out
    assert row["is_observational"]


def test_few_runs_are_not_enough_and_it_is_said_how_many_more(run: Run) -> None:
    tell(2, success=True)
    tell(2, success=False, skill_name="other")

    shown = run("skills", "compare", "triage", "other")

    assert "not enough data: about" in shown.out


def test_the_trends_are_a_picture_private_and_new(told: Run, home: Path) -> None:
    tell(1, skill_name='<b>&"', success=True)
    path = home / "trend.svg"
    first = told("skills", "stats", "--svg", path)
    again = told("skills", "stats", "--svg", path)

    picture = ElementTree.fromstring(path.read_text())  # noqa: S314 - our own
    texts = [text.text or "" for text in picture.iter() if text.tag.endswith("text")]
    assert first.code == 0
    assert path.stat().st_mode & 0o777 == 0o600
    assert any(text.startswith('<b>&" · qwen3: 100%') for text in texts)
    assert len([each for each in picture.iter() if each.tag.endswith("polygon")]) == 3
    assert (again.code, "there already" in again.err) == (4, True)


def test_days_are_told_as_opentelemetry_has_them(told: Run) -> None:
    (value,) = told("skills", "stats", "--otlp-json").rows

    metrics = value["resourceMetrics"][0]["scopeMetrics"][0]["metrics"]
    assert "oldhand.skill.invocations" in {metric["name"] for metric in metrics}


def test_stale_sums_are_said_and_rebuilt(run: Run) -> None:
    tell(3, success=True)
    gone = "DELETE FROM runs WHERE id = 1"
    with closing(open_store()) as store:
        store.execute(Query("gone", gone, gone))

    before = run("skills", "stats")
    rebuilt = run("skills", "rebuild")
    after = run("skills", "stats", "--json")

    assert "mend them: oldhand skills rebuild" in before.err
    assert "1 pair of skill and model" in rebuilt.err
    assert (after.rows[0]["invocation_count"], after.err) == (2, "")
    with closing(open_store()) as store:
        assert not are_stale(store)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("stats", "--half-life", "5"), 2, "expected one of 1, 7, 30"),
        (("stats", "--half-life", "nan"), 2, "half_life_days: nan"),
        (("stats", "--half-life", "7", "--alpha", "0.3"), 2, "expected one of them"),
        (("stats", "--alpha", "1"), 2, "alpha: 1.0"),
        (("stats", "--window-days", "0"), 2, "window_days: 0.0"),
        (("stats", "--window-days", "3", "--by-version"), 2, "take one"),
        (("stats", "--otlp-json", "--json"), 2, "take one of them"),
        (("compare", "triage"), 2, "A and B are the same"),
        (("compare", "triage", "nope"), 3, "nope: no run of it has ended"),
        (("compare", "triage", "--model-b", "no\x1b[2J"), 3, "no run of it has ended"),
        (("list", "--project", "/nowhere"), 2, "does not exist"),
    ],
)
def test_wrong_input_is_named(
    run: Run, arguments: tuple[str, ...], code: int, said: str
) -> None:
    tell(2, success=True)

    answer = run("skills", *arguments)

    assert (answer.code, said in answer.err) == (code, True)
    assert "\x1b" not in answer.err


def test_skills_are_listed_and_broken_ones_named(run: Run, home: Path) -> None:
    for name, text in (
        ("good", "---\nname: good\ndescription: Does it.\n---\n"),
        ("bad", "no head\n"),
    ):
        folder = home / ".claude" / "skills" / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(text)

    shown = run("skills", "list", "--project", home / ".claude")
    rows = run("skills", "list", "--json", "--project", home / ".claude").rows

    assert "Does it." in shown.out
    assert "broken: " in shown.err
    assert "SKILL.md: line 1" in shown.err
    assert [(row["name"], row["fault"] is None) for row in rows] == [
        ("bad", False),
        ("good", True),
    ]


def test_an_import_counts_skills_with_the_users_own_prices(
    run: Run, home: Path, engine: str
) -> None:
    assert engine
    path = session(home)
    first = run("import", "claude-code", path)
    unknown = run("skills", "stats", "--json").rows[0]
    settings = home / ".oldhand" / "oldhand.toml"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text("[prices.my-model]\ninput = 3\noutput = 0\n")

    again = run("skills", "rebuild", "--sessions")
    priced = run("skills", "stats", "--json").rows[0]
    report = run("report", "--part", "skills", "--json").rows[0]

    assert "skills were loaded in 1 session" in first.err
    assert (unknown["skill"], unknown["total_cost_usd"]) == ("plan", None)
    assert again.code == 0
    assert priced["total_cost_usd"] == pytest.approx(3)
    assert report["skills"]["total"]["cost_usd"] == pytest.approx(3)


def test_a_wrong_price_is_named_before_anything_is_read(run: Run, home: Path) -> None:
    settings = home / ".oldhand" / "oldhand.toml"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text('[prices.my-model]\ninput = -3\noutput = 0\ncurrency = "USD"\n')

    said = run("import", "claude-code", session(home))

    assert (said.code, "prices.my-model.input: -3" in said.err) == (2, True)
    assert "oldhand.toml" in said.err
    assert not (home / ".oldhand" / "oldhand.db").exists()


def test_a_broken_ledger_of_hermes_does_not_stop_an_import(
    run: Run, home: Path
) -> None:
    cron = home / ".hermes" / "cron"
    cron.mkdir(parents=True)
    with sqlite3.connect(cron / "executions.db") as ledger:
        ledger.execute("CREATE TABLE other (id)")

    said = run("import", "claude-code", session(home))

    assert said.code == 0
    assert "not a ledger of Hermes' scheduled runs" in said.err
    assert "skills were loaded in 1 session" in said.err
