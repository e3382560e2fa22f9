"""PostgreSQL URLs, and what is shown of them."""

from __future__ import annotations

import pytest

from oldhand.errors import InvalidInput, StoreError
from oldhand.store import open_database
from oldhand.store.postgres_url import read_url

PASSWORD = "pass" + "word-of-ada"

SHOWN = [
    (f"postgresql://ada:{PASSWORD}@db:5433/name", "postgresql://ada@db:5433/name"),
    (f"postgres://ada:{PASSWORD}@db/name", "postgresql://ada@db/name"),
    (f"postgresql://ada@a,b:1/n?password={PASSWORD}", "postgresql://ada@a,b:1/n"),
    (
        f"postgresql://ada@[::1]:5/n?sslpassword={PASSWORD}",
        "postgresql://ada@[::1]:5/n",
    ),
    ("postgresql:///name?host=/run/pg", "postgresql:///name?host=/run/pg"),
    ("postgresql://", "postgresql:///"),
]


@pytest.mark.parametrize(("url", "shown"), SHOWN)
def test_a_url_is_shown_without_its_password(url: str, shown: str) -> None:
    target = read_url(url)

    assert target.shown == shown
    assert PASSWORD not in target.shown


BAD_URLS = [
    f"postgresql://ada:{PASSWORD}%zz@db/name",
    f"postgresql://ada:{PASSWORD}#x/y@db/name",
    f"postgresql://ada:x@{PASSWORD}@db/name",
    f"postgresql://ada:{PASSWORD}/x@db/name",
    f"postgresql://ada:{PASSWORD} x@db/name",
    f"postgresql://ada:{PASSWORD}@db:port/name",
    f"postgresql://ada:{PASSWORD}@db/name?nonsense=1",
]


@pytest.mark.parametrize("url", BAD_URLS)
def test_a_url_that_is_none_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(InvalidInput, match="not a PostgreSQL URL") as caught:
        open_database(url)

    assert PASSWORD not in str(caught.value)
    assert caught.value.__context__ is None or caught.value.__suppress_context__


def test_a_server_that_is_not_there_is_named_without_the_password() -> None:
    with pytest.raises(StoreError, match="cannot connect") as caught:
        open_database(f"postgresql://ada:{PASSWORD}@127.0.0.1:1/name")

    assert "127.0.0.1:1/name" in str(caught.value)
    assert PASSWORD not in str(caught.value)
