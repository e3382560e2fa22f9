"""Recorded events, replayed through the real command as a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from oldhand.store import open_database
from oldhand.store.queries import Query

from .conftest import EARLIER, earlier_session
from .recorded_events import UID, Machine

PATIENCE_SECONDS = 15


def rows_of(machine: Machine, sql: str) -> list[tuple[Any, ...]]:
    """Return what a query finds in the machine's database."""
    store = open_database(str(machine.home / ".oldhand" / "oldhand.db"))
    try:
        return list(store.query_all(Query("asked", sql, sql)))
    finally:
        store.close()


def uses(machine: Machine) -> list[tuple[Any, ...]]:
    """Return the session and target of each warm start on record."""
    return rows_of(machine, "SELECT session, target FROM warm_uses ORDER BY id")


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait for what a process does that nobody can wait for."""
    give_up_at = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < give_up_at, "it never happened"
        time.sleep(0.05)


def sessions(machine: Machine) -> list[str]:
    return [row["uid"] for row in machine.oldhand("sessions", "list", "--json")]


@pytest.mark.parametrize("source", ["startup", "clear"])
def test_a_fresh_session_is_given_calls_that_worked_and_it_is_logged(
    taught: Machine, source: str
) -> None:
    answer = taught.hook(taught.start(source=source))

    assert (answer.code, answer.err) == (0, "")
    assert answer.context is not None
    assert "pytest -q tests" in answer.context
    assert len(answer.context) <= 9_000
    assert (
        json.loads(answer.out)["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    )
    assert uses(taught) == [(UID, "text")]


@pytest.mark.parametrize("source", ["resume", "compact", "fork"])
def test_a_session_that_has_a_history_is_given_nothing(
    taught: Machine, source: str
) -> None:
    answer = taught.hook(taught.start(source=source))

    assert (answer.out, answer.err, answer.code) == ("{}\n", "", 0)
    assert uses(taught) == []


def test_a_long_history_still_fits_into_what_is_shown_whole(machine: Machine) -> None:
    for number in range(12):
        log = earlier_session(
            str(machine.project), f"0a1b2c3d-0000-4000-8000-0000000001{number:02}"
        )
        for n in range(20):
            log.call(
                f"toolu_x{n}",
                "Bash",
                command=f"tool{number}-{n} --flag{n} {'é🙂' * 40}",
            )
            log.result(f"toolu_x{n}", "🙂" * 3_000, is_error=False)
        log.write(machine.folder)
    machine.oldhand("import", "claude-code")

    context = machine.hook(machine.start()).context

    assert context is not None
    assert len(context.encode("utf-16-le")) // 2 <= 9_000


def test_the_use_meets_the_session_that_is_imported_later(taught: Machine) -> None:
    taught.hook(taught.start())
    earlier_session(str(taught.project), UID).write(taught.folder)

    taught.oldhand("import", "claude-code")

    assert [uid for uid, _ in uses(taught)] == [UID]
    assert UID in sessions(taught)


def test_a_running_experiment_decides_what_is_given(taught: Machine) -> None:
    taught.oldhand("experiment", "start", "trial", "--holdout", "0", "--json")

    given = {}
    for number in range(8):
        event = taught.start(session_id=f"s{number}", transcript_path=None)
        given[f"s{number}"] = taught.hook(event).context
        assert taught.hook(event).context == given[f"s{number}"]

    arms = dict(
        rows_of(
            taught, "SELECT session, arm FROM assignments WHERE agent = 'claude-code'"
        )
    )
    assert set(arms) == set(given)
    assert {name for name, arm in arms.items() if arm == "cold"} == {
        name for name, context in given.items() if context is None
    }


def test_another_projects_session_starts_cold_and_says_so(taught: Machine) -> None:
    elsewhere = taught.home / "elsewhere"
    elsewhere.mkdir()

    answer = taught.hook(taught.start(cwd=str(elsewhere)))

    assert (answer.out, answer.code) == ("{}\n", 0)
    assert answer.err.startswith(f"oldhand hook: no session of {elsewhere} fits")
    assert "`oldhand import`" in answer.err
    assert "--" not in answer.err  # nobody can add a flag to a hook
    assert len(answer.err.splitlines()) == 1


def test_an_empty_home_gets_an_empty_answer_and_no_database(machine: Machine) -> None:
    answer = machine.hook(machine.start())

    assert (answer.out, answer.code) == ("{}\n", 0)
    assert "no database yet" in answer.err
    assert not (machine.home / ".oldhand").exists()


def break_directory(machine: Machine) -> None:
    (machine.home / ".oldhand").mkdir()
    (machine.home / ".oldhand" / "oldhand.db").mkdir()


def break_bytes(machine: Machine) -> None:
    (machine.home / ".oldhand").mkdir()
    (machine.home / ".oldhand" / "oldhand.db").write_bytes(b"no database" * 1000)


def break_settings(machine: Machine) -> None:
    (machine.home / ".oldhand").mkdir()
    (machine.home / ".oldhand" / "oldhand.toml").write_text("database =")


def break_url(machine: Machine) -> None:
    machine.environment["OLDHAND_DATABASE"] = "mysql://nowhere"


def break_home(machine: Machine) -> None:
    machine.environment["HOME"] = ""
    machine.environment["OLDHAND_HOME"] = "/proc/nowhere"


@pytest.mark.parametrize(
    "broken", [break_directory, break_bytes, break_settings, break_url, break_home]
)
@pytest.mark.parametrize("kind", ["start", "end"])
def test_a_fault_of_ours_is_no_fault_of_the_agent(
    machine: Machine, broken: Callable[[Machine], None], kind: str
) -> None:
    broken(machine)
    event = machine.start() if kind == "start" else machine.end()

    answer = machine.hook(event)

    assert (answer.out, answer.code) == ("{}\n", 0)
    assert len(answer.err.splitlines()) <= 1
    assert kind == "end" or answer.err


@pytest.mark.parametrize(
    "name", ["SessionStart", "PostToolUseFailure", "SessionEnd", "Stop"]
)
@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"null", b"[]", b'"x"', b"\xff\xfe\x00", b"[" * 200_000, b"{}" * 50],
)
def test_hostile_input_gets_an_empty_answer(
    machine: Machine, name: str, data: bytes
) -> None:
    answer = machine.hook(data, name=name)

    assert (answer.out, answer.code) == ("{}\n", 0)
    assert len(answer.err.splitlines()) == 1


def test_a_huge_response_is_read_and_one_beyond_all_measure_is_not(
    machine: Machine,
) -> None:
    big = machine.event(
        "PostToolUse",
        tool_name="Bash",
        tool_input={"command": "cat big"},
        tool_response={"stdout": "é" * 5_000_000},
    )

    assert machine.hook(big).err == ""
    answer = machine.hook(b'"' + b"x" * 34_000_000 + b'"', name="PostToolUse")
    assert (answer.out, answer.code) == ("{}\n", 0)
    assert "more than" in answer.err


@pytest.mark.parametrize(
    "fields",
    [
        {"cwd": "/engine/\ud800/é🙂"},
        {"cwd": "/../../.." + "/x" * 3_000},
        {"cwd": "/proc/self/fd/0"},
        {"session_id": "../../x", "transcript_path": "/dev/stdin"},
        {"source": "startup\n", "session_id": "\u202e"},
        {"prompt_id": {"deep": [[[[]]]]}, "source": ["startup"]},
    ],
)
def test_tricks_with_places_and_names_come_to_nothing(
    taught: Machine, fields: dict[str, Any]
) -> None:
    answer = taught.hook(taught.start(**fields))

    assert answer.code == 0
    json.loads(answer.out)
    assert len(answer.err.splitlines()) <= 1


def test_an_event_without_its_place_is_answered_for_the_current_directory(
    taught: Machine,
) -> None:
    answer = taught.hook({"hook_event_name": "SessionStart", "source": "startup"})

    assert (answer.out, answer.code) == ("{}\n", 0)


def test_a_session_that_ended_is_imported_with_its_subagents(machine: Machine) -> None:
    log = earlier_session(str(machine.project), UID)
    log.write(machine.folder)
    aside = earlier_session(str(machine.project), UID)
    for number, line in enumerate(aside.lines):
        line |= {"isSidechain": True, "agentId": "a1", "uuid": f"aside-{number}"}
        line["parentUuid"] = f"aside-{number - 1}" if number else None
        if "id" in line["message"]:
            line["message"]["id"] += "-aside"
    aside.write(machine.folder / UID / "subagents", name="agent-a1")

    answer = machine.hook(machine.end())

    assert (answer.out, answer.err, answer.code) == ("{}\n", "", 0)
    database = machine.home / ".oldhand" / "oldhand.db"
    wait_for(database.exists)
    wait_for(lambda: set(sessions(machine)) == {UID, f"{UID}/agent-a1"})


def test_a_session_of_which_nothing_was_written_is_no_fault(machine: Machine) -> None:
    answer = machine.hook(machine.end())

    assert (answer.out, answer.err, answer.code) == ("{}\n", "", 0)


def test_the_end_returns_while_the_import_still_waits(taught: Machine) -> None:
    """Nothing of the background process is held by whoever started the hook."""
    earlier_session(str(taught.project), UID).write(taught.folder)
    database = str(taught.home / ".oldhand" / "oldhand.db")
    store = open_database(database)
    try:
        with store.transaction():
            answer = taught.hook(taught.end())
            assert UID not in sessions(taught)
    finally:
        store.close()

    assert (answer.out, answer.err, answer.code) == ("{}\n", "", 0)
    wait_for(lambda: UID in sessions(taught))


@pytest.mark.parametrize("trick", ["outside", "dots", "link", "folder link", "name"])
def test_no_path_of_an_event_leads_out_of_claude_codes_folders(
    taught: Machine, tmp_path: Path, trick: str
) -> None:
    secret = earlier_session("/secret", UID).write(tmp_path / "secret")
    paths = {
        "outside": secret,
        "dots": taught.folder / ".." / ".." / ".." / ".." / "secret" / secret.name,
        "link": taught.folder / secret.name,
        "folder link": taught.folder.parent / "linked" / secret.name,
        "name": taught.home / ".claude" / "projects" / ".." / "settings.json",
    }
    if trick == "link":
        paths[trick].symlink_to(secret)
    if trick == "folder link":
        paths[trick].parent.symlink_to(secret.parent)
    (taught.home / ".claude" / "settings.json").write_text("{}")

    answer = taught.hook(taught.end(transcript_path=str(paths[trick])))

    assert (answer.out, answer.code) == ("{}\n", 0)
    assert "not below Claude Code's projects" in answer.err
    assert sessions(taught) == [EARLIER]


def test_a_linked_file_beside_the_session_is_not_read_either(
    machine: Machine, tmp_path: Path
) -> None:
    log = earlier_session(str(machine.project), UID)
    log.write(machine.folder)
    secret = earlier_session("/secret", EARLIER).write(tmp_path / "secret")
    beside = machine.folder / UID / "subagents"
    beside.mkdir(parents=True)
    (beside / "agent-x.jsonl").symlink_to(secret)

    machine.hook(machine.end())

    wait_for((machine.home / ".oldhand" / "oldhand.db").exists)
    wait_for(lambda: sessions(machine) == [UID])


def test_many_hooks_at_once_all_answer(taught: Machine) -> None:
    events = [taught.start(session_id=f"s{n}", transcript_path=None) for n in range(6)]

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(taught.hook, events))

    assert [answer.code for answer in answers] == [0] * 6
    assert all(answer.context for answer in answers)
    assert sorted(uid for uid, _ in uses(taught)) == [f"s{n}" for n in range(6)]


@pytest.mark.parametrize("delay", [0.0, 0.01, 0.03, 0.06, 0.1])
def test_a_hook_that_is_killed_leaves_the_database_sound(
    taught: Machine, delay: float
) -> None:
    process = subprocess.Popen(
        taught.command("hook", "claude-code", "SessionStart"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=taught.environment,
        process_group=0,
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(taught.start()).encode())
    process.stdin.close()
    time.sleep(delay)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert process.stdout is not None
    process.stdout.close()

    assert taught.hook(taught.start()).context
    taught.oldhand("db", "check")


def test_an_agent_that_never_closes_its_end_is_answered_in_time(
    machine: Machine,
) -> None:
    reading, writing = os.pipe()
    try:
        run = subprocess.run(
            machine.command("hook", "claude-code", "SessionStart"),
            stdin=reading,
            capture_output=True,
            env=machine.environment,
            check=False,
        )
    finally:
        os.close(reading)
        os.close(writing)

    assert (run.stdout, run.returncode) == (b"{}\n", 0)
    assert b"no answer within" in run.stderr


def test_the_database_may_be_named_before_or_after(taught: Machine) -> None:
    database = str(taught.home / ".oldhand" / "oldhand.db")
    taught.environment["OLDHAND_DATABASE"] = "/nowhere/at/all.db"
    data = json.dumps(taught.start()).encode()

    after = taught.hook(taught.start(), "--database", database)
    before = subprocess.run(
        taught.command("--database", database, "hook", "claude-code", "SessionStart"),
        input=data,
        capture_output=True,
        env=taught.environment,
        check=True,
    )

    assert after.context
    assert json.loads(before.stdout) == json.loads(after.out)


def test_a_module_of_the_project_is_never_taken_for_ours(taught: Machine) -> None:
    for name in ("json", "oldhand", "apsw", "settings"):
        (taught.project / f"{name}.py").write_text("raise SystemExit('taken over')")

    run = subprocess.run(
        taught.command("hook", "claude-code", "SessionStart"),
        input=json.dumps(taught.start()).encode(),
        capture_output=True,
        env=taught.environment,
        cwd=taught.project,
        check=True,
    )

    assert b"taken over" not in run.stderr
    assert b"additionalContext" in run.stdout


def test_the_help_says_what_it_is_for(machine: Machine) -> None:
    run = subprocess.run(
        machine.command("hook", "--help"),
        capture_output=True,
        env=machine.environment,
        check=True,
    )

    assert b"SessionStart" in run.stdout
