"""What Hermes stored twice comes once, and what was said twice comes twice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from oldhand.sessions.importers.hermes_copies import without_copies
from oldhand.sessions.importers.hermes_messages import HermesRow

from .hermes_fixture import HermesDatabase, read_home

_OK = '{"output": "", "exit_code": 0, "error": null}'


@pytest.fixture
def database(tmp_path: Path) -> HermesDatabase:
    """Return an empty database of version 22."""
    return HermesDatabase(tmp_path / "state.db")


def _said(database: HermesDatabase, uid: str = "s1") -> tuple[list[str], int]:
    """Return what a session holds, results by call, and how many rows were copies."""
    sessions, tally = read_home(database.path)
    session = next(session for session in sessions if session.uid == uid)
    told = [
        message.call_id
        or "+".join(call.arguments for call in message.calls)
        or message.content
        for message in session.messages
    ]
    return told, tally.duplicates


def _turn(database: HermesDatabase, uid: str = "s1") -> None:
    database.say("user", "go", uid)
    database.call("t", {"n": 1}, _OK, call_id="a", session_id=uid)
    database.call("t", {"n": 2}, _OK, call_id="b", session_id=uid)


def test_calls_that_were_written_with_every_save_come_once(
    database: HermesDatabase,
) -> None:
    database.session()
    _turn(database)
    _turn(database)
    database.say("assistant", "done")

    told, duplicates = _said(database)

    assert told == ["go", '{"n": 1}', "a", '{"n": 2}', "b", "go", "done"]
    assert duplicates == 4


def test_an_id_that_a_provider_gives_to_different_calls_proves_no_copy(
    database: HermesDatabase,
) -> None:
    database.session()
    for number in (1, 2, 1):
        database.call("t", {"n": number}, _OK, call_id="call_0")

    told, duplicates = _said(database)

    assert [each for each in told if each.startswith("{")] == [
        '{"n": 1}',
        '{"n": 2}',
        '{"n": 1}',
    ]
    assert duplicates == 0


def _platform(database: HermesDatabase) -> None:
    database.say("user", "yes", timestamp=100.0, platform_message_id="77")
    database.say("user", "yes", timestamp=104.6)


def _bridge(database: HermesDatabase) -> None:
    database.say("user", "yes", timestamp=100.0)
    database.say("user", "yes", timestamp=100.03)


def _same_time(database: HermesDatabase) -> None:
    database.say("user", "yes", timestamp=100.0)
    database.say("assistant", "ok", timestamp=101.0)
    database.say("user", "yes", timestamp=100.0)


@pytest.mark.parametrize("write", [_platform, _bridge, _same_time])
def test_one_message_of_the_user_that_two_writers_stored_comes_once(
    database: HermesDatabase, write: Callable[[HermesDatabase], None]
) -> None:
    database.session()
    write(database)

    told, duplicates = _said(database)

    assert told.count("yes") == 1
    assert duplicates == 1


def _minutes_later(database: HermesDatabase) -> None:
    database.say("user", "yes", timestamp=100.0)
    database.say("user", "yes", timestamp=103.0)


def _two_deliveries(database: HermesDatabase) -> None:
    database.say("user", "yes", timestamp=100.0, platform_message_id="77")
    database.say("user", "yes", timestamp=100.0, platform_message_id="78")


def _after_an_answer(database: HermesDatabase) -> None:
    database.say("user", "yes", timestamp=100.0)
    database.say("assistant", "sure?", timestamp=100.5)
    database.say("user", "yes", timestamp=101.0)


@pytest.mark.parametrize("write", [_minutes_later, _two_deliveries, _after_an_answer])
def test_what_the_user_really_said_twice_comes_twice(
    database: HermesDatabase, write: Callable[[HermesDatabase], None]
) -> None:
    database.session()
    write(database)

    told, duplicates = _said(database)

    assert told.count("yes") == 2
    assert duplicates == 0


def test_rows_that_compaction_in_place_wrote_again_come_once(
    database: HermesDatabase,
) -> None:
    database.session()
    old: dict[str, Any] = {"active": 0, "compacted": 1}
    database.say("user", "first", timestamp=10.0, **old)
    database.call("t", {"n": 1}, _OK, call_id="a", **old)
    database.say("assistant", "halfway", timestamp=40.0, **old)
    database.say("user", "[CONTEXT COMPACTION] so far", timestamp=500.0)
    database.call("t", {"n": 1}, "[Old tool output cleared]", call_id="a")
    database.say("assistant", "halfway", timestamp=600.0)
    database.say("user", "first", timestamp=600.0001)
    database.say("user", "next", timestamp=700.0)
    database.run("UPDATE messages SET timestamp = 599.9999 WHERE id = 7")

    told, duplicates = _said(database)

    assert told == [
        *["first", '{"n": 1}', "a", "halfway"],
        *["[CONTEXT COMPACTION] so far", "next"],
    ]
    assert duplicates == 4


def test_what_the_user_says_again_after_a_compaction_in_place_is_kept(
    database: HermesDatabase,
) -> None:
    database.session()
    database.say("user", "continue", active=0, compacted=1)
    database.say("user", "[CONTEXT COMPACTION] so far")
    database.say("user", "continue")

    told, duplicates = _said(database)

    assert told.count("continue") == 2
    assert duplicates == 0


def test_a_session_after_a_compaction_leaves_out_what_its_parent_holds(
    database: HermesDatabase,
) -> None:
    database.session("p", end_reason="compression")
    _turn(database, "p")
    database.session("s1", parent_session_id="p")
    database.say("user", "go")
    database.say("user", "[CONTEXT COMPACTION] so far")
    database.call("t", {"n": 2}, "[Old tool output cleared]", call_id="b")
    database.say("user", "go")

    told, duplicates = _said(database)

    assert told == ["[CONTEXT COMPACTION] so far", "go"]
    assert duplicates == 3


def test_a_branch_leaves_out_the_history_that_was_copied_into_it(
    database: HermesDatabase,
) -> None:
    database.session("p", end_reason="branched")
    database.say("user", "hi", "p")
    database.say("assistant", "hello", "p")
    database.session("s1", parent_session_id="p")
    for role, content in [("user", "hi"), ("assistant", "hello"), ("user", "else")]:
        database.say(role, content)

    assert _said(database) == (["else"], 2)


def test_one_equal_text_alone_is_not_taken_for_inherited(
    database: HermesDatabase,
) -> None:
    database.session("p", end_reason="compression")
    database.say("user", "continue", "p")
    database.say("assistant", "on it", "p")
    database.session("s1", parent_session_id="p")
    database.say("user", "[CONTEXT COMPACTION] so far")
    database.say("user", "continue")

    assert _said(database) == (["[CONTEXT COMPACTION] so far", "continue"], 0)


def test_a_subagent_keeps_what_it_was_told_even_in_its_parents_words(
    database: HermesDatabase,
) -> None:
    database.session("p")
    _turn(database, "p")
    database.session("s1", parent_session_id="p", source="subagent")
    _turn(database)

    told, duplicates = _said(database)

    assert len(told) == 5
    assert duplicates == 0


def test_many_equal_rows_are_compared_in_linear_time() -> None:
    rows: list[HermesRow] = [
        {"role": "user", "content": "y" * 100, "timestamp": 10.0 * number}
        for number in range(20_000)
    ]

    assert len(without_copies(rows)) == 20_000
