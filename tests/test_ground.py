"""Errors, ids, the clock and canonical JSON."""

from __future__ import annotations

import json
import sys
from functools import partial

import orjson  # noqa: F401 - so that it is loaded
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand import errors
from oldhand.canonical_json import canonical_json, digest
from oldhand.clock import from_iso, to_iso
from oldhand.ids import call_id_for, new_id

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


ANY_JSON = st.recursive(
    JSON | st.floats(allow_nan=False, allow_infinity=False) | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters()), inner),
    max_leaves=10,
)


def test_every_error_has_a_code_of_its_own() -> None:
    classes = [
        value
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, errors.OldhandError)
    ]

    codes = [cls.code for cls in classes]

    assert len(codes) == len(set(codes)) > 8
    assert all(1 <= cls.exit_status < 64 for cls in classes)


def test_ids_sort_by_the_time_they_were_made() -> None:
    times = [1_000_000, 2_000_000, 1_767_225_600_000_000]

    made = [new_id(clock=partial(int, at)) for at in times]

    assert made == sorted(made)
    assert {len(name) for name in made} == {26}


def test_ids_made_at_the_same_moment_differ() -> None:
    made = {new_id(clock=lambda: 0) for _ in range(1_000)}

    assert len(made) == 1_000


@given(st.lists(st.text(), min_size=1))
def test_a_call_id_is_nine_letters_or_digits(parts: list[str]) -> None:
    made = call_id_for(*parts)

    assert len(made) == 9
    assert made.isalnum()
    assert made.isascii()


@given(ANY_JSON)
def test_canonical_json_is_the_same_whether_or_not_orjson_is_loaded(
    value: object,
) -> None:
    as_python = json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":")
    )

    assert "orjson" in sys.modules
    assert canonical_json(value) == as_python


@given(st.dictionaries(st.text(), JSON))
def test_key_order_does_not_change_canonical_json(value: dict[str, object]) -> None:
    reordered = dict(reversed(value.items()))

    assert canonical_json(value) == canonical_json(reordered)
    assert digest(value) == digest(reordered)


def test_a_number_that_is_not_finite_is_refused() -> None:
    with pytest.raises(ValueError, match="Out of range"):
        canonical_json(float("nan"))


@given(st.integers(0, 4_000_000_000_000))
def test_times_survive_being_written(milliseconds: int) -> None:
    assert from_iso(to_iso(milliseconds * 1_000)) == milliseconds * 1_000


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "9" * 40])
def test_what_is_no_time_is_none(text: str) -> None:
    assert from_iso(text) is None
