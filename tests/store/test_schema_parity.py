"""Both engines have the same tables, columns, keys and constraints."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oldhand.errors import StoreMismatch
from oldhand.store import Query, Store, open_database
from oldhand.store.migrate import Migration, check_numbers, migrations

from .catalog import (
    Column,
    Table,
    differences,
    postgres_catalog,
    sqlite_catalog,
)

# What is sorted by, or looked up by its beginning: in the order of bytes, as in SQLite.
SORTED = {("sessions", "uid"), ("tools", "name"), ("templates", "name")}

_COLLATIONS = """
    SELECT c.relname, a.attname, l.collname
    FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid
    JOIN pg_collation l ON l.oid = a.attcollation
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace"""

# Full-text search is a virtual table in SQLite.
OF_ITS_OWN = {"message_search"}

TABLE = Table(
    {
        "id": Column("INTEGER", is_nullable=False),
        "name": Column("TEXT", is_nullable=True),
    },
    primary_key=("id",),
    unique=frozenset({("name",)}),
    checks=1,
)
TWIN = replace(
    TABLE,
    columns={
        "id": Column("bigint", is_nullable=False),
        "name": Column("text", is_nullable=True),
    },
)


def test_the_migrations_have_the_same_numbers_and_names() -> None:
    numbers = [(m.version, m.name) for m in migrations("sqlite")]

    assert [(m.version, m.name) for m in migrations("postgres")] == numbers


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_the_migrations_are_numbered_from_one_each_number_once(dialect: str) -> None:
    numbers = [migration.version for migration in migrations(dialect)]

    assert numbers == list(range(1, len(numbers) + 1))
    check_numbers(migrations(dialect))


@pytest.mark.parametrize(
    ("versions", "said"),
    [
        ((1, 2, 2, 3), r"0002_c\.sql stands where number 0003"),
        ((1, 3), r"0003_b\.sql stands where number 0002"),
        ((2, 3), r"0002_a\.sql stands where number 0001"),
        ((0, 1), r"0000_a\.sql stands where number 0001"),
        ((), "without the files"),
    ],
)
def test_migrations_whose_numbers_repeat_or_have_a_gap_are_refused(
    versions: tuple[int, ...], said: str
) -> None:
    known = [
        Migration(version, name, f"{version:04}_{name}.sql")
        for version, name in zip(versions, "abcd", strict=False)
    ]

    with pytest.raises(StoreMismatch, match=said):
        check_numbers(known)


@pytest.mark.postgres
def test_both_engines_have_the_same_tables(store: Store, postgres_url: str) -> None:
    postgres = open_database(postgres_url)

    found = differences(sqlite_catalog(store), postgres_catalog(postgres))

    postgres.close()
    assert found == [f"{name}: only in postgres" for name in sorted(OF_ITS_OWN)]


@pytest.mark.postgres
def test_what_is_sorted_is_in_the_order_of_its_bytes(postgres_url: str) -> None:
    postgres = open_database(postgres_url)
    rows = postgres.query_all(Query("collations", "", _COLLATIONS))

    found = {(table, column): collation for table, column, collation in rows}

    postgres.close()
    assert {found[name] for name in SORTED} == {"C"}


def test_twins_have_no_difference() -> None:
    assert differences({"t": TABLE}, {"t": TWIN}) == []


CHANGES = {
    "a missing column": {"columns": {"id": TWIN.columns["id"]}},
    "columns in another order": {"columns": dict(reversed(TWIN.columns.items()))},
    "another type": {
        "columns": {**TWIN.columns, "id": Column("text", is_nullable=False)}
    },
    "a column that may be NULL": {
        "columns": {**TWIN.columns, "id": Column("bigint", is_nullable=True)}
    },
    "another key": {"primary_key": ("name",)},
    "no unique constraint": {"unique": frozenset()},
    "another index": {"indexes": frozenset({("name",)})},
    "a reference": {"references": frozenset({("id", "u", "CASCADE")})},
    "a missing check": {"checks": 0},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_difference_is_found(change: dict[str, object]) -> None:
    other = replace(TWIN, **change)  # type: ignore[arg-type]  # each by its field's name

    assert len(differences({"t": TABLE}, {"t": other})) == 1


def test_a_table_that_only_one_has_is_found() -> None:
    assert differences({"t": TABLE}, {}) == ["t: only in sqlite"]
    assert differences({}, {"t": TWIN}) == ["t: only in postgres"]
