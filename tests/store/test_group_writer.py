"""Many threads, one writer, one commit for all that has gathered."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from oldhand.errors import Conflict, StoreBusy, StoreError
from oldhand.store import Query, Store, open_database
from oldhand.store.group_writer import GroupWriter

# Later Pythons warn of a fork beside threads; here the child does one thing and ends.
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")


def both(sql: str) -> Query:
    return Query("test", sql, sql)


PUT = both("INSERT INTO tools (name) VALUES (:name)")
NAMES = both("SELECT name FROM tools ORDER BY id")


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


@pytest.fixture
def writer(store: Store) -> Iterator[GroupWriter]:
    with GroupWriter(store) as opened:
        yield opened


def names(store: Store) -> list[str]:
    return [name for (name,) in store.query_all(NAMES)]


class Gate:
    """A part that holds the writer until it is opened, so that others gather."""

    def __init__(self) -> None:
        self.is_reached, self.is_open = threading.Event(), threading.Event()

    def __call__(self, _store: Store) -> None:
        """Wait to be opened."""
        self.is_reached.set()
        assert self.is_open.wait(10)


def submit_put(writer: GroupWriter, name: str) -> Future[int]:
    return writer.submit(lambda store: store.execute(PUT, (name,)))


def test_a_part_returns_its_result(writer: GroupWriter, store: Store) -> None:
    changed = writer.write(lambda store: store.execute(PUT, ("Bash",)))

    assert changed == 1
    assert names(store) == ["Bash"]


def test_a_part_that_fails_is_undone_alone(writer: GroupWriter, store: Store) -> None:
    def write_and_fail(store: Store) -> None:
        store.execute(PUT, ("undone",))
        raise LookupError("mine")

    gate = Gate()
    writer.submit(gate)
    first, bad = submit_put(writer, "first"), writer.submit(write_and_fail)
    again, last = submit_put(writer, "first"), submit_put(writer, "last")
    gate.is_open.set()

    with pytest.raises(LookupError, match="mine"):
        bad.result()
    with pytest.raises(Conflict):
        again.result()
    assert (first.result(), last.result()) == (1, 1)
    assert names(store) == ["first", "last"]


def test_what_gathers_is_committed_at_once(any_store: Store) -> None:
    counted = Counted(any_store)
    gate = Gate()
    with GroupWriter(counted) as writer:
        writer.submit(gate)
        gate.is_reached.wait(10)
        parts = [submit_put(writer, f"tool {n}") for n in range(20)]
        gate.is_open.set()
        for part in parts:
            part.result()

    assert counted.transactions == 1
    assert names(any_store) == [f"tool {n}" for n in range(20)]


def test_a_group_has_a_largest_size(any_store: Store) -> None:
    counted = Counted(any_store)
    gate = Gate()
    with GroupWriter(counted, max_parts=5) as writer:
        writer.submit(gate)
        gate.is_reached.wait(10)
        parts = [submit_put(writer, f"tool {n}") for n in range(9)]
        gate.is_open.set()
        for part in parts:
            part.result()

    assert counted.transactions == 2


def test_each_threads_parts_keep_their_order(writer: GroupWriter, store: Store) -> None:
    def write(name: str) -> None:
        for number in range(30):
            submit_put(writer, f"{name} {number:02}").result()

    threads = [threading.Thread(target=write, args=(f"t{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    written = names(store)
    for thread_name in (f"t{n}" for n in range(8)):
        own = [name for name in written if name.startswith(f"{thread_name} ")]
        assert own == [f"{thread_name} {number:02}" for number in range(30)]


def test_what_a_caller_was_told_is_durable(tmp_path: Path) -> None:
    store, other = (open_database(str(tmp_path / "a.db")) for _ in range(2))
    with GroupWriter(store) as writer:
        for number in range(20):
            submit_put(writer, f"tool {number}").result()

            assert len(names(other)) == number + 1
    store.close()
    other.close()


def test_closing_writes_what_was_handed_in(store: Store) -> None:
    writer = GroupWriter(store)
    parts = [submit_put(writer, f"tool {number}") for number in range(700)]

    writer.close()

    assert all(part.done() for part in parts)
    assert len(names(store)) == 700


def test_a_closed_writer_takes_nothing_more(store: Store) -> None:
    writer = GroupWriter(store)
    writer.close()
    writer.close()

    with pytest.raises(StoreError, match="has ended"):
        writer.write(names)


def test_a_part_may_write_through_the_writer(writer: GroupWriter, store: Store) -> None:
    def outer(store: Store) -> None:
        store.execute(PUT, ("outer",))
        writer.write(lambda store: store.execute(PUT, ("inner",)))

    writer.write(outer)

    assert names(store) == ["outer", "inner"]


def test_a_part_that_was_cancelled_is_left_out(
    writer: GroupWriter, store: Store
) -> None:
    gate = Gate()
    writer.submit(gate)
    gate.is_reached.wait(10)
    cancelled, kept = submit_put(writer, "cancelled"), submit_put(writer, "kept")

    was_in_time = cancelled.cancel()
    gate.is_open.set()
    kept.result()

    assert was_in_time
    assert names(store) == ["kept"]


def test_an_event_loop_waits_for_a_part(writer: GroupWriter, store: Store) -> None:
    async def write_both() -> list[int]:
        parts = [asyncio.wrap_future(submit_put(writer, name)) for name in "ab"]
        return list(await asyncio.gather(*parts))

    assert asyncio.run(write_both()) == [1, 1]
    assert names(store) == ["a", "b"]


class Counted:
    """A store that counts its transactions, and can be made to fail at their end."""

    def __init__(self, store: Store, fault: BaseException | None = None) -> None:
        self._store = store
        self.fault = fault
        self.transactions = 0
        self._depth = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Open one, and fail at the end of the outermost."""
        self.transactions += not self._depth
        self._depth += 1
        try:
            with self._store.transaction():
                yield
                if self._depth == 1 and self.fault is not None:
                    raise self.fault
        finally:
            self._depth -= 1


