"""Values of foreign records that are not what they should be."""

from __future__ import annotations

import math
from typing import Any

import pytest

from oldhand.sessions.loose_values import (
    duration_us_of,
    flag_of,
    integer_of,
    object_in,
    text_in,
    time_us_of,
)

NEW_YEAR_US = 1_767_225_600_000_000


@pytest.mark.parametrize(
    ("value", "time_us"),
    [
        ("2026-01-01T00:00:00Z", NEW_YEAR_US),
        (1_767_225_600, NEW_YEAR_US),
        (1_767_225_600.5, NEW_YEAR_US + 500_000),
        (1_767_225_600_000, NEW_YEAR_US),
        (NEW_YEAR_US, NEW_YEAR_US),
        ("", None),
        ("\ud800", None),
        (0, None),
        (-5, None),
        (10**30, None),
        (math.nan, None),
        (math.inf, None),
        (True, None),
        ({}, None),
    ],
)
def test_times_are_read_by_their_size(value: object, time_us: int | None) -> None:
    assert time_us_of(value) == time_us


@pytest.mark.parametrize(
    "value", [True, "1", 1.5, math.nan, math.inf, 10**30, [], None]
)
def test_what_is_no_whole_number_is_none(value: object) -> None:
    assert integer_of(value) is None


@pytest.mark.parametrize("value", [-1, True, "1", math.nan, math.inf, 1e12])
def test_what_is_no_duration_is_none(value: object) -> None:
    assert duration_us_of(value) is None


def test_a_value_of_another_type_counts_as_absent() -> None:
    record: dict[str, Any] = {"a": 1, "b": "", "c": "x", "d": [], "e": 1}

    assert text_in(record, "a", "b", "c") == "x"
    assert object_in(record, "d") == {}
    assert flag_of(record["e"]) is None
