"""The line of writers: fair, with a limit, and safe in forks."""

from __future__ import annotations

import errno
import fcntl
import multiprocessing
import os
import signal
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from oldhand.errors import StoreError
from oldhand.store import Query, Store, open_database
from oldhand.store.writer_queue import WriterQueue

PUT = Query("put", "INSERT INTO tools (name) VALUES (:name)", "")
COUNT = Query("count", "SELECT count(*) FROM tools", "")

# Later Pythons warn of a fork beside threads; here the child does one thing and ends.
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "a.db"


def _hold(database: Path, told: int) -> None:
    WriterQueue(database).enter()
    os.write(told, b"held")
    signal.pause()


@pytest.fixture
def holder(database: Path) -> Iterator[int]:
    """Another process that holds the turn until it is killed; its id."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        _hold(database, write)
        os._exit(0)
    assert os.read(read, 4) == b"held"
    yield child
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(read)
    os.close(write)


def is_free(database: Path) -> bool:
    """Say whether the lock could be had, by a descriptor of its own."""
    descriptor = os.open(f"{database}.lock", os.O_RDWR)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


def wait_until_free(database: Path) -> None:
    deadline = time.monotonic() + 10
    while not is_free(database):
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_the_side_file_is_private(database: Path) -> None:
    queue = WriterQueue(database)

    queue.enter()

    mode = Path(f"{database}.lock").stat().st_mode
    queue.close()
    assert stat.S_IMODE(mode) == 0o600


def test_two_queues_of_one_process_exclude_each_other(database: Path) -> None:
    first, second = WriterQueue(database), WriterQueue(database, limit_seconds=0.05)
    first.enter()

    with pytest.raises(TimeoutError, match=r"held for longer than 0\.05 s"):
        second.enter()
    first.leave()
    second.enter()

    first.close()
    second.close()


@pytest.mark.usefixtures("holder")
def test_a_stopped_holder_is_waited_for_only_so_long(
    database: Path, holder: int
) -> None:
    os.kill(holder, signal.SIGSTOP)
    queue = WriterQueue(database, limit_seconds=0.2)
    began = time.monotonic()

    with pytest.raises(TimeoutError):
        queue.enter()

    queue.close()
    assert 0.2 <= time.monotonic() - began < 5


def test_a_second_attempt_gets_the_turn_that_the_first_waited_for(
    database: Path,
) -> None:
    holder, queue = WriterQueue(database), WriterQueue(database, limit_seconds=0.05)
    holder.enter()
    for _ in range(3):
        with pytest.raises(TimeoutError):
            queue.enter()
    threading.Timer(0.01, holder.leave).start()

    queue.enter()

    assert not is_free(database)
    queue.leave()
    assert is_free(database)
    queue.close()
    holder.close()


def test_a_turn_that_comes_after_the_limit_is_passed_on(database: Path) -> None:
    holder, queue = WriterQueue(database), WriterQueue(database, limit_seconds=0.05)
    holder.enter()
    with pytest.raises(TimeoutError):
        queue.enter()

    holder.leave()

    wait_until_free(database)
    queue.enter()
    assert not is_free(database)
    queue.close()
    holder.close()


def test_a_turn_that_comes_after_closing_is_passed_on(database: Path) -> None:
    holder, queue = WriterQueue(database), WriterQueue(database, limit_seconds=0.05)
    holder.enter()
    with pytest.raises(TimeoutError):
        queue.enter()
    queue.close()

    holder.leave()

    wait_until_free(database)
    holder.close()


@pytest.mark.usefixtures("holder")
def test_ctrl_c_gets_through_while_waiting(database: Path) -> None:
    queue = WriterQueue(database)
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()

    with pytest.raises(KeyboardInterrupt):
        queue.enter()

    queue.close()
    assert time.monotonic() - began < 5


def test_a_killed_holder_lets_the_next_one_in(database: Path, holder: int) -> None:
    queue = WriterQueue(database)
    threading.Timer(0.05, os.kill, (holder, signal.SIGKILL)).start()

    queue.enter()

    assert not is_free(database)
    queue.close()


def test_the_turn_ends_with_its_process_though_a_forked_child_lives_on(
    database: Path,
) -> None:
    read, write = os.pipe()
    holder = os.fork()
    if holder == 0:
        queue = WriterQueue(database)
        queue.enter()
        child = os.fork()
        if child:
            os.write(write, str(child).encode())
        signal.pause()
    child = int(os.read(read, 20))

    os.kill(holder, signal.SIGKILL)
    os.waitpid(holder, 0)

    freed = is_free(database)
    os.kill(child, signal.SIGKILL)
    os.close(read)
    os.close(write)
    assert freed


def test_a_forked_child_cannot_give_away_its_parents_turn(database: Path) -> None:
    queue = WriterQueue(database)
    queue.enter()

    child = os.fork()
    if child == 0:
        queue.leave()
        queue.close()
        os._exit(0)
    os.waitpid(child, 0)

    assert not is_free(database)
    queue.leave()
    assert is_free(database)
    queue.close()


def test_a_forked_child_waits_for_its_parent(database: Path) -> None:
    queue = WriterQueue(database, limit_seconds=0.05)
    queue.enter()

    child = os.fork()
    if child == 0:
        try:
            queue.enter()
        except TimeoutError:
            os._exit(7)
        os._exit(0)
    _, status = os.waitpid(child, 0)

    queue.close()
    assert os.waitstatus_to_exitcode(status) == 7


def test_where_there_can_be_no_side_file_writers_do_without(database: Path) -> None:
    Path(f"{database}.lock").mkdir()
    store = open_database(str(database))

    store.execute(PUT, ("Bash",))

    assert store.query_one(COUNT) == (1,)
    store.close()


def test_where_there_is_no_flock_writers_do_without(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_flock(_descriptor: int, _operation: int) -> None:
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))

    monkeypatch.setattr(fcntl, "flock", no_flock)  # no such file system is at hand
    queue = WriterQueue(database)

    queue.enter()

    queue.leave()
    queue.enter()
    queue.close()


def test_stores_of_one_file_in_many_threads_all_write(database: Path) -> None:
    open_database(str(database)).close()

    def write(name: str) -> None:
        store = open_database(str(database))
        for number in range(40):
            store.execute(PUT, (f"{name}-{number}",))
        store.close()

    threads = [threading.Thread(target=write, args=(f"t{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert open_database(str(database)).query_one(COUNT) == (160,)


def _write_and_fork(store: Store) -> tuple[int, int]:
    """Fork inside a transaction; parent and child both leave its block."""
    status = 0
    with store.transaction():
        store.execute(PUT, ("of the parent",))
        child = os.fork()
        if child:
            _, status = os.waitpid(child, 0)
            assert store.query_one(COUNT) == (1,)
    return child, status


def test_a_block_that_a_forked_child_leaves_is_not_ended_there(database: Path) -> None:
    store = open_database(str(database))

    try:
        child, status = _write_and_fork(store)
    except StoreError:
        os._exit(7)
    if child == 0:
        os._exit(0)

    assert os.waitstatus_to_exitcode(status) == 7
    assert open_database(str(database)).query_one(COUNT) == (1,)
    store.close()


def _write_timed(
    path: str, name: str, waits: multiprocessing.Queue[list[float]]
) -> None:
    store = open_database(path)
    times = []
    for number in range(500):
        began = time.perf_counter()
        store.execute(PUT, (f"{name}-{number}",))
        times.append(time.perf_counter() - began)
    waits.put(times)
    store.close()


@pytest.mark.soak
def test_with_eight_processes_nobody_waits_for_a_second(database: Path) -> None:
    open_database(str(database)).close()
    context = multiprocessing.get_context("spawn")
    waits: multiprocessing.Queue[list[float]] = context.Queue()
    writers = [
        context.Process(target=_write_timed, args=(str(database), f"w{n}", waits))
        for n in range(8)
    ]
    for writer in writers:
        writer.start()

    times = [seconds for _ in writers for seconds in waits.get(timeout=60)]

    for writer in writers:
        writer.join()
    assert open_database(str(database)).query_one(COUNT) == (4_000,)
    assert max(times) < 0.5  # without the queue 1 to 4 s
