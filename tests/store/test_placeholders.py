"""Named parameters as numbers."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.errors import StoreError
from oldhand.store.placeholders import number_parameters

CASES = [
    ("SELECT :a, :b, :a", "SELECT $1, $2, $1", ("a", "b")),
    ("SELECT ':a' || :b", "SELECT ':a' || $1", ("b",)),
    ("SELECT 'it''s :a' || :b", "SELECT 'it''s :a' || $1", ("b",)),
    ('SELECT ":a" = :b', 'SELECT ":a" = $1', ("b",)),
    ("SELECT a::text, :b::bigint", "SELECT a::text, $1::bigint", ("b",)),
    ("SELECT 1 -- :a\n, :b", "SELECT 1 -- :a\n, $1", ("b",)),
    ("SELECT /* :a * ** :c */ :b", "SELECT /* :a * ** :c */ $1", ("b",)),
    ("SELECT a[1:2], 5 % 3, '%s'", "SELECT a[1:2], 5 % 3, '%s'", ()),
    ("SELECT x>>:a AND y=:b", "SELECT x>>$1 AND y=$2", ("a", "b")),
    ("SELECT :ab, :a", "SELECT $1, $2", ("ab", "a")),
]


@pytest.mark.parametrize(("sql", "text", "names"), CASES)
def test_names_become_numbers_only_where_they_are_parameters(
    sql: str, text: str, names: tuple[str, ...]
) -> None:
    assert number_parameters(sql) == (text, names)


def test_values_are_put_in_the_order_of_the_numbers() -> None:
    query = number_parameters("SELECT :b, :a")

    assert query.values({"a": 1, "b": 2, "c": 3}) == [2, 1]
    assert query.values((1, 2)) == [1, 2]


def test_a_value_too_many_or_too_few_is_refused() -> None:
    query = number_parameters("SELECT :b, :a")

    with pytest.raises(StoreError, match="1 values for 2 parameters"):
        query.values((1,))
    with pytest.raises(KeyError):
        query.values({"a": 1})


@given(st.text(alphabet=":'\"-/*a \n$", max_size=60))
def test_any_text_without_a_colon_before_a_letter_stays(text: str) -> None:
    quiet = text.replace(":a", ": a")

    assert number_parameters(quiet) == (quiet, ())


@pytest.mark.parametrize("part", ["'", '"', "--", "/*", "/**", ":", "*/ /*", ":a"])
def test_a_long_text_takes_no_long_time(part: str) -> None:
    begun = time.perf_counter()

    number_parameters(part * (1_000_000 // len(part)))

    assert time.perf_counter() - begun < 10
