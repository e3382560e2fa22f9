"""What the rest of oldhand may expect of a store, over every engine."""

from __future__ import annotations

import threading

import pytest

from oldhand.errors import Conflict, StoreError, StoreMismatch
from oldhand.store import Query, Store, open_database
from oldhand.store.migrate import Migratable, migrate, migrations


def both(sql: str) -> Query:
    """Return a query whose text both engines take."""
    return Query("test", sql, sql)


PUT = both("INSERT INTO kv (key, value) VALUES (:key, :value)")
GET = both("SELECT value FROM kv WHERE key = :key")
KEYS = both("SELECT key FROM kv WHERE key LIKE 'test%' ORDER BY key")
ADD_TOOL = both("INSERT INTO tools (name) VALUES (:name)")


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


def keys(store: Store) -> list[str]:
    return [key for (key,) in store.query_all(KEYS)]


def test_values_are_taken_by_name_and_in_order(store: Store) -> None:
    store.execute(PUT, {"value": "1", "key": "test a"})
    store.execute(PUT, ("test b", "2"))
    store.execute_many(PUT, [("test c", "3"), ("test d", "4")])

    assert keys(store) == ["test a", "test b", "test c", "test d"]
    assert store.query_one(GET, ("test b",)) == ("2",)


def test_a_name_that_stands_twice_takes_one_value(store: Store) -> None:
    twice = both(
        "SELECT key FROM kv WHERE value = :a AND key <> :b AND value <> :b "
        "ORDER BY key DESC"
    )
    store.execute_many(PUT, [("test a", "1"), ("test b", "1"), ("1", "1")])

    assert store.query_all(twice, ("1", "test b")) == [("test a",), ("1",)]
    assert store.query_all(twice, ("1", "1")) == []


def test_a_name_without_a_value_is_a_key_error(store: Store) -> None:
    with pytest.raises(KeyError, match="value"):
        store.execute(PUT, {"key": "test"})


@pytest.mark.parametrize("values", [(), ("test",), ("test", "1", "2")])
def test_too_few_or_too_many_values_are_refused(
    store: Store, values: tuple[str, ...]
) -> None:
    with pytest.raises(StoreError):
        store.execute(PUT, values)


def test_colons_and_percent_signs_that_are_no_parameters_stay(store: Store) -> None:
    odd = both(
        "SELECT ':no', '100 %', \"key\" /* :no % */ FROM kv WHERE key = :k -- :no"
    )
    store.execute(PUT, ("test", "x"))

    assert store.query_one(odd, {"k": "test"}) == (":no", "100 %", "test")


def test_a_query_without_an_answer_returns_nothing(store: Store) -> None:
    assert store.query_one(GET, ("test",)) is None
    assert store.query_all(GET, ("test",)) == []
    assert store.query_all(PUT, ("test", "1")) == []


def test_what_was_changed_is_counted(store: Store) -> None:
    rename = both("UPDATE kv SET value = :value WHERE key LIKE 'test%'")
    store.execute_many(PUT, [("test a", "1"), ("test b", "2")])

    assert store.execute(rename, ("3",)) == 2
    assert store.execute(PUT, ("test c", "1")) == 1


def test_a_transaction_is_kept_as_a_whole(store: Store) -> None:
    with store.transaction():
        store.execute(PUT, ("test a", "1"))
        store.execute(PUT, ("test b", "1"))

    assert keys(store) == ["test a", "test b"]


