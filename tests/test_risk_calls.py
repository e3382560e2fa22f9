"""A call is assessed by its tool's name and by the text that it runs, whatever it holds."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.risk import assess, is_risky

REAL_SESSIONS = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"


@pytest.mark.parametrize(
    ("tool", "rule"),
    [
        ("transfer_funds", "money"),
        ("mcp__stripe__create_payment", "money"),
        ("makePurchase", "money"),
        ("send_email", "message"),
        ("mcp__slack__postMessage", "message"),
        ("gmail.sendEmail", "message"),
        ("publish_article", "publish"),
        ("deploy_service", "deploy"),
        ("delete_user", "delete"),
        ("mcp__github__delete_file", "delete"),
        ("bulk_delete", "delete"),
        ("get_secret", None),
        ("get_payment_status", None),
        ("list_deleted_items", None),
        ("mcp__payments__list", None),
        ("Read", None),
        ("Bash", None),
        ("TodoWrite", None),
        ("book_flight", None),
        ("transfer_to_human_agents", None),
        ("drag_and_drop", None),
        ("drop_table", "database"),
        ("", None),
    ],
)
def test_a_tool_is_known_by_the_words_of_its_name(tool: str, rule: str | None) -> None:
    risk = assess(tool, {})

    assert (risk and risk.rule) == rule


@pytest.mark.parametrize(
    ("tool", "arguments", "rule"),
    [
        ("shell", {"cmd": "rm -rf /"}, "delete"),
        ("anything", {"script": "git push"}, "publish"),
        ("shell", {"command": ["bash", "-lc", "rm -rf /"]}, "delete"),
        ("shell", {"command": ["rm", "-rf", "/"]}, "delete"),
        ("execute_sql", {"query": "DROP TABLE x"}, "database"),
        ("mcp__postgres__query", {"sql": "delete from t"}, "database"),
        ("web_search", {"query": "how to DROP TABLE x"}, None),
        ("execute_code", {"code": "shutil.rmtree('/')"}, "delete"),
        ("str_replace_editor", {"command": "view", "path": "/etc/hosts"}, None),
        ("Edit", {"new_string": "rm -rf /"}, None),
        ("shell", {"command": ["rm", 1], "cmd": None, "script": {}}, None),
    ],
)
def test_the_text_that_a_tool_runs_is_looked_for_in_its_arguments(
    tool: str, arguments: dict[str, Any], rule: str | None
) -> None:
    risk = assess(tool, arguments)

    assert (risk and risk.rule) == rule


def test_a_command_line_that_the_caller_knows_goes_before_the_arguments() -> None:
    risk = assess("run", {"command": "ls", "input": "git push"}, command="git push")

    assert risk is not None
    assert risk.rule == "publish"


def test_the_worst_of_several_risks_is_reported() -> None:
    risk = assess("Bash", {"command": "git push; sudo rm -rf /"})

    assert risk is not None
    assert risk.rule == "delete"


@given(
    st.text(),
    st.dictionaries(
        st.sampled_from(["command", "cmd", "script", "sql", "code"]),
        st.one_of(st.text(), st.none(), st.lists(st.text()), st.binary()),
    ),
)
def test_no_call_raises(tool: str, arguments: dict[str, Any]) -> None:
    assert is_risky(tool, arguments) == (assess(tool, arguments) is not None)


@pytest.mark.parametrize(
    "piece",
    [
        "update ",
        "delete from ",
        "drop ",
        "$SECRET",
        "rm ",
        "/T/",
        ".ssh/",
        "run ",
        "a",
        " ",
        *("/", "../", "rm -r ", "truncate\t", "-", "=", "gh api ", "cat ", "'"),
    ],
)
@pytest.mark.parametrize(
    "form",
    ["{}", "psql -c '{}'", "rm /tmp/{}", "python -c '{}'", "echo '{}", "cat '{}'"],
)
def test_hostile_lines_take_linear_time(piece: str, form: str) -> None:
    line = form.format(piece * (90_000 // len(piece)))
    start = time.process_time()

    assess("execute_sql", {"command": line, "sql": line, "code": line})
    assess(line, {})

    assert time.process_time() - start < 3  # seconds


def test_most_real_calls_are_not_risky() -> None:
    files = sorted((REAL_SESSIONS / "claude_code").rglob("*.jsonl"))
    if not files:
        pytest.skip("no real sessions beside the checkout: ../shared/data")
    rules: Counter[str] = Counter()
    for path in files:
        for name, arguments in calls_in(path):
            risk = assess(name, arguments)
            rules[risk.rule if risk else ""] += 1

    assert rules[""] > 0.9 * rules.total()
    assert rules["unparsed"] == 0
    assert rules["publish"] > 0


def calls_in(path: Path) -> list[tuple[str, dict[str, Any]]]:
    with path.open(encoding="utf-8") as file:
        entries = [json.loads(row) for row in file if '"tool_use"' in row]
    contents = [(entry.get("message") or {}).get("content") for entry in entries]
    return [
        (part["name"], part["input"])
        for content in contents
        if isinstance(content, list)
        for part in content
        if part.get("type") == "tool_use"
    ]
