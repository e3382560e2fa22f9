"""Another program's database is read whole, and left as it was."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oldhand.errors import UnreadableSource
from oldhand.store.foreign import open_foreign

# Moves money between two accounts, in WAL mode, until its standard input closes.
_BANK = """
import sys, threading, apsw
done = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), done.set()), daemon=True).start()
bank = apsw.Connection(sys.argv[1])
bank.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF").fetchall()
bank.execute("CREATE TABLE accounts(id INTEGER PRIMARY KEY, balance)").fetchall()
bank.execute("INSERT INTO accounts VALUES (1, 500), (2, 500)").fetchall()
moved = 0
while not done.is_set():
    bank.execute("BEGIN IMMEDIATE")
    bank.execute("UPDATE accounts SET balance = balance - 1 WHERE id = 1")
    bank.execute("UPDATE accounts SET balance = balance + 1 WHERE id = 2")
    bank.execute("COMMIT")
    moved += 1
    if moved == 10:
        print("open", flush=True)
"""

# Holds an exclusive lock until its standard input closes.
_LOCK = """
import sys, apsw
holder = apsw.Connection(sys.argv[1])
holder.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
sys.stdin.read()
"""

_READ = """
import sys
from pathlib import Path
from oldhand.store.foreign import open_foreign
open_foreign(Path(sys.argv[1]))
"""


@contextmanager
def _process(program: str, path: Path) -> Iterator[None]:
    with subprocess.Popen(
        [sys.executable, "-c", program, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        try:
            assert process.stdout.readline().strip() in {b"open", b"held"}
            yield
        finally:
            process.stdin.close()
            process.wait(timeout=10)


def _make(path: Path, *statements: str) -> Path:
    connection = apsw.Connection(str(path))
    for statement in statements:
        connection.execute(statement).fetchall()
    connection.close()
    return path


def _words(path: Path, count: int = 3) -> Path:
    rows = ", ".join(f"({number}, 'w{number}')" for number in range(count))
    return _make(
        path,
        "CREATE TABLE words(id INTEGER PRIMARY KEY, word TEXT)",
        f"INSERT INTO words VALUES {rows}",  # noqa: S608 - numbers of our own
    )


def test_rows_come_with_parameters_bound(tmp_path: Path) -> None:
    with open_foreign(_words(tmp_path / "a.db")) as database:
        found = list(database.rows("SELECT word FROM words WHERE id > ?", (0,)))

    assert found == [("w1",), ("w2",)]


def test_columns_names_what_a_table_has_and_nothing_for_no_table(
    tmp_path: Path,
) -> None:
    with open_foreign(_words(tmp_path / "a.db")) as database:
        known, unknown = database.columns("words"), database.columns("verbs")

    assert known == {"id", "word"}
    assert unknown == frozenset()


@pytest.mark.parametrize(
    "name", ["a?mode=rwc.db", "a#b.db", "a%20b.db", "a b.db", "ä☃.db", "a&b=c;d.db"]
)
def test_a_path_with_characters_that_mean_something_in_a_uri_works(
    tmp_path: Path, name: str
) -> None:
    with open_foreign(_words(tmp_path / name)) as database:
        (count,) = database.rows("SELECT count(*) FROM words")

    assert count == (3,)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_relative_path_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _words(tmp_path / "a.db")
    monkeypatch.chdir(tmp_path)

    with open_foreign(Path("a.db")) as database:
        assert list(database.rows("SELECT count(*) FROM words")) == [(3,)]


def test_what_another_process_is_writing_in_wal_mode_is_read_whole(
    tmp_path: Path,
) -> None:
    path = tmp_path / "bank.db"

    read: list[tuple[int, ...]] = []
    with _process(_BANK, path), open_foreign(path) as database:
        while len(read) < 300 or len(set(read)) < 3:
            found = database.rows("SELECT balance FROM accounts ORDER BY id")
            read.append(tuple(balance for (balance,) in found))

    assert {sum(balances) for balances in read} == {1000}


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_reading_changes_no_byte_and_makes_no_table(
    tmp_path: Path, journal: str
) -> None:
    path = _words(tmp_path / "a.db")
    _make(path, f"PRAGMA journal_mode={journal}")
    before = path.read_bytes()

    with open_foreign(path) as database:
        list(database.rows("SELECT * FROM words"))
        database.columns("words")

    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "statement",
    ["CREATE TABLE mine(x)", "DELETE FROM words", "PRAGMA user_version=7"],
)
def test_writing_is_refused(tmp_path: Path, statement: str) -> None:
    path = _words(tmp_path / "a.db")
    before = path.read_bytes()

    with open_foreign(path) as database, pytest.raises(UnreadableSource):
        database.rows(statement)

    assert path.read_bytes() == before


def _directory(path: Path) -> None:
    path.mkdir()


def _nothing(path: Path) -> None:
    assert not path.exists()


def _empty(path: Path) -> None:
    path.touch()


def _prose(path: Path) -> None:
    path.write_text("not a database, but long enough to be one. " * 200)


def _noise(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 64)  # as an encrypted file looks


def _cut(path: Path) -> None:
    content = _words(path, 5000).read_bytes()
    path.write_bytes(content[:4096])


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (_nothing, "no such file"),
        (_directory, "no such file"),
        (_empty, "empty"),
        (_prose, "not a SQLite database"),
        (_noise, "not a SQLite database"),
        (_cut, "damaged"),
    ],
)
def test_what_is_no_database_is_named_with_the_reason(
    tmp_path: Path, make: Callable[[Path], None], reason: str
) -> None:
    path = tmp_path / "a.db"
    make(path)

    with pytest.raises(UnreadableSource, match=reason) as caught:
        open_foreign(path, sleep=lambda _seconds: None)

    assert str(path) in str(caught.value)


def test_a_wal_database_in_a_closed_directory_is_named_with_the_remedy(
    tmp_path: Path, without_rights: list[str]
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    path = _make(closed / "a.db", "PRAGMA journal_mode=WAL", "CREATE TABLE words(word)")
    closed.chmod(0o555)

    said = subprocess.run(
        [*without_rights, _READ, path],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    closed.chmod(0o755)

    assert "UnreadableSource" in said.stderr
    assert "copy it, with its -wal" in said.stderr


def test_opening_what_is_not_there_makes_no_file(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource):
        open_foreign(tmp_path / "a.db")

    assert list(tmp_path.iterdir()) == []


def test_damaged_pages_met_by_a_query_are_an_unreadable_source(tmp_path: Path) -> None:
    path = _words(tmp_path / "a.db", 5000)
    content = bytearray(path.read_bytes())
    content[8192:] = b"\xff" * (len(content) - 8192)
    path.write_bytes(content)

    with (
        open_foreign(path) as database,
        pytest.raises(UnreadableSource, match="damaged"),
    ):
        database.rows("SELECT * FROM words")


def test_a_text_that_is_not_utf_8_is_an_unreadable_source(tmp_path: Path) -> None:
    path = _words(tmp_path / "a.db")
    _make(path, "UPDATE words SET word = CAST(x'ff41' AS TEXT)")

    with open_foreign(path) as database, pytest.raises(UnreadableSource, match="UTF-8"):
        database.rows("SELECT word FROM words")


def test_a_query_that_names_what_is_not_there_is_an_unreadable_source(
    tmp_path: Path,
) -> None:
    with (
        open_foreign(_words(tmp_path / "a.db")) as database,
        pytest.raises(UnreadableSource, match="no such column"),
    ):
        database.rows("SELECT verb FROM words")


def test_a_lock_is_waited_for_and_tried_again_three_times(tmp_path: Path) -> None:
    path = _words(tmp_path / "a.db")
    waits: list[float] = []

    with (
        _process(_LOCK, path),
        pytest.raises(UnreadableSource, match="locked by another program"),
    ):
        open_foreign(path, busy_timeout_ms=1, sleep=waits.append)

    assert waits == [0.05, 0.05, 0.05]


def test_a_lock_that_goes_away_meanwhile_is_no_error(tmp_path: Path) -> None:
    path = _words(tmp_path / "a.db")
    holder = apsw.Connection(str(path))
    holder.execute("BEGIN EXCLUSIVE")

    database = open_foreign(path, busy_timeout_ms=1, sleep=lambda _: holder.close())

    with database:
        assert list(database.rows("SELECT count(*) FROM words")) == [(3,)]


def test_no_transaction_stays_open_between_rows(tmp_path: Path) -> None:
    path = _words(tmp_path / "a.db")

    with open_foreign(path) as database:
        rows = database.rows("SELECT * FROM words")
        next(rows)
        _make(path, "DELETE FROM words")  # would wait for ever for a reader's lock
        rest = list(rows)

    assert len(rest) == 2


def test_a_closed_database_can_be_closed_again_and_answers_no_more(
    tmp_path: Path,
) -> None:
    database = open_foreign(_words(tmp_path / "a.db"))

    database.close()
    database.close()

    with pytest.raises(UnreadableSource, match="closed"):
        database.rows("SELECT * FROM words")


@settings(max_examples=40, deadline=None)
@given(content=st.binary(min_size=1, max_size=400), place=st.integers(0, 9000))
def test_any_damage_is_an_unreadable_source_or_none_at_all(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, place: int
) -> None:
    path = _words(tmp_path_factory.mktemp("damage") / "a.db", 600)
    whole = path.read_bytes()
    place %= len(whole)
    path.write_bytes(whole[:place] + content + whole[place + len(content) :])

    with (
        suppress(UnreadableSource),
        open_foreign(path, sleep=lambda _seconds: None) as database,
    ):
        for row in database.rows("SELECT id, word FROM words"):
            assert len(row) == 2
