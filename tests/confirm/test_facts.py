"""What an agent sends is taken only where it has one meaning."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.confirm.requests.facts import (
    BadField,
    check_details,
    check_draft,
    digest_of,
    read_json,
)

GOOD = {"action": "deploy", "details": {"env": "test"}}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (None, ""),
        ([], ""),
        ("deploy", ""),
        ({}, "action"),
        ({"action": "deploy"}, "details"),
        (GOOD | {"action": 7}, "action"),
        (GOOD | {"action": ["deploy"]}, "action"),
        (GOOD | {"action": " \n"}, "action"),
        (GOOD | {"action": "x" * 201}, "action"),
        (GOOD | {"action": "a\ud800"}, "action"),
        (GOOD | {"details": []}, "details"),
        (GOOD | {"details": "rm -rf"}, "details"),
        (GOOD | {"details": {"a": float("nan")}}, "details"),
        (GOOD | {"details": {"a": "\0"}}, "details"),
        (GOOD | {"description": {}}, "description"),
        (GOOD | {"risk": "none"}, "risk"),
        (GOOD | {"approved": True}, "approved"),
        (GOOD | {"idempotency_key": "x"}, "idempotency_key"),
        (GOOD | {"timeout_seconds": 29}, "timeout_seconds"),
        (GOOD | {"timeout_seconds": 300.0}, "timeout_seconds"),
        (GOOD | {"timeout_seconds": True}, "timeout_seconds"),
        (GOOD | {"timeout_seconds": "300"}, "timeout_seconds"),
        (GOOD | {"timeout_seconds": 10**9}, "timeout_seconds"),
    ],
)
def test_a_body_that_is_not_as_it_must_be_is_named(body: object, field: str) -> None:
    with pytest.raises(BadField) as fault:
        check_draft(body)

    assert fault.value.field == field


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"\xff",
        b'{"a": 1, "a": 2}',
        b'{"a": {"b": 1, "b": 1}}',
        b'{"a": NaN}',
        b'{"a": -Infinity}',
        b'{"a": 1e999}',
        b'{"a": "\\ud800"}',
        b'{"\\udc00": 1}',
        b'{"a": "\\u0000"}',
        b"[" * 33 + b"]" * 33,
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"n": ' + b"9" * 5_000 + b"}",
    ],
)
def test_json_of_more_than_one_meaning_is_refused(text: bytes) -> None:
    with pytest.raises(BadField):
        read_json(text)


def test_numbers_stay_what_they_were() -> None:
    text = b'{"a":9007199254740993,"b":-0.0,"c":1.0,"d":1}'

    assert json.dumps(read_json(text), separators=(",", ":")).encode() == text


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), values, max_size=4), values)
def test_a_digest_is_for_one_meaning(details: dict[str, object], more: object) -> None:
    try:
        draft = check_draft(GOOD | {"details": details})
        changed = check_details(details | {"more": more})
    except BadField:
        return
    sent = read_json(json.dumps(draft.details).encode())

    def named(of: object) -> str:
        return digest_of(draft, requester="bot", policy_digest="p", details=of)

    assert named(sent) == named(None)
    assert (named(changed) == named(None)) == (
        json.dumps(changed, sort_keys=True) == json.dumps(details, sort_keys=True)
    )


def test_a_digest_names_who_asks_and_by_which_policy() -> None:
    draft = check_draft(GOOD)

    def named(**other: str) -> str:
        return digest_of(draft, **{"requester": "bot", "policy_digest": "p"} | other)

    assert len({named(), named(requester="other"), named(policy_digest="q")}) == 3
    moved = digest_of(draft._replace(target="x"), requester="bot", policy_digest="p")
    assert moved != named()
