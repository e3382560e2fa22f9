"""A watch notices what other connections write, and what they do not."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from oldhand.cron.jobs import create_job
from oldhand.cron.model import JobSpec
from oldhand.errors import StoreError
from oldhand.store import Query, Store, open_database
from oldhand.store.watch import Watch

PUT = Query("put", *2 * ["INSERT INTO kv VALUES (:key, '')"])
CHANNEL = "oldhand_jobs"


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.postgres)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A database that others can open as well."""
    if request.param == "postgres":
        opened = open_database(request.getfixturevalue("postgres_url"))
    else:
        opened = open_database(str(tmp_path / "oldhand.db"))
    yield opened
    opened.close()


def hears(watch: Watch, seconds: float = 5) -> bool:
    """Ask until there is news, or time is up."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if watch.has_news():
            return True
        time.sleep(0.01)
    return False


def add(store: Store, name: str) -> None:
    create_job(store, JobSpec("Look", "every 1h", zone="UTC", name=name))


def test_nothing_is_news_while_nobody_writes(store: Store) -> None:
    watch = store.watch(CHANNEL)

    assert not watch.has_news()
    watch.close()


def test_what_another_connection_writes_is_news_once(store: Store) -> None:
    watch, other = store.watch(CHANNEL), store.another()
    add(other, "one")

    assert hears(watch)
    assert not hears(watch, 0.1)
    add(other, "two")
    assert hears(watch)
    watch.close()
    other.close()


def test_what_was_undone_is_no_news(store: Store) -> None:
    watch, other = store.watch(CHANNEL), store.another()
    with suppress(LookupError), other.transaction():
        add(other, "one")
        raise LookupError

    assert not hears(watch, 0.2)
    watch.close()
    other.close()


def test_only_what_matters_to_a_channel_is_news_with_postgres(
    postgres_url: str,
) -> None:
    store = open_database(postgres_url)
    watch, other = store.watch(CHANNEL), store.another()
    other.execute(PUT, ("one",))

    assert not hears(watch, 0.2)
    for each in (watch, other, store):
        each.close()


def test_a_watch_whose_connection_was_lost_says_so(postgres_url: str) -> None:
    store = open_database(postgres_url)
    watch = store.watch(CHANNEL)
    with psycopg.connect(postgres_url, autocommit=True) as killer:
        killer.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND query LIKE 'LISTEN%'"
        )

    with pytest.raises(StoreError):
        hears(watch)

    watch.close()
    store.close()


def test_a_database_in_memory_has_no_others(store: Store) -> None:
    alone = open_database(":memory:")
    watch = alone.watch(CHANNEL)
    add(alone, "one")

    assert not watch.has_news()
    watch.close()
    alone.close()
