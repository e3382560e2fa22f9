"""A placebo: as long as a warm start, nothing of this project, and guarded as one."""

from __future__ import annotations

from typing import Any

import pytest

from oldhand.experience.experiment import assign
from oldhand.experience.guard.tool_definitions import tool_definitions
from oldhand.experience.pool import Scope
from oldhand.store import Store

from ..conftest import WENT_WELL, Teach, bash  # noqa: TID252 - tests are no package
from .conftest import ELSEWHERE, HERE, draw_one, request, start


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


def test_a_placebo_is_as_long_and_shows_nothing_of_this_project(taught: Store) -> None:
    experiment = start(taught)
    warm = draw_one(taught, experiment, "warm").start
    placebo = draw_one(taught, experiment, "placebo")

    shown = {(each.tool, each.arguments) for each in placebo.start.examples}
    assert 0.5 * warm.tokens <= placebo.start.tokens <= warm.tokens
    assert ("Bash", '{"command":"pandoc book.md -o book.pdf"}') in shown
    assert not any("git" in arguments or "make" in arguments for _, arguments in shown)
    assert "calls of other projects" in placebo.note


def test_where_there_is_no_other_project_a_placebo_is_made_up(
    store: Store, teach: Teach
) -> None:
    teach("only", bash("make test", "all passed " * 40), project=HERE)
    placebo = draw_one(store, start(store), "placebo")

    assert "0 calls of other projects" in placebo.note
    assert "made up" in placebo.note
    assert "tide_table" in (placebo.start.text or "")
    assert "make test" not in (placebo.start.text or "")


def test_a_placebo_shows_of_other_principals_what_two_of_them_did(
    store: Store, teach: Teach
) -> None:
    teach("mine", bash("make test", "all passed " * 40), project=HERE)
    for who in ("bob", "mallory"):
        both = bash(f"pandoc {who}.md -o {who}.pdf", f"written by {who}")
        alone = bash(f"aspell check {who}.md", f"no errors of {who}")
        calls = (both, alone) if who == "mallory" else (both,)
        teach(who, *calls, project=ELSEWHERE, principal=who, task=f"As {who} says")

    placebo = draw_one(store, start(store), "placebo").start

    shown = [each for each in placebo.examples if each.tool == "Bash"]
    assert [each.arguments for each in shown] == [
        """{"command":"pandoc '<dir>/<file>.md' -o '<dir>/<file>.pdf'"}"""
    ]
    assert (shown[0].result, shown[0].context) == ("", "")
    assert "mallory" not in (placebo.text or "").replace("[mallory]", "")


def test_a_placebo_keeps_to_whose_sessions_a_caller_without_a_principal_may_see(
    store: Store, teach: Teach
) -> None:
    teach("mine", bash("make test", "all passed " * 40), project=HERE)
    teach("theirs", bash("aspell check x.md"), project=ELSEWHERE, principal="mallory")
    experiment = start(store, "cold", "placebo")
    scope = Scope(project=HERE, own="ada")
    wanted = [
        request(f"s{number}", scope=scope, principal=None) for number in range(20)
    ]

    given = [assign(store, experiment, each).start.text or "" for each in wanted]

    assert any("tide_table" in text for text in given)
    assert not any("aspell" in text for text in given)


def test_native_turns_show_no_tool_that_was_made_up(store: Store, teach: Teach) -> None:
    teach("only", bash("make test", "all passed"), project=HERE)
    experiment = start(store, "cold", "placebo")
    wanted = [request(f"s{number}", target="openai") for number in range(20)]

    given = [assign(store, experiment, each).start.messages for each in wanted]

    assert given == [[]] * 20


def test_a_placebo_is_general_where_a_warm_start_is(store: Store, teach: Teach) -> None:
    teach("mine", bash("make test", "all passed " * 40), project=HERE)
    teach("e", bash("pandoc secret-plan.md -o plan.pdf"), project=ELSEWHERE)

    plain = draw_one(store, start(store), "placebo").start.text or ""
    general = draw_one(store, start(store, name="g"), "placebo", generalises=True)

    assert "secret-plan" in plain
    assert "pandoc" in (general.start.text or "")
    assert "secret-plan" not in (general.start.text or "")


def test_a_placebo_shows_no_call_that_the_sessions_tools_do_not_take(
    store: Store, teach: Teach
) -> None:
    read = ("Read", {"path": "notes.md"}, "notes", WENT_WELL)
    teach("mine", bash("make test", "all passed " * 40), project=HERE)
    teach("e", read, bash("pandoc book.md"), project=ELSEWHERE)
    needs = {"properties": {"file_path": {}}, "required": ["file_path"]}
    defined: dict[str, Any] = {
        "tools": frozenset({"Bash", "Read"}),
        "definitions": tool_definitions([{"name": "Read", "input_schema": needs}]),
    }

    plain = draw_one(store, start(store), "placebo").start.examples
    fitting = draw_one(
        store, start(store, name="d"), "placebo", **defined
    ).start.examples

    assert "Read" in {each.tool for each in plain}
    assert "pandoc" in str(fitting)
    assert "Read" not in {each.tool for each in fitting}
