"""What tests of confirm ask for."""

from __future__ import annotations

import pytest

from oldhand.store import Store

from .office import Office


@pytest.fixture
def office(any_store: Store) -> Office:
    """Return an office in each engine in turn."""
    return Office(any_store)