def faulty(store: Store, fault: BaseException) -> Any:
    return Counted(store, fault)


def test_a_group_that_cannot_be_committed_fails_each_of_its_callers(
    any_store: Store,
) -> None:
    fault = StoreBusy("another process is writing")
    failing = faulty(any_store, fault)
    gate = Gate()
    with GroupWriter(failing) as writer:
        writer.submit(gate)
        gate.is_reached.wait(10)
        parts = [submit_put(writer, f"tool {n}") for n in range(3)]
        gate.is_open.set()
        told = [part.exception(timeout=10) for part in parts]
        failing.fault = None
        submit_put(writer, "after").result()

    assert [type(one) for one in told] == [StoreBusy] * 3
    assert len({id(one) for one in told}) == 3
    assert all(one is not None and one.__cause__ is fault for one in told)
    assert names(any_store) == ["after"]


def test_a_writer_that_breaks_down_tells_all_who_wait(
    any_store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    failing = faulty(any_store, RuntimeError("a bug in an engine"))
    gate = Gate()
    writer = GroupWriter(failing, max_parts=2)
    writer.submit(gate)
    gate.is_reached.wait(10)
    parts = [submit_put(writer, f"tool {n}") for n in range(5)]

    gate.is_open.set()

    told = [part.exception(timeout=10) for part in parts]
    assert [type(one) for one in told] == [StoreError] * 5
    with pytest.raises(StoreError, match="has ended"):
        submit_put(writer, "after")
    writer.close()
    assert "the group writer has ended" in caplog.text
    assert names(any_store) == []


def test_a_forked_child_is_told_that_it_has_no_writer(tmp_path: Path) -> None:
    store = open_database(str(tmp_path / "a.db"))
    writer = GroupWriter(store)

    child = os.fork()
    if child == 0:
        try:
            writer.write(names)
        except StoreError:
            os._exit(7)
        os._exit(0)
    _, status = os.waitpid(child, 0)

    writer.close()
    store.close()
    assert os.waitstatus_to_exitcode(status) == 7
