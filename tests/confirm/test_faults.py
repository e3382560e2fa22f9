"""A full disk, a database that cannot be written or is another: nothing is half decided."""

from __future__ import annotations

import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
from itertools import count
from pathlib import Path

import pytest
from tests.store.unsynced_vfs import UnsyncedVFS

from oldhand.clock import system_clock
from oldhand.confirm.audit.checkpoint import make_checkpoint, read_checkpoints
from oldhand.confirm.audit.verify import ChainVerdict, verify_chain
from oldhand.confirm.keys import SigningKey
from oldhand.confirm.model import Request, Rules
from oldhand.errors import StoreFull
from oldhand.store import Query, Store, open_database
from oldhand.store.group_writer import GroupWriter

from .office import Office
from .test_kills import check, check_that_it_goes_on, hire
from .worker import STEPS, acknowledged, work

SPAWN = multiprocessing.get_context("spawn")
PUT = Query("put", "INSERT INTO tools (name) VALUES (:name)", "")
COUNT = Query("count", "SELECT COUNT(*) FROM audit", "")
DECIDE = """
import sys
from oldhand.confirm.requests.decide import approve
from oldhand.confirm.principals import find_principal
from oldhand.confirm.requests.read import find_request
from oldhand.errors import OldhandError
from oldhand.store import open_database
try:
    store = open_database(sys.argv[1])
    ben = find_principal(store, "ben")
    shown = find_request(store, sys.argv[2], by=ben)
    print(shown.state)
    approve(store, shown.id, by=ben, rev=1, digest=shown.digest, via="test", clock=int)
    print("approved")
except OldhandError as fault:
    print(f"{type(fault).__name__}: {fault}")
"""


def busy_office(path: Path) -> Office:
    """Open an office where nobody is held back by limits."""
    office = Office(open_database(str(path)))
    office.rules = Rules(per_hour=0, max_pending=0)
    return office


def fill_up(store: Store) -> None:
    """Write until nothing more goes in, in smaller and smaller pieces."""
    for size in (100_000, 10_000, 1_000, 100):
        try:
            for number in count():
                store.execute(PUT, (f"{size} {number} ".ljust(size, "x"),))
        except StoreFull:
            continue


def decide_on_a_full_disk(office: Office, shown: Request) -> list[str]:
    """Decide in each way, in vain; return what was told, and check that nothing was."""
    before = office.store.query_all(COUNT)
    told = []
    for way in (office.approve, office.deny):
        try:
            way(shown, reason="because " * 200)
        except StoreFull as fault:
            told.append(str(fault))
    with GroupWriter(office.store) as writer:
        try:
            writer.write(lambda _: office.approve(shown, reason="because " * 200))
        except StoreFull as fault:
            told.append(str(fault))
    assert office.store.query_all(COUNT) == before
    assert office.now(shown) == shown
    assert office.log_of(shown) == ["asked"]
    assert office.is_intact()
    return told


def test_a_full_disk_decides_nothing_and_it_goes_on_when_space_returns(
    small_disk: Path,
) -> None:
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(600_000))
    office = busy_office(small_disk / "oldhand.db")
    shown = office.ask()
    fill_up(office.store)

    told = decide_on_a_full_disk(office, shown)
    ballast.unlink()
    after = office.approve(shown)
    used = office.consume(after)

    assert len(told) == 3
    assert all("the disk is full" in each for each in told)
    assert office.log_of(shown) == ["asked", "approved", "consumed"]
    assert office.now(shown) == used.request
    assert office.is_intact()
    office.store.close()


