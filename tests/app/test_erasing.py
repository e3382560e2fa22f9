"""Erasing leaves no trace, looked for in all bytes of the database's files.

Of PostgreSQL, whose files are the server's, in all rows of all tables and what it samples.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from oldhand.app import upkeep
from oldhand.app.starts import build_template
from oldhand.errors import InvalidInput, StoreFull
from oldhand.experience.template import find_template, list_templates
from oldhand.sessions.importers import find_units, import_units, source_named
from oldhand.sessions.importers.tally import Tally
from oldhand.sessions.keep.erase import plan_erase
from oldhand.sessions.keep.selection import Selection
from oldhand.sessions.model import Evidence, Message, Relation, Session, ToolCall
from oldhand.sessions.payloads import compact
from oldhand.sessions.read import find_session, recent_sessions
from oldhand.sessions.record import SessionWriter
from oldhand.sessions.search.index import index_pending
from oldhand.settings import Settings
from oldhand.store import Query, Store, open_database
from oldhand.store.maintenance import file_of

MARK = "Zanzibarquokka"  # stands nowhere else
DAY_US = 86_400_000_000
BULK = "bulk " * 80_000
COUNT = "SELECT count(*) FROM blobs"
COUNT_BLOBS = Query("count", COUNT, COUNT)
TABLES = Query(
    "tables",
    "",
    "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()",
)
SAMPLES = Query(
    "samples",
    "",
    "SELECT CAST(s AS TEXT) FROM pg_stats s WHERE schemaname = current_schema()",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "db" / "oldhand.db"


@pytest.fixture
def on_disk(path: Path) -> Iterator[Store]:
    """Open a SQLite database on disk."""
    opened = open_database(str(path))
    yield opened
    opened.close()


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.postgres)])
def filed(request: pytest.FixtureRequest, path: Path) -> Iterator[Store]:
    """Open a database that outlives the process, in turn with each engine."""
    is_file = request.param == "file"
    url = str(path) if is_file else request.getfixturevalue("postgres_url")
    opened = open_database(url)
    yield opened
    opened.close()


def talk(word: str, *, number: int = 0, turns: int = 3) -> list[Message]:
    """Return messages that hold a word in every place that holds text."""
    at_us = (number + 1) * DAY_US
    messages = [Message(role="user", content=f"Please {word} it", at_us=at_us)]
    for turn in range(turns):
        call = ToolCall(
            f"c{turn}",
            f"{word}_tool",
            json.dumps({"command": f"{word} --{word} {turn}"}),
        )
        long = f"{word} " * 300 * (turn + 1)
        messages += [
            Message(role="assistant", content=f"I {word}.", calls=[call], at_us=at_us),
            Message(
                role="tool",
                content=f"{turn} {long}",
                call_id=call.call_id,
                at_us=at_us,
                evidence=Evidence(is_error=False),
            ),
        ]
    return messages


def conversation(
    uid: str,
    word: str,
    *,
    number: int = 0,
    parent: str | None = None,
    relation: Relation | None = None,
) -> Session:
    return Session(
        uid=uid,
        source="test",
        principal=word,
        project=f"/home/{word}",
        cwd=f"/home/{word}/src",
        git_branch=word,
        title=f"About {word}",
        parent=parent,
        relation=relation,
        messages=talk(word, number=number),
    )


def write(store: Store, *sessions: Session) -> None:
    for session in sessions:
        with store.transaction():
            SessionWriter(store).write(session)


def text_of(store: Store) -> bytes:
    """Return all that a database holds, the raw bytes of its files where it has them."""
    path = file_of(store)
    if path is not None:
        return b"".join(p.read_bytes() for p in path.parent.iterdir())
    rows = [
        row for (table,) in store.query_all(TABLES) for row in rows_of(store, table)
    ]
    rows += store.query_all(SAMPLES)
    return "\n".join(row[0] for row in rows).encode()


def rows_of(store: Store, table: str) -> list[tuple[str]]:
    text = f'SELECT CAST(each AS TEXT) FROM "{table}" each'  # noqa: S608 - of the catalogue
    return store.query_all(Query("rows", "", text))


def has_trace(store: Store) -> bool:
    held = text_of(store).lower()
    return MARK.lower().encode() in held or MARK.lower().encode("utf-16-le") in held


def erase(store: Store, **wishes: object) -> upkeep.Erased:
    return upkeep.erase(store, plan_erase(store, Selection(**wishes)))  # type: ignore[arg-type]  # any field may be given


def test_no_trace_is_left_in_the_database_its_log_or_the_index(filed: Store) -> None:
    for number in range(4):  # grown in turns, so that rows move from page to page
        for name in ("keep", "lose"):
            session = conversation(name, MARK if name == "lose" else "cassowary")
            session.messages = talk(session.principal or "", turns=number + 1)
            write(filed, session)
            index_pending(filed)
    with_older_text = conversation("lose", MARK)
    with_older_text.messages[2].content = f"{MARK} was longer " * 500
    write(filed, with_older_text)
    compact(filed)
    index_pending(filed)
    filed.query_all(Query("analyze", "ANALYZE", "ANALYZE"))
    was_there = has_trace(filed)

    erased = erase(filed, uids=("lose",))

    assert was_there
    assert erased.left_in is None
    assert not has_trace(filed)
    assert [s.uid for s in recent_sessions(filed)] == ["keep"]
    assert b"cassowary" in text_of(filed)


@pytest.mark.parametrize(
    "wishes",
    [
        {"uids": ("lose",)},
        {"principal": MARK},
        {"project": f"/home/{MARK}"},
        {"before_us": 2 * DAY_US},
    ],
)
def test_sessions_are_erased_by_name_principal_project_and_time(
    filed: Store, wishes: dict[str, object]
) -> None:
    write(filed, conversation("lose", MARK), conversation("keep", "emu", number=5))
    index_pending(filed)

    erase(filed, **wishes)

    assert [s.uid for s in recent_sessions(filed)] == ["keep"]
    assert not has_trace(filed)


def test_a_text_that_another_session_has_as_well_stays_there(filed: Store) -> None:
    write(filed, conversation("lose", MARK), conversation("keep", MARK))
    compact(filed)

    erase(filed, uids=("lose",))

    messages = filed.query_all(COUNT_BLOBS)
    assert messages[0][0] > 0
    assert upkeep.check(filed) == []


def test_nothing_said_erases_nothing(filed: Store) -> None:
    write(filed, conversation("keep", "emu"))

    with pytest.raises(InvalidInput, match="session, principal, project or time"):
        plan_erase(filed, Selection())
    assert len(recent_sessions(filed)) == 1


def test_parts_of_a_session_go_with_it_and_forks_stay(filed: Store) -> None:
    write(
        filed,
        conversation("lose", MARK),
        conversation("sub", MARK, parent="lose", relation="subagent"),
        conversation("subsub", MARK, parent="sub", relation="subagent"),
        conversation("shorter", MARK, parent="lose", relation="compression"),
        conversation("fork", "emu", parent="lose", relation="fork"),
    )

    plan = plan_erase(filed, Selection(uids=("lose",)))
    upkeep.erase(filed, plan)

    assert sorted(s.uid for s in plan.sessions) == ["lose", "shorter", "sub", "subsub"]
    assert plan.survivors == ["fork"]
    assert find_session(filed, "fork").parent is None


def test_a_reader_that_holds_old_pages_is_told_of_and_compact_finishes(
    on_disk: Store, path: Path
) -> None:
    write(on_disk, conversation("lose", MARK))
    reader = apsw.Connection(str(path))
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM messages").fetchall()

    erased = erase(on_disk, uids=("lose",))
    flaws = upkeep.check(on_disk)
    reader.close()
    upkeep.compact(on_disk)

    assert "write-ahead log" in (erased.left_in or "")
    assert [flaw.rule for flaw in flaws] == ["leftovers"]
    assert upkeep.check(on_disk) == []
    assert not has_trace(on_disk)


def test_without_room_the_rows_go_and_compact_finishes_when_there_is(
    small_disk: Path,
) -> None:
    path = small_disk / "oldhand.db"
    store = open_database(str(path))
    write(store, conversation("lose", MARK), conversation("keep", "emu"))
    store.execute(Query("bulk", "INSERT INTO kv VALUES ('bulk', :text)", ""), (BULK,))
    store.close()
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(2_000_000 - path.stat().st_size - len(BULK)))
    store = open_database(str(path))

    erased = erase(store, uids=("lose",))
    had_trace = has_trace(store)
    with pytest.raises(StoreFull, match="make room, then `oldhand db compact`"):
        upkeep.compact(store)
    ballast.unlink()
    upkeep.compact(store)

    assert "no room for writing the database anew" in (erased.left_in or "")
    assert [s.uid for s in recent_sessions(store)] == ["keep"]
    assert had_trace
    assert not has_trace(store)
    assert upkeep.check(store) == []
    store.close()


def chat_file(folder: Path, *words: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / "chats.jsonl"
    lines = [
        {"id": f"s-{word}", "messages": [{"role": "user", "content": f"Say {word}"}]}
        for word in words
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def read_in(store: Store, root: Path, *, again: bool = False) -> Tally:
    units = find_units(source_named("openai"), [root])
    return import_units(store, units, again=again).tally


def test_an_import_does_not_bring_it_back(filed: Store, tmp_path: Path) -> None:
    chats = tmp_path / f"{MARK}-chats"
    chat_file(chats, MARK)
    read_in(filed, chats)
    erase(filed, uids=(f"s-{MARK}",))

    unchanged = read_in(filed, chats)
    chat_file(chats, MARK).write_text(chat_file(chats, MARK).read_text() + "\n")
    touched = read_in(filed, chats)
    asked = read_in(filed, chats, again=True)

    assert (unchanged.skipped, unchanged.erased) == (1, 0)
    assert (touched.sessions, touched.erased) == (0, 1)
    assert (asked.sessions, asked.erased) == (0, 1)
    assert recent_sessions(filed) == []
    assert not has_trace(filed)


def test_the_files_that_still_hold_it_are_named(filed: Store, tmp_path: Path) -> None:
    alone = chat_file(tmp_path / "alone", "emu")
    shared = chat_file(tmp_path / "shared", MARK, "kiwi")
    read_in(filed, tmp_path)

    plan = plan_erase(filed, Selection(uids=(f"s-{MARK}", "s-emu")))

    assert plan.sources == [str(alone), str(shared)]
    assert plan.shared_sources == [str(shared)]


def test_a_forks_copy_of_erased_messages_does_not_come_in(
    filed: Store,
) -> None:
    shared = [
        Message(role="user", content=f"{MARK} first", native_id="m1"),
        Message(role="assistant", content=f"{MARK} answer", native_id="m2"),
    ]
    own = Message(role="user", content="Something else", native_id="m3")
    write(filed, Session(uid="lose", source="test", messages=list(shared)))
    erase(filed, uids=("lose",))

    write(filed, Session(uid="fork", source="test", messages=[*shared, own]))

    fork = find_session(filed, "fork")
    assert (fork.message_count, fork.task) == (1, "Something else")
    assert not has_trace(filed)


def test_a_subagents_file_that_is_found_later_stays_out(filed: Store) -> None:
    write(filed, conversation("lose", MARK))
    erase(filed, uids=("lose",))

    write(filed, conversation("late", MARK, parent="lose", relation="subagent"))

    assert recent_sessions(filed) == []


def test_templates_that_showed_it_get_a_version_without_it_and_old_ones_lose_it(
    filed: Store, tmp_path: Path
) -> None:
    settings = Settings(home=tmp_path, database="", principal="ada")
    write(filed, conversation("lose", MARK), conversation("keep", "emu", number=1))
    build_template(filed, "mine", sessions=["lose", "keep"], settings=settings)
    build_template(filed, "only", sessions=["lose"], settings=settings)

    erased = erase(filed, uids=("lose",))

    assert erased.templates == ["mine@2", "only"]
    assert [(t.name, t.version, t.erased > 0) for t in list_templates(filed)] == [
        ("mine", 2, False),
        ("mine", 1, True),
    ]
    assert {e.session for e in find_template(filed, "mine@1").examples} == {"keep"}
    assert {e.session for e in find_template(filed, "mine").examples} == {"keep"}
    assert not has_trace(filed)
