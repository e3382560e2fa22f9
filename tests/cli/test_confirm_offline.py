"""What needs no daemon: the log verified and exported, a policy tried, the doctor."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from oldhand.clock import system_clock
from oldhand.confirm.audit.checkpoint import make_checkpoint
from oldhand.confirm.audit.kinds import KINDS
from oldhand.confirm.credentials import issue_token
from oldhand.confirm.keys import SigningKey
from oldhand.confirm.principals import add_principal
from oldhand.confirm.requests.states import STATES
from oldhand.store import Query, Store, open_database

from ..sessions.importers.claude_code_fixture import Log  # noqa: TID252 - tests are no package
from .conftest import Run

SCRIPT = Path(__file__).parents[2] / "examples" / "verify_audit.py"


@pytest.fixture
def log(home: Path) -> Store:
    """Write a log of some rows, with a checkpoint inside and outside."""
    (home / ".oldhand").mkdir(mode=0o700)
    store = open_database(str(home / ".oldhand" / "oldhand.db"))
    for number in range(5):
        agent = add_principal(
            store, f"agent-{number}", kind="agent", by=None, clock=system_clock
        )
        issue_token(store, agent, label="\u2028 é", by=None, clock=system_clock)
    key = SigningKey.load(home / ".oldhand" / "confirm.key")
    make_checkpoint(
        store, key_id=key.id, sign=key.sign, clock=system_clock,
        file=home / ".oldhand" / "checkpoints.jsonl",
    )  # fmt: skip
    return store


def tamper(store: Store, sql: str) -> None:
    """Change the log behind its back, as somebody with the file can."""
    for name in ("audit_is_not_changed", "audit_is_not_removed"):
        drop = f"DROP TRIGGER IF EXISTS {name}"
        store.execute(Query("drop", drop, drop))
    store.execute(Query("tamper", sql, sql))
    store.close()


TAMPERED = {
    "edited": ("UPDATE audit SET principal = 'x' WHERE seq = 4", 4),
    "removed": ("DELETE FROM audit WHERE seq = 4", 4),
    "cut off": ("DELETE FROM audit WHERE seq > 8", 9),
    "all cut off": ("DELETE FROM audit", 1),
}


def by_script(export: Path, *more: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", str(SCRIPT), str(export), *map(str, more)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_an_intact_log_is_verified_here_and_by_a_script(
    run: Run, log: Store, home: Path
) -> None:
    log.close()
    verified = run("confirm", "audit", "verify")
    row = run("confirm", "audit", "verify", "--json").rows[0]
    export = home / "export.jsonl"
    export.write_text(run("confirm", "audit", "export").out)
    found = by_script(export, home / ".oldhand" / "checkpoints.jsonl")

    assert (verified.code, found.returncode, found.stderr) == (0, 0, "")
    assert "10 rows and 2 checkpoints, intact" in verified.out
    assert (row["intact"], row["rows"], row["signatures"]) == (True, 10, True)
    assert found.stdout.startswith("10 rows, intact")
    assert row["head"] in found.stdout


@pytest.mark.parametrize("name", TAMPERED)
def test_a_log_that_was_tampered_with_is_named_at_its_row(
    run: Run, log: Store, home: Path, name: str
) -> None:
    sql, at = TAMPERED[name]
    tamper(log, sql)

    said = run("confirm", "audit", "verify")
    export = home / "export.jsonl"
    export.write_text(run("confirm", "audit", "export").out)
    found = by_script(export, home / ".oldhand" / "checkpoints.jsonl")

    assert said.code == 9
    assert re.search(rf"\b{at}\b", said.err)
    assert found.returncode == 1
    assert re.search(rf"\b{at}\b", found.stderr)


def test_the_script_says_in_a_line_what_it_cannot_read(home: Path) -> None:
    (home / "other.jsonl").write_text('{"a": 1}\n')
    (home / "empty.jsonl").write_text("")

    for name in ("missing.jsonl", "other.jsonl", "empty.jsonl"):
        found = by_script(home / name)
        assert found.returncode == 1
        assert found.stderr.startswith("cannot be read as a log")
        assert len(found.stderr.splitlines()) == 1
    assert "missing.jsonl" in by_script(home / "missing.jsonl").stderr
    assert len(SCRIPT.read_text().splitlines()) <= 40


@pytest.mark.parametrize(
    "words",
    [
        ["agents", "list"],
        ["people", "list"],
        ["grants", "list"],
        ["audit", "list"],
        ["policy", "show"],
    ],
    ids=lambda words: words[0],
)
def test_before_the_first_start_the_daemon_is_advised_and_no_import(
    run: Run, words: list[str]
) -> None:
    said = run("confirm", *words)

    assert said.code == 0
    assert "oldhand serve" in said.err
    assert "oldhand import" not in said.err


def test_a_kind_that_no_row_has_is_refused_with_those_there_are(run: Run) -> None:
    said = run("confirm", "audit", "list", "--kind", "nonsense")

    assert (said.code, said.out) == (2, "")
    assert "'nonsense'" in said.err
    assert "approved" in said.err


def test_every_kind_that_is_written_can_be_asked_for() -> None:
    written = set()
    for file in (SCRIPT.parents[1] / "src" / "oldhand" / "confirm").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "chain.append":
                inside = ast.walk(node.args[0])
                written |= {n.value for n in inside if isinstance(n, ast.Constant)}

    written -= {0, 1}  # of `words[0]`
    assert written | (set(STATES) - {"pending"}) <= set(KINDS)
    assert {"stopped", "solo_on", "clock_leapt"} <= set(KINDS)


def test_rows_of_an_export_that_were_moved_or_put_in_are_found(
    run: Run, log: Store, home: Path
) -> None:
    log.close()
    lines = run("confirm", "audit", "export").out.splitlines(keepends=True)
    moved = [lines[1], lines[0], *lines[2:]]
    added = [*lines[:3], lines[2].replace("[3,", "[4,"), *lines[3:]]
    other = home / "other.jsonl"

    for changed in (moved, added):
        other.write_text("".join(changed))
        assert by_script(other).returncode == 1


def test_a_checkpoint_of_another_key_is_refused(
    run: Run, log: Store, home: Path
) -> None:
    log.close()
    file = home / ".oldhand" / "checkpoints.jsonl"
    forged = json.loads(file.read_text())
    forged["signature"] = "00" * 64
    file.write_text(json.dumps(forged) + "\n")

    said = run("confirm", "audit", "verify")

    assert said.code == 9
    assert "not signed by this key" in said.err


def test_without_the_key_the_rows_are_still_verified_and_that_is_said(
    run: Run, log: Store, home: Path
) -> None:
    log.close()
    (home / ".oldhand" / "confirm.key").unlink()

    said = run("confirm", "audit", "verify")

    assert said.code == 0
    assert "signatures of checkpoints were not looked at" in said.err
    assert not (home / ".oldhand" / "confirm.key").exists()


def test_the_log_is_listed(run: Run, log: Store) -> None:
    log.close()

    rows = run("confirm", "audit", "list", "--json", "--kind", "token_issued").rows

    assert [row["seq"] for row in rows] == [10, 8, 6, 4, 2]
    assert run("confirm", "audit", "list").code == 0


def test_without_a_database_nothing_is_verified(run: Run) -> None:
    assert run("confirm", "audit", "verify").code == 3
    assert run("confirm", "audit", "export").code == 3


CALLS = [
    {"action": "Bash", "details": {"command": "git status"}},
    {"action": "Bash", "details": {"command": "git status"}},
    {"action": "Bash", "details": {"command": "git status -s"}},
    {"action": "Bash", "details": {"command": "rm -rf /"}},
    {"tool": "Read", "arguments": '{"file_path": "a"}'},
    {"tool": "Read", "arguments": "{broken"},
]
POLICY = """
version = 1
[[rule]]
id = "reading"
effect = "allow"
match = { action = "Read" }
"""


@pytest.fixture
def calls(home: Path) -> Path:
    """Write calls, and a policy beside."""
    file = home / "calls.jsonl"
    file.write_text("".join(json.dumps(call) + "\n" for call in CALLS))
    (home / "policy.toml").write_text(POLICY)
    return file


def test_a_policy_is_tried_on_a_file_of_calls(
    run: Run, calls: Path, home: Path
) -> None:
    policy = home / "policy.toml"
    said = run("confirm", "policy", "test", calls, "--policy", policy)
    (row,) = run("confirm", "policy", "test", calls, "--policy", policy, "--json").rows

    assert said.code == 0
    assert "6 calls: 4 asked, 1 of them always, 2 allowed, 0 denied" in said.out
    assert (row["calls"], row["asked"], row["allowed"]) == (6, 4, 2)
    assert row["proposals"]
    assert "rm -rf" not in "".join(each["text"] for each in row["proposals"])
    assert {each["name"] for each in row["by_rule"]} >= {"reading", "default"}


def test_a_policy_is_tried_on_ones_own_sessions(run: Run, home: Path) -> None:
    call = {
        "id": "c1", "type": "function",
        "function": {"name": "bash", "arguments": '{"command": "ls -l"}'},
    }  # fmt: skip
    chat = {
        "id": "one",
        "messages": [
            {"role": "user", "content": "Look"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": "a.py"},
        ],
    }
    (home / "chats.jsonl").write_text(json.dumps(chat) + "\n")
    run("import", "openai", home / "chats.jsonl")

    said = run("confirm", "policy", "test", "--sessions")
    other = run("confirm", "policy", "test", "--sessions", "--source", "codex")

    assert "1 calls: 1 asked" in said.out
    assert other.code != 0 or "0 calls" in other.out


@pytest.mark.parametrize(
    ("line", "message"),
    [("{", "calls.jsonl:1"), ("[]", "expected an object"), ('{"action": 7}', "a text")],
)
def test_a_line_that_is_no_call_is_named(
    run: Run, home: Path, line: str, message: str
) -> None:
    (home / "calls.jsonl").write_text(line + "\n")

    said = run("confirm", "policy", "test", home / "calls.jsonl")

    assert said.code == 5
    assert message in said.err


def test_a_policy_that_is_none_is_named(run: Run, calls: Path, home: Path) -> None:
    (home / "policy.toml").write_text("version = 7\n")

    said = run("confirm", "policy", "test", calls, "--policy", home / "policy.toml")

    assert said.code == 2
    assert "policy.toml: " in said.err
    assert "version is 7" in said.err


def test_the_policy_that_a_new_daemon_begins_with_is_shown(run: Run) -> None:
    said = run("confirm", "policy", "show")

    assert said.code == 0
    assert "a new one begins with this" in said.err
    assert 'default = "ask"' in said.out
    assert run("confirm", "policy", "show", "--json").rows[0]["default"] == "ask"


def test_the_doctor_says_what_an_agent_of_this_user_can_read(
    run: Run, log: Store
) -> None:
    log.close()

    said = run("confirm", "doctor")
    (row,) = run("confirm", "doctor", "--json").rows

    assert said.code == 0
    assert "level 0, guardrail" in said.out
    assert "can run the command without asking" in said.out
    held = {each["name"]: each["holds"] for each in row["findings"]}
    assert held["database"] is False
    assert held["signing key"] is False
    assert held["the agent's token"] is None
    assert held["people"] is False


def test_the_doctor_makes_no_files(run: Run, home: Path) -> None:
    assert run("confirm", "doctor").code == 0
    assert not (home / ".oldhand").exists()


def test_lists_of_the_database_are_empty_before_there_is_one(
    run: Run, home: Path
) -> None:
    for words in (["grants", "list"], ["people", "list"], ["agents", "list"]):
        assert run("confirm", *words, "--json").rows == []
    assert not (home / ".oldhand").exists()


def test_calls_of_claude_code_are_tried_as_the_gate_would_ask_for_them(
    run: Run, home: Path
) -> None:
    folder = home / ".claude" / "projects" / "-engine"
    log = Log("0a1b2c3d-0000-4000-8000-000000000001", cwd="/engine")
    log.user("Ship it")
    for number in range(3):
        log.call(
            f"t{number}", "Bash", command="odd --thing", description=f"Try {number}"
        )
        log.result(f"t{number}", "fine", is_error=False)
    log.write(folder)
    run("import", "claude-code")

    (row,) = run("confirm", "policy", "test", "--sessions", "--json").rows

    assert row["calls"] == 3
    assert row["proposals"][0]["cuts"] == 3
    assert "Try" not in row["proposals"][0]["text"]
