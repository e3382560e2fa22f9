"""Named SQL, kept in `.sql` files beside the code that uses it.

A file holds queries, each after a line `-- name: what_it_does`. `queries.sql` holds what
both engines take; where they differ, the same name stands in `queries.sqlite.sql` and in
`queries.postgres.sql`. Parameters are written `:name`. A file is read when the first of its
queries is asked for, so that importing a module reads nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

from oldhand.named_tuple import NamedTuple

DIALECTS = ("sqlite", "postgres")


class Query(NamedTuple):
    """One named query in each dialect; "" where a dialect has none."""

    name: str
    sqlite: str
    postgres: str


class Queries:
    """The named queries of one package.

    Example:
        >>> Queries("oldhand.store")["applied_migrations"].name
        'applied_migrations'
    """

    def __init__(self, package: str) -> None:
        """Point at a package; nothing is read yet."""
        self._package = package

    def __getitem__(self, name: str) -> Query:
        """Return one query.

        Raises:
            KeyError: No file of the package has a query of that name.
        """
        return _queries_of(self._package)[name]

    def names(self) -> list[str]:
        """Return the names of all queries, sorted."""
        return sorted(_queries_of(self._package))


@cache
def _queries_of(package: str) -> Mapping[str, Query]:
    """Read the files of a package, once for all modules that ask."""
    shared = _read(package, "queries.sql")
    own = {dialect: _read(package, f"queries.{dialect}.sql") for dialect in DIALECTS}
    names = shared.keys() | own["sqlite"].keys() | own["postgres"].keys()
    return {
        name: Query(
            name,
            *(own[dialect].get(name, shared.get(name, "")) for dialect in DIALECTS),
        )
        for name in names
    }


def _read(package: str, filename: str) -> dict[str, str]:
    try:
        return parse_queries(read_beside(package, filename))
    except FileNotFoundError:
        return {}


def read_beside(package: str, filename: str) -> str:
    """Return the text of a file that lies in a package's directory.

    `pkgutil.get_data` would do; to import that takes a hook 1 ms.

    Raises:
        FileNotFoundError: There is no such file.
    """
    place = Path(*import_module(package).__path__, filename)
    return place.read_text(encoding="utf-8")


def parse_queries(text: str) -> dict[str, str]:
    r"""Split a `.sql` file at its `-- name:` lines; before the first stands a comment.

    Example:
        >>> parse_queries("-- name: one\nSELECT 1\n\n-- name: two\nSELECT 2\n")
        {'one': 'SELECT 1', 'two': 'SELECT 2'}
    """
    queries = {}
    for part in ("\n" + text).split("\n-- name:")[1:]:
        name, _, body = part.partition("\n")
        queries[name.strip()] = body.strip()
    return queries
