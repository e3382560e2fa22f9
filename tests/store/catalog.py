"""The catalogs of both engines, read into one form so that they can be compared."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from oldhand.store import Query, Store

_TYPES = {
    "INTEGER": {"bigint", "integer", "smallint"},
    "BIGINT": {"bigint"},
    "REAL": {"double precision"},
    "TEXT": {"text"},
    "BLOB": {"bytea"},
}
_WORDS = re.compile(r"\bCHECK\s*\(", re.IGNORECASE)


@dataclass(frozen=True)
class Column:
    """One column: its declared type, and whether it may be NULL."""

    type: str
    is_nullable: bool


@dataclass(frozen=True)
class Table:
    """What a table promises.

    Attributes:
        columns: By name, in order.
        primary_key: The names of its columns.
        unique: The columns of each other unique constraint or index.
        indexes: The columns of each index that is not unique.
        references: (columns, table that is named, what happens on deletion).
        checks: How many check constraints there are.
    """

    columns: dict[str, Column]
    primary_key: tuple[str, ...] = ()
    unique: frozenset[tuple[str, ...]] = field(default_factory=frozenset)
    indexes: frozenset[tuple[str, ...]] = field(default_factory=frozenset)
    references: frozenset[tuple[str, str, str]] = field(default_factory=frozenset)
    checks: int = 0


Catalog = Mapping[str, Table]


def differences(sqlite: Catalog, postgres: Catalog) -> list[str]:
    """Return what the two catalogs do not have in common, one line for each."""
    found = [
        f"{name}: only in {'sqlite' if name in sqlite else 'postgres'}"
        for name in sorted(sqlite.keys() ^ postgres.keys())
    ]
    for name in sorted(sqlite.keys() & postgres.keys()):
        found += _table_differences(name, sqlite[name], postgres[name])
    return found


def _table_differences(name: str, one: Table, other: Table) -> list[str]:
    found = [
        f"{name}.{item.name}: {getattr(one, item.name)} / {getattr(other, item.name)}"
        for item in fields(Table)
        if item.name != "columns"
        and getattr(one, item.name) != getattr(other, item.name)
    ]
    if list(one.columns) != list(other.columns):
        return [*found, f"{name}: {list(one.columns)} / {list(other.columns)}"]
    for column, declared in one.columns.items():
        theirs = other.columns[column]
        if theirs.type not in _TYPES.get(declared.type, ()):
            found.append(f"{name}.{column}: {declared.type} / {theirs.type}")
        if theirs.is_nullable != declared.is_nullable:
            found.append(f"{name}.{column}: only one of them may be NULL")
    return found


def _both(sql: str) -> Query:
    return Query("catalog", sql, sql)


def _rows(store: Store, sql: str, *values: object) -> list[tuple[object, ...]]:
    return store.query_all(_both(sql), values)


def sqlite_catalog(store: Store) -> Catalog:
    """Read SQLite's catalog, without what full-text search makes for itself."""
    virtual = "SELECT name FROM pragma_table_list WHERE type IN ('virtual', 'shadow')"
    hidden = {name for (name,) in _rows(store, virtual)}
    tables = _rows(store, "SELECT name, sql FROM sqlite_master WHERE type = 'table'")
    return {
        str(name): _sqlite_table(store, str(name), str(sql))
        for name, sql in tables
        if name not in hidden and not str(name).startswith("sqlite_")
    }


def _sqlite_table(store: Store, name: str, sql: str) -> Table:
    columns, keys = {}, []
    info = 'SELECT name, type, "notnull", pk FROM pragma_table_info(:t) ORDER BY cid'
    for column, kind, is_not_null, place in _rows(store, info, name):
        columns[str(column)] = Column(str(kind), not is_not_null and not place)
        if place:
            keys.append((place, str(column)))
    unique: set[tuple[str, ...]] = set()
    indexes: set[tuple[str, ...]] = set()
    listed = 'SELECT name, "unique", origin FROM pragma_index_list(:t)'
    for index, is_unique, origin in _rows(store, listed, name):
        inside = "SELECT name FROM pragma_index_info(:i) ORDER BY seqno"
        names = tuple(str(column) for (column,) in _rows(store, inside, index))
        if origin != "pk":
            (unique if is_unique else indexes).add(names)
    foreign = 'SELECT "from", "table", on_delete FROM pragma_foreign_key_list(:t)'
    references = {(str(a), str(b), str(c)) for a, b, c in _rows(store, foreign, name)}
    return Table(
        columns,
        tuple(column for _, column in sorted(keys)),
        frozenset(unique),
        frozenset(indexes),
        frozenset(references),
        len(_WORDS.findall(re.sub(r"--[^\n]*", "", sql))),
    )


_DELETION = {"a": "NO ACTION", "r": "RESTRICT", "c": "CASCADE", "n": "SET NULL"}
_PG_TABLES = """
    SELECT relname, oid FROM pg_class
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"""
_PG_COLUMNS = """
    SELECT attname, format_type(atttypid, NULL), NOT attnotnull FROM pg_attribute
    WHERE attrelid = :t AND attnum > 0 AND NOT attisdropped ORDER BY attnum"""
_PG_INDEXES = """
    SELECT indisprimary, indisunique,
        array(SELECT coalesce(a.attname, '') FROM unnest(i.indkey) WITH ORDINALITY AS k(n, pos)
            LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.n
            ORDER BY k.pos)
    FROM pg_index i WHERE indrelid = :t"""
_PG_REFERENCES = """
    SELECT a.attname, confrelid::regclass::text, confdeltype::text
    FROM pg_constraint c
    JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    WHERE c.conrelid = :t AND contype = 'f'"""
_PG_CHECKS = """
    SELECT count(*) FROM pg_constraint WHERE conrelid = :t AND contype = 'c'"""


def postgres_catalog(store: Store) -> Catalog:
    """Read PostgreSQL's catalog: the tables of the first schema of the search path."""
    found = _rows(store, _PG_TABLES)
    return {str(name): _postgres_table(store, oid) for name, oid in found}


def _postgres_table(store: Store, oid: object) -> Table:
    columns = {
        str(name): Column(str(kind), bool(is_nullable))
        for name, kind, is_nullable in _rows(store, _PG_COLUMNS, oid)
    }
    primary: tuple[str, ...] = ()
    unique: set[tuple[str, ...]] = set()
    indexes: set[tuple[str, ...]] = set()
    for is_primary, is_unique, names in store.query_all(_both(_PG_INDEXES), (oid,)):
        if is_primary:
            primary = tuple(names)
        else:
            (unique if is_unique else indexes).add(tuple(names))
    references = _rows(store, _PG_REFERENCES, oid)
    (checks,) = store.query_all(_both(_PG_CHECKS), (oid,))
    return Table(
        columns,
        primary,
        frozenset(unique),
        frozenset(indexes),
        frozenset((str(a), str(b), _DELETION[str(c)]) for a, b, c in references),
        checks[0],
    )
