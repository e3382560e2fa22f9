"""What was mined is kept, holds while the session stays, and goes with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from oldhand.errors import StoreBusy
from oldhand.experience.repair import keep, mined
from oldhand.experience.repair.keep import mine_sessions, mine_some
from oldhand.experience.repair.mined import MINED_FOR_A_HINT, newest_unmined
from oldhand.sessions.model import Evidence, Message, Session, ToolCall
from oldhand.sessions.record import SessionWriter
from oldhand.store import Query, Row, Store, open_database

from ..conftest import FAILED, WENT_WELL, Call, Teach, bash  # noqa: TID252 - tests are no package

TABLES = ("mined_sessions", "repairs", "shape_calls")
CHILD = """
import sys
from oldhand.experience.repair.keep import mine_sessions
from oldhand.store import open_database
store = open_database(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
mine_sessions(store, progress=lambda done, total: print(done, flush=True))
store.close()
"""


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


def statement(sql: str) -> Query:
    return Query("statement", sql, sql)


def kept(store: Store) -> dict[str, list[Row]]:
    return {
        table: sorted(store.query_all(statement(f"SELECT * FROM {table}")), key=str)  # noqa: S608 - names from above
        for table in TABLES
    }


def edit(path: str, evidence: Evidence = WENT_WELL) -> Call:
    result = "File has not been read yet." if evidence is FAILED else "done"
    return "Edit", {"file_path": path, "old_string": "x"}, result, evidence


def read(path: str) -> Call:
    return "Read", {"file_path": path}, "text", WENT_WELL


def teach_some(teach: Teach) -> None:
    teach("s1", edit("a.py", evidence=FAILED), read("a.py"), edit("a.py"))
    teach(
        "s2", bash("go tset ./a.go", "unknown command", FAILED), bash("go test ./a.go")
    )
    teach("s3", bash("ls"))


def test_repairs_and_counts_are_kept_without_any_text(
    store: Store, teach: Teach
) -> None:
    teach_some(teach)

    assert mine_sessions(store) == 3
    found = kept(store)
    assert [len(found[table]) for table in TABLES] == [3, 2, 5]
    words = {value for row in found["repairs"] for value in row if type(value) is str}
    assert words == {"stale_state", "command"}


def test_what_was_mined_is_not_mined_again(store: Store, teach: Teach) -> None:
    teach_some(teach)
    mine_sessions(store)

    assert mine_sessions(store) == 0


def test_a_session_that_went_on_is_mined_anew(store: Store, teach: Teach) -> None:
    teach("s1", edit("a.py", evidence=FAILED))
    mine_sessions(store)
    teach("s1", edit("a.py", evidence=FAILED), read("a.py"), edit("a.py"))

    assert mine_sessions(store) == 1
    assert len(kept(store)["repairs"]) == 1


CHANGES = {
    "an outcome": "UPDATE tool_calls SET outcome = 'error' WHERE outcome = 'ok'",
    "a kind": "UPDATE tool_calls SET error_kind = 'limit' WHERE outcome = 'error'",
    "a call taken back": "UPDATE tool_calls SET active = 0 WHERE outcome = 'ok'",
    "a shape": "UPDATE tool_calls SET shape_id = (SELECT max(id) FROM shapes)",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_call_judged_otherwise_is_mined_anew(
    store: Store, teach: Teach, change: str
) -> None:
    teach_some(teach)
    mine_sessions(store)
    before = kept(store)

    store.execute(statement(change))

    assert len(kept(store)["mined_sessions"]) < 3
    mine_sessions(store)
    now = kept(store)
    assert now != before
    store.execute(statement("DELETE FROM mined_sessions"))
    mine_sessions(store)
    assert kept(store) == now


def test_another_way_of_mining_mines_anew(
    store: Store, teach: Teach, monkeypatch: pytest.MonkeyPatch
) -> None:
    teach_some(teach)
    mine_sessions(store)
    monkeypatch.setattr(mined, "VERSION", mined.VERSION + 1)

    assert mine_sessions(store) == 3


def test_it_goes_with_the_session(store: Store, teach: Teach) -> None:
    teach_some(teach)
    mine_sessions(store)

    for table in ("search_pending", "tool_calls", "messages", "sessions"):
        store.execute(statement(f"DELETE FROM {table}"))  # noqa: S608 - names from above

    assert kept(store) == {table: [] for table in TABLES}


def test_progress_counts_the_sessions(store: Store, teach: Teach) -> None:
    teach_some(teach)
    told: list[tuple[int, int]] = []

    mine_sessions(store, progress=lambda done, total: told.append((done, total)))

    assert told == [(3, 3)]


def test_for_a_hint_a_few_of_the_newest_are_mined(store: Store, teach: Teach) -> None:
    for number in range(MINED_FOR_A_HINT + 3):
        teach(f"s{number}", bash("ls"), day=number)

    mine_some(store, newest_unmined(store, without=None))

    rows = store.query_all(
        statement(
            "SELECT s.uid FROM mined_sessions k JOIN sessions s ON s.id = k.session_id"
        )
    )
    assert {uid for (uid,) in rows} == {f"s{n}" for n in range(3, MINED_FOR_A_HINT + 3)}


def test_a_session_that_goes_on_is_left_out(store: Store, teach: Teach) -> None:
    teach("s1", bash("ls"))
    (key,) = store.query_one(statement("SELECT id FROM sessions")) or (None,)

    mine_some(store, newest_unmined(store, without=key))

    assert kept(store)["mined_sessions"] == []


def test_who_cannot_write_now_is_given_hints_all_the_same(
    store: Store, teach: Teach, monkeypatch: pytest.MonkeyPatch
) -> None:
    teach("s1", bash("ls"))

    def busy(*_: object) -> None:
        raise StoreBusy("another process writes")

    monkeypatch.setattr(keep, "keep", busy)

    mine_some(store, newest_unmined(store, without=None))

    assert kept(store)["mined_sessions"] == []


def many_on_disk(path: Path, sessions: int) -> None:
    opened = open_database(str(path))
    with opened.transaction():
        for number in range(sessions):
            messages = [Message(role="user", content="Fix", at_us=number + 1)]
            for at, evidence in enumerate((FAILED, WENT_WELL)):
                call = ToolCall(f"c{at}", "Edit", '{"file_path":"a.py"}')
                messages.append(Message(role="assistant", calls=[call]))
                messages.append(
                    Message(
                        role="tool", content="x", call_id=f"c{at}", evidence=evidence
                    )
                )
            session = Session(uid=f"s{number}", source="test", messages=messages)
            SessionWriter(opened).write(session)
    opened.close()


def start(path: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def let_go(child: subprocess.Popen[str]) -> None:
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    child.stdin.write("\n")
    child.stdin.flush()


def counts(path: Path) -> list[int]:
    opened = open_database(str(path))
    found = kept(opened)
    opened.close()
    return [len(found[table]) for table in TABLES]


def test_two_processes_mine_at_once_and_nothing_is_there_twice(tmp_path: Path) -> None:
    path = tmp_path / "oldhand.db"
    many_on_disk(path, 120)
    children = [start(path) for _ in range(2)]
    for child in children:
        let_go(child)

    for child in children:
        child.communicate()

    assert [child.returncode for child in children] == [0, 0]
    assert counts(path) == [120, 120, 120]


def test_mining_that_is_killed_leaves_whole_sessions_and_goes_on(
    tmp_path: Path,
) -> None:
    path = tmp_path / "oldhand.db"
    many_on_disk(path, 400)
    child = start(path)
    let_go(child)
    assert child.stdout is not None
    assert child.stdout.readline()  # some are done
    os.kill(child.pid, signal.SIGKILL)
    child.communicate()

    mined, repairs, shapes = counts(path)

    assert 50 <= mined <= 400
    assert repairs == shapes == mined
    opened = open_database(str(path))
    assert mine_sessions(opened) == 400 - mined
    opened.close()