def test_a_transaction_that_raises_leaves_nothing(store: Store) -> None:
    def write_and_fail() -> None:
        with store.transaction():
            store.execute(PUT, ("test", "1"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_and_fail()

    assert keys(store) == []


def test_a_transaction_inside_a_transaction_joins_it(store: Store) -> None:
    def write_and_fail() -> None:
        with store.transaction():
            with store.transaction():
                store.execute(PUT, ("test", "1"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_and_fail()

    assert keys(store) == []


def test_a_batch_of_which_one_row_fails_leaves_nothing(store: Store) -> None:
    with pytest.raises(Conflict):
        store.execute_many(PUT, [("test a", "1"), ("test b", "2"), ("test a", "3")])

    assert keys(store) == []


def test_a_batch_whose_statement_returns_rows_runs_for_every_row(store: Store) -> None:
    returning = both("INSERT INTO kv VALUES (:key, :value) RETURNING key")

    store.execute_many(returning, [("test a", "1"), ("test b", "2"), ("test c", "3")])

    assert keys(store) == ["test a", "test b", "test c"]


def test_a_store_goes_on_after_a_failed_transaction(store: Store) -> None:
    store.execute(PUT, ("test a", "1"))
    with pytest.raises(Conflict), store.transaction():
        store.execute(PUT, ("test a", "2"))

    store.execute(PUT, ("test b", "1"))

    assert keys(store) == ["test a", "test b"]


BROKEN = {
    "unique": "INSERT INTO kv (key, value) VALUES ('test', 'secret value')",
    "null": "INSERT INTO kv (key, value) VALUES ('other', NULL)",
    "foreign key": "INSERT INTO shapes (tool_id, keys, shape, flags) VALUES (9, 'a', 'b', 'c')",
    "check": (
        "INSERT INTO messages (id, role, type, active, content) "
        "VALUES (1, 'clown', 'turn', 1, 'secret value')"
    ),
}


@pytest.mark.parametrize("sql", BROKEN.values(), ids=BROKEN)
def test_a_constraint_that_does_not_hold_is_a_conflict_without_the_values(
    store: Store, sql: str
) -> None:
    store.execute(PUT, ("test", "1"))

    with pytest.raises(Conflict, match="a constraint does not hold") as caught:
        store.execute(both(sql))

    assert "secret value" not in str(caught.value)


def test_a_statement_that_is_wrong_is_a_store_error(store: Store) -> None:
    with pytest.raises(StoreError):
        store.query_all(both("SELECT nothing FROM kv"))
    with pytest.raises(StoreError):
        store.query_all(both("SELEKT 1"))


TEXTS = [
    "",
    "'; DROP TABLE kv; --",
    "%s %(a)s $1 :a ? \\",
    "ä 中文 😀 \U0010ffff",
    "line\r\nline\ttab \x01\x7f",
    "x" * 2_000_000,
]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_a_text_comes_back_as_it_was_given(store: Store, text: str) -> None:
    store.execute(PUT, ("test", text))

    assert store.query_one(GET, ("test",)) == (text,)


def test_a_text_with_nul_is_kept(store: Store) -> None:
    store.execute(PUT, ("test", "a\0b"))

    (found,) = store.query_one(GET, ("test",)) or ("",)
    assert found in {"a\0b", "a\N{REPLACEMENT CHARACTER}b"}


def test_a_text_with_nul_is_found_by_itself(store: Store) -> None:
    store.execute(PUT, ("test\0", "1"))

    assert store.query_one(GET, ("test\0",)) == ("1",)


VALUES = [None, 0, -1, 2**62, -(2**63), 2**63 - 1]


@pytest.mark.parametrize("value", VALUES)
def test_a_whole_number_comes_back_as_it_was_given(
    store: Store, value: int | None
) -> None:
    store.execute(
        both(
            "INSERT INTO messages (id, role, type, active, content, at_us) "
            "VALUES (1, 'user', 'turn', :active, '', :at_us)"
        ),
        (True, value),
    )

    row = store.query_one(both("SELECT at_us, active FROM messages"))
    assert row == (value, 1)
    assert [type(item) for item in row or ()] == [type(value), int]


def test_a_whole_number_of_more_than_64_bits_is_refused(store: Store) -> None:
    numbers = both("SELECT id FROM messages WHERE id = :id")

    with pytest.raises((OverflowError, StoreError)):
        store.query_all(numbers, (2**63,))


def test_sums_are_ints_and_averages_floats(store: Store) -> None:
    store.execute_many(ADD_TOOL, [("a",), ("b",)])

    row = store.query_one(both("SELECT sum(id), avg(id), count(*), 1.5e0 FROM tools"))

    assert row is not None
    assert [type(value) for value in row] == [int, float, int, float]
    assert row[1] == row[0] / 2


def test_keys_are_given_in_order(store: Store) -> None:
    add = both("INSERT INTO tools (name) VALUES (:name) RETURNING id")

    rows = [store.query_one(add, (name,)) for name in ("a", "b", "c")]

    ids = [row[0] for row in rows if row]
    assert ids == sorted(set(ids))
    assert len(ids) == 3


def test_text_is_sorted_by_its_bytes(store: Store) -> None:
    names = ["Zebra", "a b", "a-b", "ab", "b", "Ä", "ä", "中", "\U0010ffff"]
    store.execute_many(ADD_TOOL, [(name,) for name in reversed(names)])

    found = store.query_all(both("SELECT name FROM tools ORDER BY name"))

    assert [name for (name,) in found] == names


def test_migrating_again_applies_nothing(store: Migratable) -> None:
    applied = store.query_all(both("SELECT version FROM migrations ORDER BY version"))

    assert migrate(store) == []
    assert [v for (v,) in applied] == [m.version for m in migrations(store.dialect)]


def test_a_table_is_known_to_be_there_or_not(store: Migratable) -> None:
    assert store.has_table("sessions")
    assert not store.has_table("no_such_table")


def test_a_database_of_a_newer_version_is_refused(store: Migratable) -> None:
    store.execute(both("INSERT INTO migrations VALUES (9999, 'from_the_future', 0)"))

    with pytest.raises(StoreMismatch, match="newer oldhand"):
        migrate(store)


def test_a_script_of_which_a_statement_fails_leaves_nothing(store: Migratable) -> None:
    script = "CREATE TABLE one (x BIGINT); INSERT INTO one VALUES (1); SELEKT 1;"

    with pytest.raises(StoreError):
        store.execute_script(script)

    assert not store.has_table("one")


def test_threads_share_a_store(store: Store) -> None:
    def write(name: str) -> None:
        for number in range(20):
            with store.transaction():
                store.execute(PUT, (f"test {name} {number}", "x"))

    threads = [threading.Thread(target=write, args=(f"t{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(keys(store)) == 80


def test_another_threads_transaction_is_not_joined(store: Store) -> None:
    seen: list[list[str]] = []
    reader = threading.Thread(target=lambda: seen.append(keys(store)))

    def write_and_fail() -> None:
        with store.transaction():
            store.execute(PUT, ("test", "1"))
            reader.start()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_and_fail()
    reader.join()

    assert seen == [[]]


def test_a_closed_store_can_be_closed_again_and_answers_no_more(store: Store) -> None:
    store.close()
    store.close()

    with pytest.raises(StoreError):
        store.query_all(KEYS)


def test_the_url_opens_the_same_database_again(store: Store) -> None:
    if ":memory:" in store.url:
        pytest.skip("a database in memory is there once")
    store.execute(PUT, ("test", "1"))

    again = open_database(store.url)

    assert keys(again) == ["test"]
    again.close()


def test_another_sees_what_was_committed_and_nothing_before(
    any_store: Store,
) -> None:
    another = any_store.another()

    with any_store.transaction():
        any_store.execute(PUT, ("test a", "1"))
        during = keys(another)
    after = keys(another)

    is_apart = another is not any_store
    assert (during, after) == ([] if is_apart else ["test a"], ["test a"])
    another.close()
    if is_apart:
        assert keys(any_store) == ["test a"]
