"""Named SQL in files."""

from __future__ import annotations

import pytest

from oldhand.store import Queries

PACKAGES = ("oldhand.store", "oldhand.sessions", "oldhand.experience")


@pytest.mark.parametrize("package", PACKAGES)
def test_every_named_query_has_text_for_sqlite(package: str) -> None:
    queries = Queries(package)

    empty = [name for name in queries.names() if not queries[name].sqlite]

    assert queries.names()
    assert empty == []


def test_a_query_that_is_not_there_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        Queries("oldhand.store")["no_such_query"]
