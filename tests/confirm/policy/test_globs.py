"""Globs against their definition."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from oldhand.confirm.policy.globs import Glob

_TEXTS = st.text(alphabet="ab*?[]\\.\n", max_size=9)


def _is_like(pattern: str, value: str) -> bool:
    """Decide it by definition, one character at a time."""
    if not pattern:
        return not value
    if pattern[0] == "*":
        return any(_is_like(pattern[1:], value[at:]) for at in range(len(value) + 1))
    return (
        bool(value)
        and pattern[0] in {"?", value[0]}
        and _is_like(pattern[1:], value[1:])
    )


@given(_TEXTS, _TEXTS)
def test_a_glob_says_what_its_definition_says(pattern: str, value: str) -> None:
    assert Glob(pattern).matches(value) == _is_like(pattern, value)


@given(st.text(alphabet="ab[].^$(){}+|\\-!", max_size=12), _TEXTS)
def test_only_star_and_question_mark_are_wild(text: str, other: str) -> None:
    assert Glob(text).matches(text)
    assert Glob(text).matches(other) == (text == other)


def test_what_makes_others_go_back_is_done_at_once() -> None:
    value = "a" * 1_000_000
    started = time.process_time()

    assert not Glob("*a" * 30 + "*b").matches(value)
    assert not Glob("*a?a*" * 30 + "b?").matches(value)
    assert Glob("*a" * 200 + "*").matches(value)
    # Going back would take longer than the world stands; this is no measurement.
    assert time.process_time() - started < 10


def test_case_matters() -> None:
    assert not Glob("Deploy*").matches("deploy_web")
