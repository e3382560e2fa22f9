"""Whose calls are shown: one's own, and of others what two of them did."""

from __future__ import annotations

import pytest

from oldhand.errors import NothingToLearn
from oldhand.experience.candidates import Budget
from oldhand.experience.example import Example
from oldhand.experience.guard.owners import repeated_literals
from oldhand.experience.mine import Wish, mine
from oldhand.experience.pool import Scope
from oldhand.store import Store

from .conftest import Teach, bash


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


def shown(
    store: Store, own: str | None, *, generalises: bool = False
) -> dict[str, Example]:
    """Return what is mined for a principal, by shape."""
    wish = Wish(
        scope=Scope(own=own), budget=Budget(tokens=4_000), generalises=generalises
    )
    return {example.shape: example for example in mine(store, wish).examples}


def test_a_call_that_only_another_made_is_not_shown(store: Store, teach: Teach) -> None:
    teach("a", bash("git status", "clean"), principal="ada")
    teach("m", bash("make lint", "planted"), bash("git log"), principal="mallory")
    teach("m2", bash("make lint", "planted"), principal="mallory")

    assert shown(store, "ada").keys() == {"Bash:git status"}
    assert len(shown(store, None)) == 3


def test_of_a_call_that_two_others_made_only_what_both_said_is_shown(
    store: Store, teach: Teach
) -> None:
    teach("a", bash("git status"), principal="ada")
    teach(
        "b", bash("grep -n needle src/b.py", "bobs"), principal="bob", task="Bobs task"
    )
    teach("c", bash("grep -n needle src/c.py", "carols"), principal="carol")

    found = shown(store, "ada")["Bash:grep -n"]

    assert found.arguments == """{"command":"grep -n needle '<dir>/<file>.py'"}"""
    assert (found.result, found.context, found.principals) == ("", "", 2)


def test_ones_own_call_goes_before_those_of_others_and_keeps_its_words(
    store: Store, teach: Teach
) -> None:
    teach("a", bash("grep -n mine src/a.py", "result of my own"), principal="ada")
    teach("b", bash("grep -n x y.py", "b"), principal="bob")
    teach("c", bash("grep -n x z.py", "c"), principal="carol")

    found = shown(store, "ada")["Bash:grep -n"]

    assert found.arguments == '{"command":"grep -n mine src/a.py"}'
    assert (found.result, found.principal) == ("result of my own", "ada")
    assert (found.support, found.principals) == (3, 3)


def test_the_sessions_of_a_single_principal_are_ones_own_by_another_name(
    store: Store, teach: Teach
) -> None:
    teach("a", bash("git status", "clean"), principal="ada-laptop")

    assert shown(store, "root")["Bash:git status"].result == "clean"


def test_who_has_sessions_is_not_taken_for_somebody_else(
    store: Store, teach: Teach
) -> None:
    teach("a", bash("git status"), principal="ada", project="/a")
    teach("m", bash("make lint"), principal="mallory", project="/m")
    wish = Wish(scope=Scope(own="ada", project="/m"), budget=Budget(tokens=1_000))

    with pytest.raises(NothingToLearn, match="no session of ada is in scope"):
        mine(store, wish)


def test_made_general_ones_own_calls_lose_what_one_session_said(
    store: Store, teach: Teach
) -> None:
    teach("a", bash("grep -n needle src/a.py", "src/a.py:1: needle"), principal="ada")
    teach("b", bash("grep -n needle src/bb.py", "none " * 50), principal="ada")

    found = shown(store, "ada", generalises=True)["Bash:grep -n"]

    assert found.arguments == """{"command":"grep -n needle '<dir>/<file>.py'"}"""
    assert found.result == "<dir>/<file>.py:1: needle"


def test_a_literal_counts_once_a_session_and_once_a_principal() -> None:
    said = [(1, {"x", "y"}), (1, {"x"}), (2, {"y"}), (3, {"z"}), (4, {"z"})]

    assert repeated_literals(said, None) == {"y", "z"}
    assert repeated_literals(said, {2: "bob", 3: "bob", 4: "bob"}) == {"y"}
