"""A JSON text that is changed in one place keeps every other byte."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oldhand.errors import InvalidInput
from oldhand.integrations.json_text import append, cut, find, parse, parts

LEAVES = st.none() | st.booleans() | st.integers() | st.text()
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)
INDENTS = st.sampled_from([None, 0, 2, 4, "\t"])
NEWLINES = st.sampled_from(["\n", "\r\n"])


def written(value: Any, indent: Any, newline: str) -> str:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return text.replace("\n", newline)


@settings(deadline=None)
@given(st.dictionaries(st.text(), VALUES), VALUES, INDENTS, NEWLINES)
def test_what_was_put_in_and_cut_out_again_leaves_the_same_bytes(
    value: dict[str, Any], new: Any, indent: Any, newline: str
) -> None:
    value.pop("new", None)
    text = written(value, indent, newline)

    longer = append(text, 0, new, key="new")

    assert json.loads(longer) == {**value, "new": new}
    shorter = cut(longer, 0, len(value))
    assert shorter == text if value else json.loads(shorter) == {}


@settings(deadline=None)
@given(st.lists(VALUES, min_size=1), INDENTS, st.data())
def test_any_value_of_an_array_can_be_cut_out(
    values: list[Any], indent: Any, data: st.DataObject
) -> None:
    number = data.draw(st.integers(0, len(values) - 1))
    text = written(values, indent, "\n")

    assert json.loads(cut(text, 0, number)) == values[:number] + values[number + 1 :]


@settings(deadline=None)
@given(VALUES, INDENTS)
def test_parts_are_found_where_they_stand(value: Any, indent: Any) -> None:
    text = written({"a": {"b": [value]}}, indent, "\n")

    at = find(text, ["a", "b", 0])

    assert at is not None
    (part,) = parts(text, find(text, ["a", "b"]) or 0)
    assert (part.value, json.loads(text[at : part.end])) == (at, value)
    assert find(text, ["a", "c"]) is None


def test_what_is_put_in_is_laid_out_as_its_neighbours_are() -> None:
    text = '{\r\n\t"a": [1, 2],\r\n\t"b": {}\r\n}'

    text = append(text, find(text, ["a"]) or 0, 3)
    text = append(text, find(text, ["b"]) or 0, True, key="c")

    assert text == '{\r\n\t"a": [1, 2, 3],\r\n\t"b": {\r\n\t\t"c": true\r\n\t}\r\n}'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": 1,}', "line 1"),
        ('{\n  // mine\n  "a": 1}', "comments are not JSON"),
        ('{"a": NaN}', "NaN"),
        ('{"a": 1, "a": 2}', "'a' stands twice"),
        ("[" * 100_000, "no JSON that can be read"),
        ("", "line 1"),
    ],
)
def test_what_programs_read_in_different_ways_is_refused(
    text: str, reason: str
) -> None:
    with pytest.raises(InvalidInput, match=reason):
        parse(text)
