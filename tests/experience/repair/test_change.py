"""What changed between two calls is said in a few short lines."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.experience.repair.change import changes

CASES = {
    "a word": (
        {"command": "cd x && gh pr diff 88 --stat | head"},
        {"command": "cd x && gh pr diff 88 --name-only | head"},
        ['command: "… 88 --stat | …" → "… 88 --name-only | …"'],
    ),
    "a word less": (
        {"command": "git show HEAD --no-stat"},
        {"command": "git show HEAD"},
        ['command: "… HEAD --no-stat" → "… HEAD"'],
    ),
    "quoted words stay whole": (
        {"command": "grep -P 'a  b' x"},
        {"command": "grep -E 'a  b' x"},
        ["command: \"grep -P 'a  b' …\" → \"grep -E 'a  b' …\""],
    ),
    "no command line that can be read": (
        {"command": "if then (go tset"},
        {"command": "if then (go test"},
        ['command: "… (go tset" → "… (go test"'],
    ),
    "the description says nothing": (
        {"command": "ls", "description": "a"},
        {"command": "ls", "description": "b"},
        [],
    ),
}


@pytest.mark.parametrize(("old", "new", "said"), CASES.values(), ids=CASES)
def test_of_a_command_line_the_words_that_changed(
    old: dict[str, Any], new: dict[str, Any], said: list[str]
) -> None:
    assert changes("Bash", old, new) == said


def test_keys_that_came_went_and_changed() -> None:
    old = {"pattern": "x", "glob": "*.go", "n": 1}
    new = {"pattern": "x", "path": "src", "n": 2}

    assert changes("Grep", old, new) == ['- glob: "*.go"', "n: 1 → 2", '+ path: "src"']


def test_of_a_long_text_the_part_that_changed() -> None:
    old = {"old_string": "first line\n" * 20 + "return one\n" + "last line\n" * 20}
    new = {"old_string": old["old_string"].replace("one", "two")}

    (said,) = changes("Edit", old, new)

    assert "return one" in said
    assert "return two" in said
    assert len(said) < 120


def test_many_changes_are_counted() -> None:
    old = {str(key): 1 for key in range(9)}

    assert len(changes("Tool", old, {})) == 4
    assert changes("Tool", old, {})[-1] == "… 6 more"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
    ),
    max_leaves=6,
)
ARGUMENTS = st.dictionaries(st.sampled_from(["command", "path", "n", "a\nb"]), JSON)


@given(st.sampled_from(["Bash", "Read"]), ARGUMENTS, ARGUMENTS)
def test_any_two_calls_are_told_apart_in_short(
    tool: str, old: dict[str, Any], new: dict[str, Any]
) -> None:
    said = changes(tool, old, new)

    assert len(said) <= 4
    assert all(len(line) < 250 for line in said)
    told = old != new
    assert bool(said) == told
