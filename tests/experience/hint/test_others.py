"""Hints of what other principals did: each part is what two of them did, or left out."""

from __future__ import annotations

from typing import Any

import pytest

from oldhand.experience.hint import Failure, Hint, hints_for
from oldhand.experience.repair.keep import mine_sessions
from oldhand.store import Store

from ..conftest import (  # noqa: TID252 - tests are no package
    FAILED,
    WENT_WELL,
    Call,
    Teach,
    bash,
)

ENGINE = "/home/ada/engine"
SITE = "/home/ada/site"
UNKNOWN_FLAG = "unknown flag: --stat"


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


def ask(store: Store, **more: Any) -> list[Hint]:
    failure = {
        "tool": "Bash",
        "arguments": {"command": "gh pr diff 9 --stat"},
        "error": UNKNOWN_FLAG,
        "project": ENGINE,
        "principal": "ada",
        **more,
    }
    return hints_for(store, Failure(**failure))


def repaired(worked: str, *between: Call, failed: str = "--stat") -> tuple[Call, ...]:
    broken = bash(f"gh pr diff 88 {failed}", UNKNOWN_FLAG, FAILED)
    return broken, *between, bash(worked)


def test_a_success_with_options_that_only_one_stranger_used_is_not_shown(
    store: Store, teach: Teach
) -> None:
    teach("mine", bash("gh pr diff 1"), project=SITE)
    teach("theirs", bash("gh pr diff obey/this --patch"), principal="mallory")

    assert [hint.session for hint in ask(store)] == ["mine"]

    teach("also", bash("gh pr diff a/branch --patch"), principal="bob")
    (hint,) = ask(store)
    assert hint.arguments == """{"command":"gh pr diff '<dir>/<name>' --patch"}"""


def test_a_repair_that_only_one_stranger_found_is_not_shown(
    store: Store, teach: Teach
) -> None:
    teach("mine", *repaired("gh pr diff 1 --name-only"), project=SITE)
    teach("m1", *repaired("gh pr diff 2 --name-only --web"), principal="mallory")
    teach("m2", *repaired("gh pr diff 3 --name-only --web"), principal="mallory")

    assert [hint.session for hint in ask(store)] == ["mine"]


def test_the_call_that_failed_is_shown_by_options_that_two_gave(
    store: Store, teach: Teach
) -> None:
    teach("b", *repaired("gh pr diff 1 --patch"), principal="bob")
    teach("m", *repaired("gh pr diff 2 --patch", failed="--obey"), principal="mallory")
    teach("mine", bash("ls"))

    assert "obey" not in str(ask(store))
    assert [hint.kind for hint in ask(store)] == ["success"]


def test_a_repair_that_two_found_is_shown_without_what_one_alone_said_or_did(
    store: Store, teach: Teach
) -> None:
    planted = ("obey_mallory", {"id": "x"}, "done", WENT_WELL)
    teach("b", *repaired("gh pr diff 1 --name-only"), principal="bob", day=1)
    teach(
        "m",
        *repaired("gh pr diff heed/me --name-only", planted),
        principal="mallory",
        day=2,
    )
    teach("mine", bash("ls"))

    (hint,) = ask(store)

    assert (hint.kind, hint.session, hint.result) == ("repair", "m", "")
    assert "obey" not in hint.why
    assert "heed" not in str(hint)


def test_ones_own_repair_says_what_was_called_between(
    store: Store, teach: Teach
) -> None:
    between = ("Look", {"id": "x"}, "done", WENT_WELL)
    teach("mine", *repaired("gh pr diff 1 --name-only", between))

    assert "called between: Look" in ask(store)[0].why


def test_this_project_comes_first_and_in_each_ones_own_calls(
    store: Store, teach: Teach
) -> None:
    teach("mine-there", bash("gh pr diff 1"), project=SITE, day=1)
    for day, who in enumerate(("bob", "eve"), start=2):
        teach(
            f"{who}-there", bash("gh pr diff 2"), principal=who, project=SITE, day=day
        )
    assert [hint.session for hint in ask(store)] == ["mine-there"]

    for day, who in enumerate(("bob", "eve"), start=4):
        teach(f"{who}-here", bash("gh pr diff 3"), principal=who, day=day)
    assert [hint.session for hint in ask(store)] == ["eve-here"]

    teach("mine-here", bash("gh pr diff 4"), day=0)
    assert [hint.session for hint in ask(store)] == ["mine-here"]


def test_sessions_of_nobody_are_no_second_principal(store: Store, teach: Teach) -> None:
    teach("mine", bash("ls"))
    teach("nobody", bash("gh pr diff 1 --patch"), principal=None, project=SITE)
    teach("theirs", bash("gh pr diff 2 --patch"), principal="mallory")

    assert [hint.session for hint in ask(store)] == ["nobody"]


EDIT = {
    "tool": "Edit",
    "arguments": {"file_path": "src/n.py", "old_string": "x", "new_string": "y"},
    "error": "File has not been read yet.",
}


def edit(number: int, *, before: str | None) -> list[Call]:
    path = f"src/f{number}.py"
    step = [] if before is None else [(before, {"file_path": path}, "done", WENT_WELL)]
    change = {"file_path": path, "old_string": "a", "new_string": "b"}
    return [*step, ("Edit", change, "done", FAILED if before is None else WENT_WELL)]


def names(store: Store) -> list[str]:
    """Return the steps that a hint names as missing."""
    mine_sessions(store)
    return [hint.tool for hint in ask(store, **EDIT) if hint.kind == "precondition"]


def test_a_step_that_only_one_stranger_took_is_not_named_as_missing(
    store: Store, teach: Teach
) -> None:
    teach("mine", bash("ls"), *edit(0, before=None))
    for number in range(12):
        teach(f"w{number}", *edit(number, before="Obey"), principal="mallory")
        teach(f"f{number}", *edit(number, before=None), principal="mallory")
    assert names(store) == []

    teach("b", *edit(1, before="Obey"), principal="bob")
    assert names(store) == ["Obey"]


def test_a_step_that_one_took_oneself_is_named(store: Store, teach: Teach) -> None:
    for number in range(12):
        teach(f"w{number}", *edit(number, before="Read"))
        teach(f"f{number}", *edit(number, before=None))

    assert names(store) == ["Read"]
