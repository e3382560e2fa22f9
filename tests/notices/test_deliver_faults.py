"""Kills, other deliverers, full and locked disks: nothing is lost, nothing comes twice."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from oldhand.errors import StoreBusy, StoreFull
from oldhand.notices import Channels, Delivered, Message, deliver_due, pending, put
from oldhand.notices.channels.telegram import Telegram
from oldhand.notices.deliver import LEASE_US
from oldhand.store import Query, open_database
from oldhand.store.sqlite import SqliteStore
from oldhand.testing import FakeClock

from .services import Service

SPAWN = multiprocessing.get_context("spawn")
TOKEN = "123456789:AAF-" + "abcdefgh" * 4
FILL = Query("fill", "INSERT INTO kv VALUES (:key, :value)", "")


def channels_to(url: str) -> Channels:
    return Channels((Telegram(TOKEN, "-100", base_url=url),))


def deliver_in_process(database: str, url: str, at_us: int) -> None:
    store = open_database(database)
    deliver_due(store, channels_to(url), clock=FakeClock(at_us))
    store.close()


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database with all tables, closed."""
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres_url"))
    path = str(tmp_path / "a.db")
    open_database(path).close()
    return path


def fill(ballast: Path) -> None:
    """Write until the disk is full."""
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(b"x" * 4096):
            pass


def put_many(database: str, count: int, clock: FakeClock) -> None:
    store = open_database(database)
    for number in range(count):
        put(store, Message(f"message {number}"), clock=clock)
    store.close()


@pytest.mark.parametrize(
    "rounds",
    [3, pytest.param(50, marks=[pytest.mark.soak, pytest.mark.timeout(1800)])],
)
def test_a_message_comes_again_when_its_deliverer_was_killed(
    database: str, service: Service, clock: FakeClock, rounds: int
) -> None:
    arrived, go_on = threading.Event(), threading.Event()

    def hold(_: object) -> None:
        arrived.set()
        go_on.wait(10)

    put_many(database, rounds, clock)
    for _ in range(rounds):
        arrived.clear()
        go_on.clear()
        service.before_reply = hold
        sender = SPAWN.Process(
            target=deliver_in_process, args=(database, service.url, clock())
        )
        sender.start()
        assert arrived.wait(15)
        os.kill(sender.pid or 0, signal.SIGKILL)
        sender.join()
        service.before_reply = lambda _: None
        go_on.set()
        clock.advance(LEASE_US)
    store = open_database(database)
    done = deliver_due(store, channels_to(service.url), clock=clock)

    assert done == Delivered(sent=rounds)
    assert set(service.texts()) == {f"message {n}" for n in range(rounds)}
    assert pending(store) == []
    store.close()


def test_while_one_sends_another_leaves_the_message_alone(
    database: str, service: Service, clock: FakeClock
) -> None:
    put_many(database, 1, clock)
    first, second = open_database(database), open_database(database)
    meanwhile: list[Delivered] = []
    service.before_reply = lambda _: meanwhile.append(
        deliver_due(second, channels_to(service.url), clock=clock)
    )

    done = deliver_due(first, channels_to(service.url), clock=clock)

    assert (done, meanwhile) == (Delivered(sent=1), [Delivered()])
    first.close()
    second.close()


def test_two_deliverers_at_once_send_each_message_once(
    database: str, service: Service, clock: FakeClock
) -> None:
    count = 40
    put_many(database, count, clock)
    senders = [
        SPAWN.Process(target=deliver_in_process, args=(database, service.url, clock()))
        for _ in range(2)
    ]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()

    assert Counter(service.texts()) == {f"message {n}": 1 for n in range(count)}
    assert [sender.exitcode for sender in senders] == [0, 0]


def test_threads_of_one_store_send_each_message_once(
    database: str, service: Service, clock: FakeClock
) -> None:
    put_many(database, 20, clock)
    store = open_database(database)
    threads = [
        threading.Thread(
            target=deliver_due,
            args=(store, channels_to(service.url)),
            kwargs={"clock": clock},
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert Counter(service.texts()) == {f"message {n}": 1 for n in range(20)}
    store.close()


def test_while_the_database_is_locked_nothing_is_sent(
    tmp_path: Path, service: Service, clock: FakeClock
) -> None:
    path = str(tmp_path / "a.db")
    put_many(path, 1, clock)
    holder, sender = open_database(path), SqliteStore(path, wait_seconds=0.05)

    with holder.transaction():
        holder.execute(FILL, ("a", "b"))
        with pytest.raises(StoreBusy):
            deliver_due(sender, channels_to(service.url), clock=clock)
    sent_while_locked = service.texts()
    deliver_due(sender, channels_to(service.url), clock=clock)

    assert sent_while_locked == []
    assert service.texts() == ["message 0"]
    holder.close()
    sender.close()


def test_on_a_full_disk_nothing_is_sent_and_later_all(
    small_disk: Path, service: Service, clock: FakeClock
) -> None:
    store = open_database(str(small_disk / "a.db"))
    put(store, Message("one"), clock=clock)
    ballast = small_disk / "ballast"
    fill(ballast)
    faults = []
    for number in range(300):
        try:
            put(store, Message(f"more {number}"), clock=clock)
            deliver_due(store, channels_to(service.url), clock=clock)
        except StoreFull as fault:
            faults.append(fault)
            break
    sent = len(service.texts())
    with pytest.raises(StoreFull):
        deliver_due(store, channels_to(service.url), clock=clock)
    sent_when_full = len(service.texts()) - sent
    ballast.unlink()
    clock.advance(LEASE_US)
    deliver_due(store, channels_to(service.url), clock=clock)

    assert faults
    assert sent_when_full == 0
    assert pending(store) == []
    store.close()
