"""Hermes' databases of any version are found and read, whole and unharmed."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from oldhand.errors import UnreadableSource
from oldhand.sessions.importers.hermes import homes
from oldhand.sessions.importers.tally import Tally
from oldhand.sessions.model import Evidence

from .hermes_fixture import VERSIONS, HermesDatabase, read_home

_DATA = Path(__file__).resolve().parents[3] / ".." / "shared" / "data"
_OK = '{"output": "2 passed", "exit_code": 0, "error": null}'
_RED = '{"output": "1 failed", "exit_code": 1, "error": null}'


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """Return a copy of a database that Hermes itself wrote."""
    if not _DATA.is_dir():
        pytest.skip("no real sessions beside the checkout: ../shared/data")
    return Path(
        shutil.copyfile(_DATA / "hermes_sample_state.db", tmp_path / "state.db")
    )


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_gives_the_same_calls(tmp_path: Path, version: int) -> None:
    database = HermesDatabase(tmp_path / "state.db", version)
    database.session(model="m", title="t", ended_at=1_790_000_100.5, end_reason="idle")
    database.say("user", "run the tests")
    database.call("terminal", {"command": "pytest"}, _RED, call_id="a")
    database.call("terminal", {"command": "pytest -x"}, _OK, call_id="b")
    database.say("assistant", "done")

    (session,), tally = read_home(tmp_path)

    assert (session.uid, session.source, session.model) == ("s1", "hermes", "m")
    assert (session.title, session.end_reason) == ("t", "idle")
    assert session.started_at_us == 1_790_000_000_000_000
    assert session.ended_at_us == 1_790_000_100_500_000
    roles = [message.role for message in session.messages]
    assert roles == ["user", *["assistant", "tool"] * 2, "assistant"]
    calls = [call for message in session.messages for call in message.calls]
    assert [(call.call_id, call.tool, call.arguments) for call in calls] == [
        ("a", "terminal", '{"command": "pytest"}'),
        ("b", "terminal", '{"command": "pytest -x"}'),
    ]
    results = [message for message in session.messages if message.role == "tool"]
    assert [result.call_id for result in results] == ["a", "b"]
    assert results[0].evidence == Evidence(is_error=True, exit_code=1)
    assert all(message.active for message in session.messages)
    assert session.messages[0].at_us == 1_790_000_010_000_000
    assert tally == Tally()


def test_rows_that_the_user_rewound_behind_are_inactive_and_compacted_ones_are_not(
    tmp_path: Path,
) -> None:
    database = HermesDatabase(tmp_path / "state.db")
    database.session()
    database.say("user", "rewound", active=0, compacted=0)
    database.say("user", "compacted", active=0, compacted=1)
    database.say("user", "live")

    (session,), _ = read_home(tmp_path)

    assert [(m.content, m.active) for m in session.messages] == [
        ("rewound", False),
        ("compacted", True),
        ("live", True),
    ]


def test_messages_come_by_id_even_where_the_clock_ran_backwards(tmp_path: Path) -> None:
    database = HermesDatabase(tmp_path / "state.db")
    database.session()
    for content, time in [("a", 30.0), ("b", 20.0), ("c", 10.0)]:
        database.say("user", content, timestamp=time)

    (session,), _ = read_home(tmp_path)

    assert [message.content for message in session.messages] == ["a", "b", "c"]


def test_a_session_without_messages_is_counted_and_left_out(tmp_path: Path) -> None:
    database = HermesDatabase(tmp_path / "state.db")
    database.session("ghost")

    sessions, tally = read_home(tmp_path)

    assert sessions == []
    assert tally.empty == 1


def test_homes_follow_the_variable_and_stand_below_the_users_directory_without_it() -> (
    None
):
    home = Path("/home/u")

    assert homes({}, home) == [home / ".hermes"]
    assert homes({"HERMES_HOME": "/srv/h"}, home) == [Path("/srv/h")]
    assert homes({"HERMES_HOME": "~/h"}, home) == [home / "h"]


def test_databases_of_profiles_are_found_and_their_names_lead_the_uid(
    tmp_path: Path,
) -> None:
    for place in (tmp_path, tmp_path / "profiles/work", tmp_path / "profiles/play"):
        database = HermesDatabase(place / "state.db")
        database.say("user", "hi", database.session("p"))
        database.session("c", parent_session_id="p", source="subagent")
        database.say("user", "ho", "c")
    (tmp_path / "profiles/empty").mkdir()

    sessions, _ = read_home(tmp_path)

    found = [(session.uid, session.parent) for session in sessions]
    assert found == [
        *[("c", "p"), ("p", None)],
        *[("play/c", "play/p"), ("play/p", None)],
        *[("work/c", "work/p"), ("work/p", None)],
    ]


def test_a_database_is_also_read_by_its_own_path_whatever_its_name(
    tmp_path: Path,
) -> None:
    database = HermesDatabase(tmp_path / "profiles" / "work" / "backup of state.db.bak")
    database.say("user", "hi", database.session())

    sessions, _ = read_home(database.path)

    assert [session.uid for session in sessions] == ["work/s1"]


def _prose(path: Path) -> None:
    path.write_text("no database. " * 1000)


def _cut(path: Path) -> None:
    database = HermesDatabase(path)
    database.session()
    for _ in range(2000):
        database.say("user", "x" * 50)
    database.close()
    path.write_bytes(path.read_bytes()[:20_000])


def _stranger(path: Path) -> None:
    database = HermesDatabase(path)
    database.run("ALTER TABLE messages RENAME COLUMN session_id TO owner")
    database.close()


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (_prose, "not a SQLite database"),
        (_cut, "damaged"),
        (_stranger, "no database of Hermes; expected a table messages"),
    ],
)
def test_a_file_that_is_no_database_of_hermes_is_unreadable(
    tmp_path: Path, make: Callable[[Path], None], reason: str
) -> None:
    make(tmp_path / "state.db")

    with pytest.raises(UnreadableSource, match=reason):
        read_home(tmp_path)


def test_the_sample_gives_the_sessions_that_sql_counts(sample: Path) -> None:
    sessions, tally = read_home(sample)

    found = {
        session.uid: (
            len(session.messages),
            sum(len(message.calls) for message in session.messages),
        )
        for session in sessions
    }
    assert found == {
        "20260920_101500_a1b2c3": (26, 13),
        "20260920_120000_ffee00": (2, 0),
        "20260920_130000_ffee01": (2, 0),
        "20260920_140000_c0ffee": (5, 1),
        "20260920_150000_ab12cd": (1, 0),
        "20260920_180000_c10c4b": (3, 0),
        "cron_0a1b2c3d4e5f_20260920_160000": (2, 0),
        "cron_0a1b2c3d4e5f_20260920_160100": (2, 0),
    }
    assert tally == Tally(empty=2)


def test_the_samples_results_tell_how_each_of_its_calls_went(sample: Path) -> None:
    sessions, _ = read_home(sample)

    evidence = {
        message.call_id: message.evidence
        for session in sessions
        for message in session.messages
        if message.role == "tool"
    }
    failed = {call for call, each in evidence.items() if each.is_error}
    assert failed == {"c2", "c3", "c5", "c6", "c7"}
    assert {call for call, each in evidence.items() if each.refused} == {"c10"}
    assert {call for call, each in evidence.items() if each.is_partial} == {"c12"}
    assert {call for call, each in evidence.items() if each.cancelled} == {"c13"}
    worked = {call for call, each in evidence.items() if each.is_error is False}
    assert worked == {"c1", "c4", "c8", "c9", "c11", "k1"}


def test_the_samples_chain_summary_rewinds_and_cost_come_over(sample: Path) -> None:
    by_uid = {session.uid: session for session in read_home(sample)[0]}

    child = by_uid["20260920_130000_ffee01"]
    assert (child.parent, child.relation) == ("20260920_120000_ffee00", "compression")
    assert child.messages[0].type == "summary"
    compacted = by_uid["20260920_140000_c0ffee"].messages
    assert Counter(message.active for message in compacted) == {True: 5}
    assert by_uid["cron_0a1b2c3d4e5f_20260920_160000"].cost_usd == 0.0123
    assert by_uid["cron_0a1b2c3d4e5f_20260920_160100"].cost_usd is None
    assert by_uid["20260920_150000_ab12cd"].messages[0].content.startswith("what is")
