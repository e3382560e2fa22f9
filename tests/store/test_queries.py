"""Named SQL in files."""

from __future__ import annotations

import psycopg
import pytest

from oldhand.store import Queries
from oldhand.store.placeholders import number_parameters

PACKAGES = ("oldhand.store", "oldhand.sessions", "oldhand.experience")
# What one engine has and the other has not: files with pages, or a server that counts.
OF_ONE_ENGINE = {
    "database_size",
    "foreign_key_faults",
    "hold_chain",
    "integrity_faults",
    "page_facts",
    "search_term",
    "secure_delete_off",
    "secure_delete_on",
    "vacuum",
}
# What is searched for is said in each engine's own language, and given by name.
IN_ENGINES_OWN_WORDS = {"search_floor", "search_floor_filtered", "search_hits"}
PREPARABLE = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")


def parameters(sql: str) -> tuple[str, ...]:
    return number_parameters(sql).names


@pytest.mark.parametrize("package", PACKAGES)
def test_every_named_query_has_text_for_both_engines(package: str) -> None:
    queries = Queries(package)

    empty = {
        name
        for name in queries.names()
        if not queries[name].sqlite or not queries[name].postgres
    }

    assert queries.names()
    assert empty - OF_ONE_ENGINE == set()


@pytest.mark.parametrize("package", PACKAGES)
def test_both_texts_of_a_query_take_the_same_parameters_in_order(package: str) -> None:
    queries = Queries(package)

    different = [
        name
        for name in queries.names()
        if parameters(queries[name].sqlite) != parameters(queries[name].postgres)
        and name not in IN_ENGINES_OWN_WORDS | OF_ONE_ENGINE
    ]

    assert different == []


@pytest.mark.postgres
@pytest.mark.parametrize("package", PACKAGES)
def test_postgres_understands_every_named_query(
    package: str, postgres_url: str
) -> None:
    queries = Queries(package)
    texts = [number_parameters(queries[name].postgres).text for name in queries.names()]

    with psycopg.connect(postgres_url, autocommit=True) as connection:
        for text in texts:
            if text.startswith(PREPARABLE):
                connection.execute(f"PREPARE one AS {text}".encode())
                connection.execute("DEALLOCATE one")


def test_a_query_that_is_not_there_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        Queries("oldhand.store")["no_such_query"]
