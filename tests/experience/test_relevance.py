"""How much an earlier session weighs, and the words of a task."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.experience.candidates import PastSession, Task
from oldhand.experience.relevance import (
    TASK_WORDS,
    session_weights,
    similarity,
    words_of,
)


def past(
    words: str = "", *, principal: str | None = None, project: str | None = None
) -> PastSession:
    return PastSession("s", 0, principal, project, words.split(), {1: 1})


def test_a_rare_word_in_common_weighs_more_than_a_common_one() -> None:
    sessions = [past("fix the parser"), past("fix the build"), past("fix the build")]

    scores = similarity(sessions, Task(("fix", "parser")))

    assert scores[0] > scores[1] == scores[2] > 0


def test_a_long_task_is_no_more_similar_for_its_length() -> None:
    sessions = [past("lint"), past("lint " + "word " * 90)]

    short, long = similarity(sessions, Task(("lint",)))

    assert short > long > 0


def test_newer_sessions_weigh_more_where_nothing_else_is_known() -> None:
    weights = session_weights([past(), past(), past()], Task())

    assert weights == sorted(weights)
    assert len(set(weights)) == 3


def test_a_principals_own_sessions_weigh_more_than_newer_ones_of_others() -> None:
    sessions = [past(principal="ann"), past(principal="bob"), past(principal="bob")]

    mine, _, others = session_weights(sessions, Task(principal="ann"))

    assert mine > others


def test_own_sessions_age_by_own_sessions_only() -> None:
    between = [past(principal="bob")] * 40
    sessions = [past(principal="ann"), *between, past(principal="ann")]

    older, *_, newer = session_weights(sessions, Task(principal="ann"))

    assert older > newer / 2


def test_a_session_of_another_project_weighs_less() -> None:
    sessions = [past(project="here"), past(project="elsewhere")]

    here, elsewhere = session_weights(sessions, Task(project="here"))

    assert here > elsewhere > 0


def test_all_projects_are_alike_where_the_new_one_is_unknown() -> None:
    known = session_weights([past(project="a"), past(project="b")], Task())

    assert known == session_weights([past(), past()], Task())


def test_a_task_that_resembles_nothing_is_as_good_as_none() -> None:
    sessions = [past("fix the parser"), past("write docs")]

    strange = session_weights(sessions, Task(("zebra",)))

    assert strange == session_weights(sessions, Task())


words = st.lists(st.sampled_from(["fix", "lint", "docs", "go"]), max_size=6)
people = st.sampled_from([None, "ann", "bob"])
sessions_of_some = st.lists(
    st.builds(
        PastSession,
        st.just("s"),
        st.just(0),
        people,
        people,
        words,
        st.just({1: 1}),
    ),
    min_size=1,
    max_size=40,
)


@given(sessions_of_some, st.builds(Task, words, people, people))
def test_weights_are_a_distribution_over_the_sessions(
    sessions: list[PastSession], task: Task
) -> None:
    weights = session_weights(sessions, task)

    assert len(weights) == len(sessions)
    assert min(weights) >= 0
    assert sum(weights) == pytest.approx(1)


def test_no_sessions_have_no_weights() -> None:
    assert session_weights([], Task(("fix",), "ann", "here")) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        ("Fix IT now, fix it NOW", ("fix", "now", "fix", "now")),
        ("läufer привет ñandú", ("läufer", "привет", "ñandú")),
        ("go_test v2 12345 x86", ("go_test", "x86")),
        ("修复", ("修复",)),
        ("试", ()),
        ("修", ()),
        ("テスト", ("テス", "スト")),
    ],
)
def test_a_task_is_split_into_words(text: str, expected: tuple[str, ...]) -> None:
    assert words_of(text) == expected


@given(st.text())
def test_any_text_gives_a_bounded_number_of_short_lower_case_words(text: str) -> None:
    found = words_of(text * 3)

    assert len(found) <= TASK_WORDS
    assert all(word == word.lower() and len(word) >= 1 for word in found)


@pytest.mark.parametrize("part", ["a", "é", "修", "_", " ", "\x00", "\ud800", "a1 "])
def test_a_megabyte_of_task_is_split_at_once(part: str) -> None:
    began = time.perf_counter()

    words_of(part * 1_000_000)

    assert time.perf_counter() - began < 0.5