def _meet_a_limit(path: str) -> None:
    """Decide under a limit on the size of files, then without; exit 7 where all is well."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    office = busy_office(Path(path))
    shown = office.ask()
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (900_000, hard))
    fill_up(office.store)
    told = decide_on_a_full_disk(office, shown)
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    after = office.approve(shown)
    is_well = after.state == "approved" and office.is_intact()
    office.store.close()
    os._exit(7 if len(told) == 3 and is_well else 1)


def test_a_limit_on_files_decides_nothing_either(tmp_path: Path) -> None:
    path = tmp_path / "oldhand.db"
    decider = SPAWN.Process(target=_meet_a_limit, args=(str(path),))

    decider.start()
    decider.join()

    assert decider.exitcode == 7
    store = open_database(str(path))
    assert verify_chain(store).is_intact
    store.close()


def test_a_database_that_cannot_be_written_decides_nothing(
    tmp_path: Path, without_rights: list[str]
) -> None:
    folder = tmp_path / "held"
    folder.mkdir()
    office = busy_office(folder / "oldhand.db")
    shown = office.ask()
    office.store.close()
    (folder / "oldhand.db").chmod(0o444)
    folder.chmod(0o555)

    run = subprocess.run(
        [*without_rights, DECIDE, str(folder / "oldhand.db"), shown.id],
        capture_output=True, text=True, check=True,
    )  # fmt: skip

    folder.chmod(0o755)
    state, told = run.stdout.splitlines()
    assert state == "pending"
    assert told.startswith("StoreReadOnly: ")
    store = open_database(str(folder / "oldhand.db"))
    assert Office.log_of(_Looking(store), shown) == ["asked"]
    store.close()


class _Looking(Office):
    """An office that is open already."""

    def __init__(self, store: Store) -> None:
        self.store = store


class Swapped:
    """A daemon's database with checkpoints outside, and another file in its place."""

    def __init__(self, folder: Path) -> None:
        """Ask something, and sign the log."""
        self.path = folder / "oldhand.db"
        self.file = folder / "checkpoints.jsonl"
        self.key = SigningKey.load(folder / "key")
        self.office = busy_office(self.path)
        self.office.ask()
        self.sign()

    def sign(self) -> None:
        """Make a checkpoint, as the daemon does now and then."""
        made = make_checkpoint(
            self.office.store, key_id=self.key.id, sign=self.key.sign, file=self.file,
            clock=system_clock,
        )  # fmt: skip
        assert made is not None

    def put(self, other: Path) -> None:
        """Swap the file while the daemon has it open."""
        for end in ("-wal", "-shm"):
            self.path.with_name(self.path.name + end).unlink(missing_ok=True)
        other.replace(self.path)

    def verdict(self) -> ChainVerdict:
        """Verify what lies in the daemon's place, by the file outside."""
        store = open_database(str(self.path))
        found = verify_chain(
            store, checkpoints=read_checkpoints(self.file), verify=self.key.verify
        )
        store.close()
        return found


def copy_of(office: Office, path: Path, target: Path) -> Path:
    """Copy a database with all that its log holds."""
    office.store.query_all(Query("empty", "PRAGMA wal_checkpoint(TRUNCATE)", ""))
    shutil.copy(path, target)
    return target


def test_an_older_copy_in_the_database_s_place_is_noticed(tmp_path: Path) -> None:
    daemon = Swapped(tmp_path)
    older = copy_of(daemon.office, daemon.path, tmp_path / "older.db")
    daemon.office.deny(daemon.office.ask())
    daemon.sign()
    assert daemon.verdict().is_intact

    daemon.put(older)

    found = daemon.verdict()
    assert not found.is_intact
    assert "are missing: a checkpoint names row" in str(found.fault)
    daemon.office.store.close()


def test_another_database_in_its_place_is_noticed(tmp_path: Path) -> None:
    daemon = Swapped(tmp_path)
    forged = busy_office(tmp_path / "forged.db")
    for _ in range(5):
        forged.approve(forged.ask())
    copy_of(forged, tmp_path / "forged.db", tmp_path / "copy.db")
    assert forged.is_intact()

    daemon.put(tmp_path / "copy.db")

    found = daemon.verdict()
    assert not found.is_intact
    assert "is another than the one that its checkpoint names" in str(found.fault)
    daemon.office.store.close()
    forged.store.close()


def _work_and_lose_power(path: str, said: str, synchronous: str) -> None:
    vfs = UnsyncedVFS()
    store = open_database(path)
    store.query_all(Query("set", f"PRAGMA synchronous={synchronous}", ""))
    with GroupWriter(store) as writer:
        work(store, writer, said, map("cut-{}".format, range(8)))
    assert vfs is not None
    os._exit(0)


def cut_the_power(folder: Path, synchronous: str) -> tuple[str, Path]:
    url, said = hire(str(folder / "oldhand.db")), folder / "said"
    worker = SPAWN.Process(
        target=_work_and_lose_power, args=(url, str(said), synchronous)
    )
    worker.start()
    worker.join()
    assert worker.exitcode == 0
    assert len(acknowledged(said)) == 8 * len(STEPS)
    return url, said


def test_a_power_cut_takes_back_no_decision(tmp_path: Path) -> None:
    url, said = cut_the_power(tmp_path, "FULL")

    assert check_that_it_goes_on(url, said) == 8 * len(STEPS)


def test_a_power_cut_would_take_back_what_is_not_synced(tmp_path: Path) -> None:
    url, said = cut_the_power(tmp_path, "NORMAL")
    store = open_database(url)

    with pytest.raises(AssertionError):
        check(store, said)

    store.close()
