"""Content in every shape as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.sessions.text_parts import json_text, text_of

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.just("type"), inner),
    max_leaves=10,
)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("a", "a"),
        (None, ""),
        ([], ""),
        ({"type": "text", "text": "a"}, "a"),
        (["a", {"type": "output_text", "text": "b"}, ""], "a\nb"),
        ([{"type": "thinking", "text": "hm"}, {"text": "a"}], "a"),
        ([{"type": "tool_result", "content": [{"type": "text", "text": "a"}]}], "a"),
        ([{"type": "input_image", "image_url": "data:"}], "[image]"),
        ({"type": "refusal", "refusal": "No."}, "No."),
        ({"type": "document", "source": {"data": "JVBE"}}, "[document]"),
        ({}, "{}"),
        ([{"type": "file", "name": "a"}], '[{"type":"file","name":"a"}]'),
        (["a", {"type": "other", "n": 1}], 'a\n{"type":"other","n":1}'),
        ([1, 2], "[1,2]"),
        ([{"path": "a"}, {"path": "b"}], '[{"path":"a"},{"path":"b"}]'),
        ({"text": "a", "score": 1}, '{"text":"a","score":1}'),
        (True, "true"),
    ],
)
def test_content_is_flattened(content: object, text: str) -> None:
    assert text_of(content) == text


def test_a_value_nested_too_deeply_is_named_so() -> None:
    content: object = "a"
    for _ in range(5_000):
        content = {"type": "tool_result", "content": content}

    assert text_of(content) == "[nested too deeply]"
    assert json_text(content) == "[nested too deeply]"
    assert text_of([content, 1]) == "[nested too deeply]\n1"


@given(JSON_VALUES)
def test_any_value_gives_a_text(value: object) -> None:
    assert isinstance(text_of(value), str)
