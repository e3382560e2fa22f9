"""What tests of the ledger ask for."""

from __future__ import annotations

import pytest

from oldhand.testing import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()
