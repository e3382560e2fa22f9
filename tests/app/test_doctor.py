"""The doctor: each check finds what it is for, and says what to do."""

from __future__ import annotations

import json
import stat
from collections.abc import Mapping
from pathlib import Path

import pytest

from oldhand.app.doctor import Finding, diagnose, is_unsafe_sqlite
from oldhand.cron.jobs import create_job
from oldhand.cron.model import JobSpec
from oldhand.cron.scheduler import Scheduler
from oldhand.sessions.keep.leftovers import note_leftovers
from oldhand.sessions.model import Message, Session
from oldhand.sessions.record import SessionWriter
from oldhand.store import Query, open_database
from oldhand.store.writer_queue import WriterQueue


@pytest.fixture
def environment(tmp_path: Path) -> Mapping[str, str]:
    """Set up an empty home."""
    return {"HOME": str(tmp_path), "USER": "ada"}


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Make a database where the settings say it is."""
    path = tmp_path / ".oldhand" / "oldhand.db"
    open_database(str(path)).close()
    return path


def not_well(environment: Mapping[str, str]) -> dict[str, Finding]:
    findings = diagnose(environment=environment)
    return {finding.check: finding for finding in findings if finding.level != "ok"}


def test_a_new_database_is_well(environment: Mapping[str, str], database: Path) -> None:
    findings = diagnose(environment=environment)

    assert database.exists()
    assert [f for f in findings if f.level == "warning"] == []
    assert {"sqlite", "modes", "network", "lock", "disk"} <= {f.check for f in findings}


def test_no_database_is_made(environment: Mapping[str, str], tmp_path: Path) -> None:
    found = not_well(environment)

    assert found == {}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("3.6.23", False),
        ("3.7.0", True),
        ("3.40.1", True),
        ("3.44.5", True),
        ("3.44.6", False),
        ("3.45.0", True),
        ("3.50.6", True),
        ("3.50.7", False),
        ("3.51.2", True),
        ("3.51.3", False),
        ("3.54.1", False),
    ],
)
def test_sqlite_versions_that_can_corrupt_a_log_are_known(
    version: str, expected: bool
) -> None:
    assert is_unsafe_sqlite(version) is expected


def test_modes_that_let_others_in_are_warned_of(
    environment: Mapping[str, str], database: Path
) -> None:
    database.chmod(0o644)
    database.parent.chmod(0o755)

    finding = not_well(environment)["modes"]

    assert finding.level == "warning"
    assert "oldhand.db has mode 0644" in finding.found
    assert ".oldhand has mode 0755" in finding.found
    assert "chmod" in finding.remedy
    assert stat.S_IMODE(database.stat().st_mode) == 0o644


def test_a_setting_that_is_none_is_named(
    environment: Mapping[str, str], database: Path
) -> None:
    (database.parent / "oldhand.toml").write_text("databse = 'x'\n")

    found = not_well(environment)

    assert list(found) == ["settings"]
    assert "databse" in found["settings"].found


def test_a_file_that_is_no_database_is_named(
    environment: Mapping[str, str], database: Path
) -> None:
    database.write_text("a letter, and no database, that goes on for a while" * 20)

    assert "not a SQLite database" in not_well(environment)["database"].found


def test_a_lock_that_stays_held_is_named(
    environment: Mapping[str, str], database: Path
) -> None:
    queue = WriterQueue(database)
    queue.enter()

    finding = not_well(environment)["lock"]
    queue.leave()
    queue.close()

    assert "oldhand.db.lock has been held" in finding.found


def test_erased_text_that_is_still_there_is_named(
    environment: Mapping[str, str], database: Path
) -> None:
    store = open_database(str(database))
    note_leftovers(store)
    store.close()

    assert "oldhand db compact" in not_well(environment)["leftovers"].remedy


def test_a_long_queue_of_messages_to_index_is_a_note(
    environment: Mapping[str, str], database: Path
) -> None:
    store = open_database(str(database))
    session = Session(
        uid="s", source="test", messages=[Message(role="user", content="Hello")]
    )
    with store.transaction():
        SessionWriter(store).write(session)
    store.execute(Query("many", "UPDATE sessions SET message_count = 10500", ""))
    store.close()

    finding = not_well(environment)["index"]

    assert (finding.level, finding.found[:6]) == ("note", "10,500")


def test_agents_that_were_never_imported_are_a_note(
    environment: Mapping[str, str], tmp_path: Path, database: Path
) -> None:
    folder = tmp_path / ".claude" / "projects" / "-home-ada"
    folder.mkdir(parents=True)
    (folder / "a.jsonl").write_text(json.dumps({"type": "user"}) + "\n")

    finding = not_well(environment)["agents"]

    assert database.exists()
    assert (finding.level, finding.found) == ("note", "1 file of claude-code")
    assert "oldhand import" in finding.remedy


def test_a_full_disk_is_warned_of(
    environment: Mapping[str, str], database: Path
) -> None:
    findings = diagnose(environment=environment, free_bytes=lambda _path: 10**6)

    finding = {finding.check: finding for finding in findings}["disk"]
    assert database.exists()
    assert finding.level == "warning"
    assert finding.found.startswith("1 MB free")


def test_jobs_that_nobody_fires_are_warned_of_and_the_last_pass_is_told(
    environment: Mapping[str, str], database: Path
) -> None:
    store = open_database(str(database))
    create_job(store, JobSpec("Count the logs", "daily 09:00", zone="UTC"))

    assert "1 job to fire, and no scheduler runs" in not_well(environment)["jobs"].found
    with Scheduler(store, {}) as scheduler:
        scheduler.tick()
        [found] = [f for f in diagnose(environment=environment) if f.check == "jobs"]
    store.close()

    assert found.level == "ok"
    assert "the last pass was at 20" in found.found
