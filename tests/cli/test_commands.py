"""The commands as a user meets them: output, errors, exit codes."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run


def chat(
    number: int, *, command: str = "ls -l", result: str = "a.py"
) -> dict[str, Any]:
    call = {
        "id": "c1",
        "type": "function",
        "function": {"name": "bash", "arguments": json.dumps({"command": command})},
    }
    return {
        "id": f"session-{number}",
        "cwd": "/home/ada/engine",
        "started_at": f"2026-01-{number + 1:02}T10:00:00Z",
        "messages": [
            {"role": "user", "content": f"List the files, time {number}"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": result},
        ],
    }


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    """Write a file of three chats."""
    path = tmp_path / "chats.jsonl"
    lines = [chat(0), chat(1, command="git status"), chat(2, command="cat a.py")]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_an_import_says_what_it_reads_and_what_it_found(run: Run, chats: Path) -> None:
    said = run("import", "openai", chats)

    assert said.code == 0
    assert "reading 1 file of openai" in said.err
    assert "3 new sessions" in said.err
    assert said.out == ""


def test_the_json_of_an_import_has_the_documented_keys(run: Run, chats: Path) -> None:
    (row,) = run("--json", "import", chats).rows

    documented = {
        "sessions",
        "messages",
        "calls",
        "skipped",
        "unknown_types",
        "malformed",
    }
    assert documented <= row.keys()
    assert (row["sessions"], row["messages"], row["calls"]) == (3, 9, 3)


def test_options_stand_before_or_after_the_verb(
    run: Run, chats: Path, tmp_path: Path
) -> None:
    database = tmp_path / "other.db"
    run("import", chats, "--database", database)

    before = run("--json", "--database", database, "sessions", "list").rows
    after = run("sessions", "list", "--json", "--database", database).rows

    assert [row["uid"] for row in before] == ["session-2", "session-1", "session-0"]
    assert after == before


def test_auto_finds_what_is_in_the_home_directory(run: Run, home: Path) -> None:
    folder = home / ".claude" / "projects" / "-home-ada"
    folder.mkdir(parents=True)
    line = {
        "type": "user",
        "uuid": "u1",
        "sessionId": "s",
        "message": {"role": "user", "content": "Hi"},
    }
    (folder / "a.jsonl").write_text(json.dumps(line) + "\n")

    said = run("import")

    assert said.code == 0
    assert "claude-code" in said.err
    assert "nothing leaves this machine" in said.err


def test_an_import_names_the_folder_that_it_reads(run: Run, chats: Path) -> None:
    said = run("import", "--dry-run", "openai", chats.parent)

    assert f"in {chats.parent}" in said.err


def test_where_nothing_is_found_it_says_what_was_looked_for(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()

    nothing = run("import", "codex", tmp_path / "empty")
    missing = run("import", "codexx")

    assert (nothing.code, missing.code) == (3, 3)
    assert f"rollout-*.jsonl in {tmp_path / 'empty'}" in nothing.err
    assert "expected paths, after the name of a source (claude-code," in missing.err


def test_a_database_elsewhere_is_named_without_its_password_and_as_elsewhere(
    run: Run, home: Path
) -> None:
    url = "postgresql://ada:" + "hunter2" * 2 + "@db.example/oldhand"
    (home / ".codex" / "sessions").mkdir(parents=True)
    (home / ".codex" / "sessions" / "rollout-a.jsonl").touch()

    said = run("--database", url, "import", "--dry-run")

    assert "db.example" in said.err
    assert "hunter2" not in said.err
    assert "leaves this machine" not in said.err


def test_a_file_of_another_format_is_named_and_not_its_every_line(
    run: Run, chats: Path
) -> None:
    (chats.parent / "other.jsonl").write_text('{\n"a":\n1\n}\n')

    said = run("--json", "import", "openai", chats.parent)

    (row,) = said.rows
    assert said.code == 5
    assert (row["sessions"], row["malformed"]) == (3, [])
    assert "other.jsonl: holds no conversation" in row["unreadable"][0]


def test_a_warm_start_of_a_template_says_how_old_its_calls_are(
    run: Run, chats: Path
) -> None:
    dated = chat(0)
    for message in dated["messages"]:
        message["timestamp"] = "2020-01-01T10:00:00Z"
    chats.write_text(json.dumps(dated) + "\n")
    run("import", chats)
    run("template", "build", "--all-projects", "--name", "mine")

    said = run("warm", "--template", "mine")

    assert "of template mine@1, the newest " in said.err
    assert "days old" in said.err


def test_a_dry_run_reads_nothing(run: Run, chats: Path, home: Path) -> None:
    said = run("import", "--dry-run", chats)

    assert "reading 1 file" in said.err
    assert not (home / ".oldhand").exists()


def test_calls_have_the_documented_keys(run: Run, chats: Path) -> None:
    run("import", chats)

    row = run("calls", "list", "--json").rows[0]

    assert list(row) == [
        "session",
        "call_id",
        "tool",
        "arguments",
        "result",
        "outcome",
        "rule",
        "confidence",
        "error_kind",
        "shape",
    ]
    assert row["shape"].startswith("bash:ls")


def test_calls_are_filtered(run: Run, chats: Path) -> None:
    run("import", chats)

    by_session = run("calls", "list", "--json", "--session", "session-1").rows
    by_outcome = run("calls", "list", "--json", "--outcome", "error").rows
    limited = run("calls", "list", "--json", "--limit", "2").rows

    assert [json.loads(row["arguments"])["command"] for row in by_session] == [
        "git status"
    ]
    assert by_outcome == []
    assert len(limited) == 2


def test_a_session_is_shown_by_the_beginning_of_its_uid(run: Run, chats: Path) -> None:
    run("import", chats)

    (row,) = run("sessions", "show", "session-0", "--json").rows
    page = run("sessions", "show", "session-0").out

    assert row["uid"] == "session-0"
    assert [m["role"] for m in row["messages"]] == ["user", "assistant", "tool"]
    assert set(row["messages"][0]) >= {"role", "content", "type", "calls"}
    assert "List the files, time 0" in page


def test_a_warm_start_has_the_documented_keys(run: Run, chats: Path) -> None:
    run("import", chats)

    (row,) = run("warm", "--json", "--project", "/home/ada/engine").rows

    assert set(row) == {"template", "tokens", "coverage", "examples", "text"}
    assert set(row["examples"][0]) == {
        "tool",
        "arguments",
        "result",
        "shape",
        "context",
        "support",
        "session",
        "call_id",
    }


def test_a_warm_start_says_on_what_it_rests(run: Run, chats: Path) -> None:
    run("import", chats)

    said = run("warm", "--all-projects")

    assert "from 3 sessions" in said.err
    assert "fewer than 20 sessions" in said.err
    assert "ls -l" in said.out


def test_one_of_a_thing_is_not_spoken_of_as_many(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "chats.jsonl"
    path.write_text(json.dumps(chat(0)) + "\n")

    imported = run("import", path)
    given = run("warm", "--all-projects")
    built = run("template", "build", "--name", "mine", "--all-projects")

    assert "1 example from 1 session, covering 100% of the calls there" in built.err
    assert (
        "covers 100% of the calls of 1 session\n" in run("template", "show", "mine").out
    )
    assert "the calls of 1 session;" in run("template", "best").err
    assert "reading 1 file of openai" in imported.err
    assert "1 new session, 0 grown; 3 messages, 1 call; " in imported.err
    assert "1 example, about" in given.err
    assert "from 1 session, the newest" in given.err
    assert "it covers 100% of what was done there" in given.err


def test_native_turns_are_printed_as_json(run: Run, chats: Path) -> None:
    run("import", chats)

    said = run("warm", "--all-projects", "--for", "openai")

    messages = json.loads(said.out)
    assert messages[0]["role"] == "user"


def test_only_tools_that_the_session_has_are_shown(run: Run, chats: Path) -> None:
    run("import", chats)

    said = run("warm", "--all-projects", "--tools", "read_file")

    assert said.code == 8


def test_the_same_input_gives_the_same_bytes(run: Run, chats: Path) -> None:
    run("import", chats)
    arguments = ("warm", "--all-projects", "--task", "List the files")

    assert run(*arguments).out == run(*arguments).out


def test_sessions_after_a_time_do_not_teach(run: Run, chats: Path) -> None:
    run("import", chats)

    (row,) = run("warm", "--all-projects", "--json", "--before", "2026-01-02").rows

    assert {example["session"] for example in row["examples"]} == {"session-0"}


def test_a_template_is_built_listed_shown_and_deleted(run: Run, chats: Path) -> None:
    run("import", chats)
    built = run("template", "build", "--name", "mine", "--tag", "a", "--all-projects")

    listed = run("template", "list", "--json", "--tag", "a").rows
    shown = run("template", "show", "mine").out
    warm = run("warm", "--template", "mine", "--json").rows[0]
    used = run("template", "list", "--json").rows[0]["used"]
    deleted = run("template", "delete", "mine")

    assert built.out.strip() == "mine@1"
    assert [row["name"] for row in listed] == ["mine"]
    assert "session-0" in shown
    assert warm["template"] == "mine@1"
    assert used == 1
    assert deleted.code == 0
    assert run("template", "list", "--json").rows == []


def test_a_template_goes_out_as_json_and_comes_back(
    run: Run, chats: Path, tmp_path: Path
) -> None:
    run("import", chats)
    run("template", "build", "--name", "mine", "--all-projects")
    run("template", "export", "mine", "--output", tmp_path / "mine.json")
    exported = json.loads((tmp_path / "mine.json").read_text())

    said = run("template", "import", tmp_path / "mine.json", "--name", "theirs")

    (row,) = run("template", "show", "theirs", "--json").rows
    assert said.out.strip() == "theirs@1"
    assert row["examples"] == exported["examples"]


def test_a_strangers_addendum_is_told_at_import_and_when_shown(
    run: Run, tmp_path: Path
) -> None:
    example = {"tool": "Bash", "arguments": {"command": "ls"}, "result": "a"}
    file = tmp_path / "theirs.json"
    told = {"name": "theirs", "addendum": "Trust me.", "examples": [example]}
    file.write_text(json.dumps(told))

    imported = run("template", "import", file)
    shown = run("template", "show", "theirs")
    accepted = run("template", "import", file, "--accept-addendum")

    assert "left out of warm starts" in imported.err
    assert "Trust me." in imported.err
    assert "(somebody else's, left out of warm starts): Trust me." in shown.out
    assert (accepted.out, accepted.err) == ("theirs@2\n", "")


WRONG = [
    (["import", "openai", "missing.jsonl"], 3, "missing.jsonl: no such file"),
    (["import", "cobol"], 3, "cobol: no such file"),
    (["import"], 3, "no sessions found, or all are excluded; looked for"),
    (["sessions", "show", "nobody"], 3, "no session 'nobody'"),
    (["calls", "list", "--outcome", "great"], 2, "'great' is no outcome"),
    (["template", "show", "nobody"], 3, "no template 'nobody'"),
    (["template", "build", "--name", "../x"], 2, "'../x' is no template name"),
    (["template", "build", "--name", "x"], 8, "run `oldhand import` first"),
    (["template", "import", "missing.json"], 3, "missing.json: no such file"),
    (["warm"], 8, "run `oldhand import` first"),
    (["warm", "--for", "morse"], 2, "one of text, openai, anthropic, claude-code"),
    (["warm", "--kind", "odd"], 2, "'odd' is no kind"),
    (["warm", "--before", "later"], 2, "'later' is no time"),
    (["warm", "--template", "none"], 3, "no template 'none'"),
    (["warm", "--tokens", "0"], 2, "tokens"),
    (["--database", "mysql://x", "sessions", "list"], 2, "mysql"),
    (["fly"], 2, "No such command"),
]


@pytest.mark.parametrize(("arguments", "code", "message"), WRONG)
def test_wrong_input_gets_one_line_and_its_exit_code(
    run: Run, arguments: list[str], code: int, message: str
) -> None:
    said = run(*arguments)

    assert (said.code, said.out) == (code, "")
    assert message in said.err
    assert "Traceback" not in said.err


BAD_FILES = {
    "empty.jsonl": b"",
    "binary.jsonl": b"\x7fELF\0\0",
    "other.jsonl": b'{"weather": "fine"}\n',
    "text.jsonl": b"not json at all\n",
    "state.db": b"SQLite format 3\0 but cut",
    "session_1.json": b'{"messages": ',
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_is_named_and_what_was_imported_stays(
    run: Run, chats: Path, tmp_path: Path, name: str
) -> None:
    run("import", chats)
    path = tmp_path / "bad" / name
    path.parent.mkdir()
    path.write_bytes(BAD_FILES[name])

    said = run("import", path)

    assert said.code == 5
    assert name in said.err
    assert len(run("sessions", "list", "--json").rows) == 3


def test_a_folder_without_sessions_is_named(run: Run, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()

    said = run("import", empty)

    assert (said.code, "empty: holds no session file" in said.err) == (5, True)


def test_a_project_without_sessions_is_told_what_there_is(
    run: Run, chats: Path, tmp_path: Path
) -> None:
    run("import", chats)

    said = run("warm", "--project", tmp_path)

    assert said.code == 8
    assert "3 sessions of 1 project" in said.err
    assert "--all-projects" in said.err


def test_an_import_that_is_interrupted_says_so_and_can_go_on(
    home: Path, tmp_path: Path
) -> None:
    big = tmp_path / "big.jsonl"
    with big.open("w") as file:
        for number in range(5_000):
            line = chat(1) | {"id": f"session-{number}"}
            file.write(json.dumps(line) + "\n")
    command = [sys.executable, "-m", "oldhand", "import", "openai", str(big)]
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)
    while not (home / ".oldhand" / "oldhand.db-wal").exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()

    again = subprocess.run(command, env=environment, capture_output=True, check=False)

    assert process.returncode == 130
    assert b"interrupted" in said
    assert again.returncode == 0
    assert b"5,000" in again.stderr


def test_a_fault_of_ours_gets_an_id_and_a_trace_in_a_private_file(
    run: Run, chats: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("import", chats)
    monkeypatch.setattr(
        "oldhand.sessions.read.recent_sessions", lambda *_, **__: 1 // 0
    )

    said = run("sessions", "list")

    trace = home / ".oldhand" / "faults.log"
    assert said.code == 1
    assert "internal error" in said.err
    assert "ZeroDivisionError" in trace.read_text()
    assert trace.stat().st_mode & 0o077 == 0


def test_text_from_a_session_cannot_steer_the_terminal(
    run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "evil.jsonl"
    line = chat(1, result="\x1b]0;owned\x07\x1b[2J")
    line["messages"][0]["content"] = "\x1b[31mred"
    path.write_text(json.dumps(line) + "\n")
    run("import", path)

    shown = [
        run("sessions", "show", "session-1").out,
        run("sessions", "list").out,
        run("calls", "list").out,
        run("warm", "--all-projects").out,
    ]

    assert not any("\x1b]" in page or "\x1b[2J" in page for page in shown)
