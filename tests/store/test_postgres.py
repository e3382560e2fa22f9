"""The PostgreSQL engine behind the seam: what only it does."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import psycopg
import pytest

from oldhand.errors import (
    Conflict,
    StoreBusy,
    StoreError,
    StoreMismatch,
    StoreReadOnly,
)
from oldhand.extras import install_command
from oldhand.store import Query, Store, open_database

if TYPE_CHECKING:
    from tests.postgres_server import Server


def own(sql: str) -> Query:
    """Return a query that only PostgreSQL takes."""
    return Query("test", "", sql)


PUT = own("INSERT INTO kv (key, value) VALUES (:key, :value)")
COUNT = own("SELECT count(*) FROM kv WHERE key LIKE 'test%'")


@pytest.fixture
def store(postgres_url: str) -> Iterator[Store]:
    """Open a PostgreSQL database of this test's own."""
    opened = open_database(postgres_url)
    yield opened
    opened.close()


@pytest.fixture
def other(postgres_url: str) -> Iterator[Store]:
    """Open the same database a second time, as another process would."""
    opened = open_database(postgres_url)
    yield opened
    opened.close()


def test_without_the_driver_the_message_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from oldhand.errors import InvalidInput\n"
        "from oldhand.store import open_database\n"
        "try: open_database('postgresql://db/name')\n"
        "except InvalidInput as fault: print(fault)\n"
        "open_database(':memory:').close()\n"
    )

    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert install_command("postgres") in run.stdout


@pytest.mark.postgres
@pytest.mark.parametrize("scheme", ["postgresql", "postgres"])
def test_both_schemes_open_it(postgres_url: str, scheme: str) -> None:
    store = open_database(postgres_url.replace("postgresql", scheme, 1))

    who = own("SELECT current_setting('application_name')")
    assert store.query_one(who) == ("oldhand",)
    store.close()


@pytest.mark.postgres
def test_several_that_open_an_empty_database_at_once_all_get_it(
    postgres_server: Server,
) -> None:
    url = postgres_server.empty_database()
    opened: list[Store] = []
    threads = [
        threading.Thread(target=lambda: opened.append(open_database(url)))
        for _ in range(4)
    ]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    counts = [store.query_one(COUNT) for store in opened]
    for store in opened:
        store.close()
    postgres_server.drop_database(url)
    assert counts == [(0,)] * 4


THEIRS = [
    "CREATE TABLE migrations (id BIGINT, migration TEXT, batch BIGINT)",
    "CREATE TABLE sessions (sid TEXT)",
]


@pytest.mark.postgres
@pytest.mark.parametrize("statement", THEIRS)
def test_the_tables_of_another_program_are_left_alone(
    postgres_server: Server, statement: str
) -> None:
    url = postgres_server.empty_database()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement.encode())

    with pytest.raises(StoreMismatch, match="a schema, of its own"):
        open_database(url)

    postgres_server.drop_database(url)


@pytest.mark.postgres
def test_tables_lie_in_the_schema_that_the_url_names(postgres_server: Server) -> None:
    url = postgres_server.empty_database()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA mine")
    store = open_database(f"{url}&options=-csearch_path%3Dmine")

    where = own("SELECT schemaname FROM pg_tables WHERE tablename = 'sessions'")
    found = store.query_all(where)

    store.close()
    postgres_server.drop_database(url)
    assert found == [("mine",)]


@pytest.mark.postgres
def test_a_database_of_another_encoding_is_refused(postgres_server: Server) -> None:
    name = "oldhand_latin1"
    postgres_server.run(
        f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'"
    )
    url = postgres_server.url_of(name)

    with pytest.raises(StoreMismatch, match="LATIN1"):
        open_database(url)

    postgres_server.drop_database(url)


@pytest.mark.postgres
def test_a_read_only_database_can_be_read(postgres_url: str) -> None:
    store = open_database(
        f"{postgres_url}&options=-cdefault_transaction_read_only%3Don"
    )

    with pytest.raises(StoreReadOnly):
        store.execute(PUT, ("test", "1"))

    assert store.read_only_reason == "default_transaction_read_only is on"
    assert store.query_one(COUNT) == (0,)
    store.close()


@pytest.mark.postgres
def test_tables_of_an_older_version_are_named_where_nothing_can_be_written(
    postgres_url: str,
) -> None:
    older = open_database(postgres_url)
    older.execute(own("DELETE FROM migrations WHERE version > 1"))
    older.close()

    with pytest.raises(StoreReadOnly, match=r"an older oldhand \(schema 1; this one"):
        open_database(f"{postgres_url}&options=-cdefault_transaction_read_only%3Don")


def end_connection(store: Store, other: Store) -> None:
    (process,) = store.query_one(own("SELECT pg_backend_pid()")) or (0,)
    other.query_one(
        own("SELECT pg_terminate_backend(CAST(:pid AS INTEGER))"), (process,)
    )


@pytest.mark.postgres
def test_a_connection_that_was_lost_is_made_anew(store: Store, other: Store) -> None:
    end_connection(store, other)

    with pytest.raises(StoreBusy):
        store.execute(PUT, ("test a", "1"))
    store.execute(PUT, ("test b", "1"))

    assert store.query_one(COUNT) == (1,)


@pytest.mark.postgres
def test_a_transaction_that_loses_its_connection_is_not_gone_on_with(
    store: Store, other: Store
) -> None:
    def write_both() -> None:
        with store.transaction():
            store.execute(PUT, ("test a", "1"))
            end_connection(store, other)
            with pytest.raises(StoreBusy):
                store.execute(PUT, ("test b", "1"))
            store.execute(PUT, ("test c", "1"))

    with pytest.raises(StoreBusy):
        write_both()

    assert store.query_one(COUNT) == (0,)


@pytest.mark.postgres
def test_a_failed_transaction_cannot_end_well(store: Store) -> None:
    def go_on_after_a_conflict() -> None:
        with store.transaction():
            store.execute(PUT, ("test a", "1"))
            with pytest.raises(Conflict):
                store.execute(PUT, ("test a", "2"))

    with pytest.raises(StoreError, match="nothing of it was written"):
        go_on_after_a_conflict()

    assert store.query_one(COUNT) == (0,)


@pytest.mark.postgres
def test_a_lock_is_not_waited_for_without_end(store: Store, other: Store) -> None:
    store.execute(PUT, ("test", "1"))
    other.execute(own("SET lock_timeout = '20ms'"))
    change = own("UPDATE kv SET value = 'x' WHERE key = 'test'")

    with store.transaction():
        store.execute(change)
        with pytest.raises(StoreBusy, match="try again"):
            other.execute(change)


@pytest.mark.postgres
def test_a_store_that_was_opened_before_a_fork_refuses_the_child(store: Store) -> None:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            store.execute(PUT, ("test", "1"))
        except StoreError as fault:
            os.write(write, str(fault).encode())
        store.close()
        os._exit(0)
    os.waitpid(child, 0)
    os.close(write)

    said = os.read(read, 1_000).decode()

    os.close(read)
    assert "before a fork" in said
    assert store.query_one(COUNT) == (0,)
