"""Hints name no risky call: neither as a step between, nor as one that is missing."""

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

UNKNOWN_FLAG = "unknown flag: --stat"
NOT_FOUND = "cannot find build/out.js"


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


def ask(store: Store, command: str, error: str, **more: Any) -> list[Hint]:
    project = "/home/ada/engine"
    failure = Failure("Bash", {"command": command}, error, project=project, **more)
    return hints_for(store, failure)


@pytest.mark.parametrize(
    "risky",
    [
        bash("rm -rf build/x"),
        bash("git push --force"),
        ("mcp__gmail__send_email", {"to": "a@example.org"}, "sent", WENT_WELL),
    ],
)
def test_a_risky_step_between_is_not_named(
    store: Store, teach: Teach, risky: Call
) -> None:
    look = ("Look", {"id": "x"}, "done", WENT_WELL)
    broken = bash("gh pr diff 88 --stat", UNKNOWN_FLAG, FAILED)
    teach("s1", broken, risky, look, bash("gh pr diff 88 --name-only"))

    (hint,) = ask(store, "gh pr diff 9 --stat", UNKNOWN_FLAG)

    assert hint.why.splitlines()[-1] == "called between: Look"


def checked(number: int, *before: str, is_well: bool) -> list[Call]:
    path = f"build/f{number}.js"
    steps = [bash(f"{command} {path}") for command in before]
    last = bash(f"node --check {path}", "" if is_well else NOT_FOUND)
    return [*steps, last if is_well else (*last[:3], FAILED)]


def missing(store: Store, teach: Teach, *before: str) -> list[str]:
    """Return the steps that are named as missing after all have taught them."""
    for number in range(12):
        taken = checked(number, before[number % len(before)], is_well=True)
        teach(f"well{number}", *taken, day=number)
        teach(f"badly{number}", *checked(number, is_well=False), day=number)
    mine_sessions(store)
    hints = ask(store, "node --check build/new.js", NOT_FOUND)
    return [hint.why for hint in hints if hint.kind == "precondition"]


def test_a_harmless_step_is_named_as_missing(store: Store, teach: Teach) -> None:
    (why,) = missing(store, teach, "touch")

    assert why.startswith("Bash:touch about the same thing")


@pytest.mark.parametrize("before", [["rm -rf"], ["rm", "rm -rf"], ["rm -rf", "rm"]])
def test_a_step_that_is_risky_in_some_form_is_not_named_as_missing(
    store: Store, teach: Teach, before: list[str]
) -> None:
    assert missing(store, teach, *before) == []


def test_a_callers_own_rule_weighs_the_steps_too(store: Store, teach: Teach) -> None:
    look = ("Look", {"id": "x"}, "done", WENT_WELL)
    broken = bash("gh pr diff 88 --stat", UNKNOWN_FLAG, FAILED)
    teach("s1", broken, look, bash("gh pr diff 88 --name-only"))
    failure = Failure("Bash", {"command": "gh pr diff 9 --stat"}, UNKNOWN_FLAG)

    (hint,) = hints_for(store, failure, is_risky=lambda tool, _: tool == "Look")

    assert "Look" not in hint.why
