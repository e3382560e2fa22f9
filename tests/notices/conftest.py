"""Services that run, and channels to them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from oldhand.testing import FakeClock

from .services import Service


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as running:
        yield running


@pytest.fixture
def other_service() -> Iterator[Service]:
    with Service() as running:
        yield running


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()
