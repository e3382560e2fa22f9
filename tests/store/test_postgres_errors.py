"""psycopg's errors, as ours."""

from __future__ import annotations

import psycopg
import pytest
from psycopg import errors as theirs

from oldhand.errors import (
    Conflict,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreMismatch,
    StoreReadOnly,
)
from oldhand.store.postgres_errors import translate

MEANINGS = [
    ("23505", Conflict),
    ("23503", Conflict),
    ("23514", Conflict),
    ("40001", StoreBusy),
    ("40P01", StoreBusy),
    ("55P03", StoreBusy),
    ("57P01", StoreBusy),
    ("53300", StoreBusy),
    ("25006", StoreReadOnly),
    ("42501", StoreReadOnly),
    ("53100", StoreFull),
    ("XX001", StoreDamaged),
    ("42P07", StoreMismatch),
    ("42601", StoreError),
]


@pytest.mark.parametrize(("state", "ours"), MEANINGS)
def test_an_error_of_the_engine_becomes_ours(state: str, ours: type[Exception]) -> None:
    fault = theirs.lookup(state)("what it said\nDETAIL: a value")

    translated = translate(fault, "postgresql://db/name")

    assert type(translated) is ours
    assert "a value" not in str(translated)


def test_a_lost_connection_is_busy() -> None:
    fault = psycopg.OperationalError("the connection is closed")

    assert type(translate(fault, "postgresql://db/name")) is StoreBusy
