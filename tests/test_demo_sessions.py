"""The sessions that `oldhand demo` falls back on: whole, harmless, and reproducible."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

Session = dict[str, Any]

FOLDER = files("oldhand") / "cli" / "demo_sessions"
TEXTS = {
    file.name: file.read_text("utf-8")
    for file in FOLDER.iterdir()
    if file.name.endswith(".jsonl")
}
SESSIONS: list[Session] = [
    json.loads(line) for text in TEXTS.values() for line in text.splitlines()
]
GENERATOR = Path(__file__).parents[1] / "tools" / "make_demo_sessions.py"
FORGIVEN = {"nothing found", "edit before read"}
"""Slips with which a session may end the matter: there was nothing, another way was found."""


def calls_of(session: Session) -> list[dict[str, Any]]:
    return [
        call
        for message in session["messages"]
        for call in message.get("tool_calls", ())
    ]


def results_of(session: Session) -> dict[str, str]:
    return {
        message["tool_call_id"]: message["content"]
        for message in session["messages"]
        if message["role"] == "tool"
    }


def moment(message: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(message["timestamp"])


def ids_to_answer(messages: list[dict[str, Any]]) -> list[str]:
    """Ids asked for and not answered before somebody else speaks; wrong answers too."""
    wrong, waiting = [], list[str]()
    for message in messages:
        if message["role"] != "tool":
            wrong += waiting
            waiting = [call["id"] for call in message.get("tool_calls", ())]
        elif waiting[:1] == [message["tool_call_id"]]:
            waiting.pop(0)
        else:
            wrong.append(message["tool_call_id"])
    return wrong + waiting


def test_they_are_many_enough_to_learn_from_and_small_enough_to_ship() -> None:
    calls = sum(len(calls_of(session)) for session in SESSIONS)

    assert 24 <= len(SESSIONS) <= 30
    assert 400 <= calls <= 500
    assert sum(len(text.encode()) for text in TEXTS.values()) <= 350_000


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session["id"])
def test_a_session_is_of_8_to_30_calls_and_says_that_it_is_scripted(
    session: Session,
) -> None:
    assert 8 <= len(calls_of(session)) <= 30
    assert session["metadata"]["scripted"] is True
    assert "a script, not a language model" in session["messages"][0]["content"]
    assert session["model"] is None


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session["id"])
def test_every_call_is_answered_in_its_place(session: Session) -> None:
    assert ids_to_answer(session["messages"]) == []


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session["id"])
def test_a_session_goes_from_a_request_to_a_last_word(session: Session) -> None:
    roles = [message["role"] for message in session["messages"]]

    assert roles[:2] == ["system", "user"]
    assert roles[-1] == "assistant"
    assert session["messages"][-1]["content"]


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session["id"])
def test_time_never_runs_backwards(session: Session) -> None:
    messages = session["messages"]

    assert all(moment(first) <= moment(later) for first, later in pairwise(messages))
    assert session["started_at"] == messages[0]["timestamp"]


def test_ids_are_unique_and_ids_of_calls_suit_every_provider() -> None:
    sessions = [session["id"] for session in SESSIONS]
    calls = [call["id"] for session in SESSIONS for call in calls_of(session)]

    assert len(set(sessions)) == len(sessions)
    assert len(set(calls)) == len(calls)
    assert [call for call in calls if not re.fullmatch(r"[A-Za-z0-9]{9}", call)] == []


def test_arguments_are_json_objects() -> None:
    arguments = [
        json.loads(call["function"]["arguments"])
        for session in SESSIONS
        for call in calls_of(session)
    ]

    assert all(isinstance(each, dict) and each for each in arguments)


def test_they_spread_over_three_weeks_and_three_projects() -> None:
    starts = sorted(moment(session["messages"][0]) for session in SESSIONS)

    assert starts[0] >= datetime(2026, 1, 1, tzinfo=UTC)
    assert timedelta(days=20) <= starts[-1] - starts[0] <= timedelta(days=22)
    assert len({session["project"] for session in SESSIONS}) == 3


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_no_path_of_the_machine_that_made_them_is_in_them(name: str) -> None:
    foreign = r"/tmp/|/root\b|/var/|/work/|/Users/|/private/|/usr/local|\.programs|/home/(?!demo\b)"  # noqa: S108

    assert re.findall(foreign, TEXTS[name]) == []


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_nobody_has_an_address_in_them(name: str) -> None:
    domains = re.findall(r"[\w.+-]+@([\w-]+(?:\.[\w-]+)+)", TEXTS[name])

    assert {domain.lower() for domain in domains} <= {"example.invalid"}


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session["id"])
def test_no_failure_goes_unnamed(session: Session) -> None:
    slips, results = session["metadata"]["slips"], results_of(session)
    refused = {call for call, result in results.items() if result.startswith("Error: ")}

    assert session["metadata"]["exit_codes"].keys() | refused <= slips.keys()
    assert slips.keys() <= results.keys()


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session["id"])
def test_a_session_does_not_end_in_a_failure(session: Session) -> None:
    last = calls_of(session)[-1]["id"]

    assert session["metadata"]["slips"].get(last, "nothing found") in FORGIVEN


def test_sorts_of_failure_come_again_in_later_weeks() -> None:
    weeks: dict[str, set[int]] = {}
    for session in SESSIONS:
        week = moment(session["messages"][0]).isocalendar().week
        for slip in session["metadata"]["slips"].values():
            weeks.setdefault(slip, set()).add(week)

    assert len([slip for slip, seen in weeks.items() if len(seen) > 1]) >= 12
    assert len(weeks["edit before read"]) == 4


def test_several_tools_do_the_work() -> None:
    tools = Counter(
        call["function"]["name"] for session in SESSIONS for call in calls_of(session)
    )

    assert tools.keys() == {
        *("bash", "read_file", "write_file", "edit_file"),
        *("search", "list_directory", "todo"),
    }
    assert min(count for tool, count in tools.items() if tool != "todo") >= 10


@pytest.mark.parametrize(
    ("name", "options"), [("shop-01-errors", ["--exact"]), ("ledger-01-money", [])]
)
def test_a_session_played_again_is_the_one_that_ships(
    name: str, options: list[str]
) -> None:
    for program in ("git", "curl"):
        if shutil.which(program) is None:
            pytest.skip(f"the demo sessions need {program}")
    command = [
        sys.executable,
        "-B",
        str(GENERATOR),
        "--check",
        "--until",
        name,
        *options,
    ]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
