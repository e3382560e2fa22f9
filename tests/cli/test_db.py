"""`oldhand db` and `oldhand doctor` as a user meets them."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run, Said


@pytest.fixture
def chats(run: Run, tmp_path: Path) -> Path:
    """Import two chats from a file."""
    path = tmp_path / "chats.jsonl"
    path.write_text(
        '{"id": "a", "messages": [{"role": "user", "content": "Hello"}]}\n'
        '{"id": "b", "messages": [{"role": "user", "content": "Again"}]}\n'
    )
    assert run("import", path).code == 0
    return path


def test_db_info_has_sizes_by_table(run: Run, engine: str, chats: Path) -> None:
    assert chats.exists()

    (row,) = run("db", "info", "--json").rows
    shown = run("db", "info").out

    tables = {table["name"]: table["rows"] for table in row["tables"]}
    assert (tables["sessions"], tables["messages"]) == (2, 2)
    assert row["journal_mode"] == (None if engine == "postgres" else "wal")
    assert "messages" in shown


def test_a_backup_is_made_once(run: Run, chats: Path, tmp_path: Path) -> None:
    assert chats.exists()
    path = tmp_path / "copy.db"

    first = run("db", "backup", path)
    second = run("db", "backup", path)

    assert (first.code, second.code) == (0, 4)
    assert "checked" in first.err
    assert len(run("sessions", "list", "--json", "--database", path).rows) == 2


@pytest.mark.usefixtures("engine")
def test_check_and_compact_say_how_it_went(run: Run, chats: Path) -> None:
    assert chats.exists()

    compacted = run("db", "compact", "--json")
    checked = run("db", "check")

    assert compacted.rows[0]["database"]["is_log_empty"]
    assert "the database took" in compacted.err
    assert (checked.code, checked.err) == (0, "all is well\n")


def test_the_doctor_says_what_to_do_and_exits_with_nine(run: Run, home: Path) -> None:
    assert run("db", "compact").code == 0  # makes it
    well = run("doctor")
    (home / ".oldhand" / "oldhand.db").chmod(0o644)

    ill = run("doctor")
    rows = run("doctor", "--json").rows

    assert well.code == 0
    assert ill.code == 9
    assert "chmod go-rwx" in ill.out
    assert "see to: modes" in ill.err
    assert {row["check"]: row["level"] for row in rows}["modes"] == "warning"


@pytest.mark.usefixtures("engine")
def test_a_database_that_is_well_is_well(run: Run, chats: Path) -> None:
    assert chats.exists()

    said = run("doctor", "--json")

    assert said.code == 0
    assert [row["check"] for row in said.rows if row["level"] == "warning"] == []


def test_a_directory_in_place_of_a_file_is_named(run: Run, tmp_path: Path) -> None:
    info = run("--database", tmp_path, "db", "info")
    doctor = run("--database", tmp_path, "doctor")

    assert info.code == 6
    assert "a directory; expected a file" in info.err
    assert doctor.code == 9
    assert "a directory; expected a file" in doctor.out


def test_a_url_of_a_file_that_is_not_there_makes_the_doctor_make_none(
    run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "none.db"

    assert run("--database", f"sqlite:///{path}", "doctor").code == 0
    assert not path.exists()


def test_a_server_that_is_not_there_is_named_without_the_password(run: Run) -> None:
    pytest.importorskip("psycopg")
    url = "postgresql://ada:secret@127.0.0.1:1/x"
    said: list[Said] = [
        run("--database", url, *verb) for verb in (("db", "info"), ("doctor",))
    ]

    assert [one.code for one in said] == [6, 9]
    assert all("cannot connect" in one.out + one.err for one in said)
    assert not any("secret" in one.out + one.err for one in said)
