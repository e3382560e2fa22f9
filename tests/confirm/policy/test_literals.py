"""What standing grants remember."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.confirm.policy import Asked, literal_matcher, matches_literal
from oldhand.errors import InvalidInput

_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.sampled_from([0.0, 1.0, 0.5])
    | st.text(alphabet="a*?", max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2)
    ),
    max_leaves=4,
)
_DETAILS = st.dictionaries(st.sampled_from(["command", "n", "x.y"]), _VALUES)


@given(_DETAILS, _DETAILS)
def test_a_literal_matches_the_same_values_and_no_others(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    literal = json.loads(json.dumps(literal_matcher(Asked("a", one))))

    is_same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert matches_literal(literal, Asked("a", one))
    assert matches_literal(literal, Asked("a", other)) == is_same


def test_a_star_that_was_remembered_stays_a_star() -> None:
    literal = literal_matcher(Asked("Ba*", {"command": "rm *"}, target="*"))

    assert not matches_literal(literal, Asked("Bash", {"command": "rm *"}, target="*"))
    assert not matches_literal(literal, Asked("Ba*", {"command": "rm x"}, target="*"))
    assert not matches_literal(literal, Asked("Ba*", {"command": "rm *"}, target="x"))
    assert matches_literal(literal, Asked("Ba*", {"command": "rm *"}, target="*"))


def test_details_beyond_the_remembered_ones_do_not_match() -> None:
    literal = literal_matcher(Asked("a", {"x": 1}))

    assert not matches_literal(literal, Asked("a", {"x": 1, "force": True}))
    assert not matches_literal(literal, Asked("a", {}))


def test_a_field_widened_by_hand_takes_any_value_and_the_others_none() -> None:
    literal = literal_matcher(Asked("a", {"x": 1, "note": "n"}), keys=["x"])

    assert matches_literal(literal, Asked("a", {"x": 1, "note": "other"}))
    assert matches_literal(literal, Asked("a", {"x": 1}))
    assert not matches_literal(literal, Asked("a", {"x": 2, "note": "n"}))
    assert not matches_literal(literal, Asked("a", {"x": 1, "more": 1}))


def test_a_key_that_is_not_there_cannot_be_kept() -> None:
    with pytest.raises(InvalidInput, match="'y' is no field"):
        literal_matcher(Asked("a", {"x": 1}), keys=["y"])


def test_what_is_no_literal_is_refused_and_never_matches() -> None:
    with pytest.raises(InvalidInput, match="no literal"):
        matches_literal({"action": "a"}, Asked("a", {}))
