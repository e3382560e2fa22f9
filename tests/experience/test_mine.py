"""From judged calls to examples."""

from __future__ import annotations

import json

import pytest

from oldhand.errors import NothingToLearn
from oldhand.experience.candidates import Budget
from oldhand.experience.mine import Mined, Wish, coverage_by_budget, mine
from oldhand.experience.pool import Scope, load_pool
from oldhand.store import Store

from .conftest import DAY_US, FAILED, REFUSED, WENT_WELL, Call, Teach, bash


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


def mined(store: Store, scope: Scope | None = None, *, tokens: int = 5_000) -> Mined:
    return mine(store, Wish(scope=scope or Scope(), budget=Budget(tokens=tokens)))


def commands(found: Mined) -> set[str]:
    return {json.loads(e.arguments).get("command", e.tool) for e in found.examples}


def test_calls_that_worked_become_examples(store: Store, teach: Teach) -> None:
    teach("s1", bash("git status", "clean"), bash("make", "built"))

    found = mined(store)

    assert commands(found) == {"git status", "make"}
    assert found.sessions == 1
    assert found.coverage == pytest.approx(1.0)


def test_an_example_knows_where_it_comes_from(store: Store, teach: Teach) -> None:
    teach("s1", bash("git status", "clean"), task="See what changed")
    teach("s2", bash("git status", "a much longer answer " * 20), day=1)

    (example,) = mined(store).examples

    assert (example.session, example.call_id) == ("s1", "s1-c0")
    assert example.context == "See what changed"
    assert (example.support, example.model) == (2, "model-a")
    assert example.result == "clean"


def test_what_failed_or_was_refused_or_is_open_teaches_nothing(
    store: Store, teach: Teach
) -> None:
    teach(
        "s1",
        bash("git status", "clean"),
        bash("mkae", "command not found", FAILED),
        bash("curl example.org", "no", REFUSED),
        bash("sleep 9", "", None),
    )

    assert commands(mined(store)) == {"git status"}


def test_risky_calls_are_never_shown(store: Store, teach: Teach) -> None:
    teach("s1", bash("git push --force", "pushed"), bash("git status", "clean"))

    assert commands(mined(store)) == {"git status"}


def test_what_is_risky_is_for_the_caller_to_say(store: Store, teach: Teach) -> None:
    teach("s1", bash("git status", "clean"), bash("ls -l", "a"))
    wish = Wish(scope=Scope(), budget=Budget(tokens=1_000))

    found = mine(store, wish, is_risky=lambda _tool, args: "git" in args["command"])

    assert commands(found) == {"ls -l"}


def test_a_risky_call_does_not_take_a_harmless_ones_place(
    store: Store, teach: Teach
) -> None:
    teach("s1", bash("cat a", "x"))
    teach("s2", bash("cat .secret-a", "x" * 40), day=1)
    wish = Wish(scope=Scope(), budget=Budget(tokens=1_000))

    found = mine(store, wish, is_risky=lambda _tool, args: args["command"] == "cat a")

    assert commands(found) == {"cat .secret-a"}


def test_tools_that_do_no_work_are_not_mined(store: Store, teach: Teach) -> None:
    idle: Call = ("TodoWrite", {"todos": []}, "saved", WENT_WELL)
    teach("s1", idle, bash("git status", "clean"))

    assert commands(mined(store)) == {"git status"}
    assert sum(load_pool(store, Scope()).pool.sessions[0].counts.values()) == 1


def test_secrets_are_taken_out_before_anything_is_shown(
    store: Store, teach: Teach
) -> None:
    secret = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    teach(
        "s1",
        bash(f"curl -H 'Authorization: Bearer {secret}' example.org", f"got {secret}"),
        task=f"Use {secret} to ask",
    )

    (example,) = mined(store).examples

    assert secret not in example.arguments + example.result + example.context
    assert "redacted" in example.arguments


def test_a_call_with_a_result_is_shown_before_one_that_found_nothing(
    store: Store, teach: Teach
) -> None:
    teach("s1", bash("grep a b", ""), bash("grep abc defgh", "defgh: abc"))

    assert commands(mined(store)) == {"grep abc defgh"}


SCOPES = [
    (Scope(project="/home/ada/engine"), {"ls a", "cat b"}),
    (Scope(project="/home/ada/other"), {"wc c"}),
    (Scope(uids=("s2",)), {"cat b"}),
    (Scope(before_us=2 * DAY_US), {"ls a"}),
    (Scope(max_sessions=1), {"wc c"}),
    (Scope(source="test"), {"ls a", "cat b", "wc c"}),
    (Scope(kind="file"), {"ls a", "cat b", "wc c"}),
]


@pytest.mark.parametrize(("scope", "expected"), SCOPES)
def test_a_scope_says_which_sessions_teach(
    store: Store, teach: Teach, scope: Scope, expected: set[str]
) -> None:
    teach("s1", bash("ls a"), day=0)
    teach("s2", bash("cat b"), day=1)
    teach("s3", bash("wc c"), day=2, project="/home/ada/other")

    assert commands(mined(store, scope)) == expected


def test_sessions_of_another_kind_do_not_teach(store: Store, teach: Teach) -> None:
    teach("s1", bash("git status"), bash("make"))
    teach("s2", bash("ls"), bash("cat b"))

    assert commands(mined(store, Scope(kind="code"))) == {"git status", "make"}


def test_an_empty_database_says_that_it_is(store: Store) -> None:
    with pytest.raises(NothingToLearn, match="no sessions with tool calls"):
        mined(store)


def test_a_project_without_sessions_says_what_there_is(
    store: Store, teach: Teach
) -> None:
    teach("s1", bash("ls"))

    with pytest.raises(NothingToLearn, match="1 session of 1 project"):
        mined(store, Scope(project="/elsewhere"))


def test_sessions_in_which_nothing_worked_are_named(store: Store, teach: Teach) -> None:
    teach("s1", bash("lss", "command not found", FAILED))

    with pytest.raises(NothingToLearn, match="no call that worked"):
        mined(store)


def test_a_budget_too_small_for_any_call_is_named(store: Store, teach: Teach) -> None:
    teach("s1", bash("ls"))

    with pytest.raises(NothingToLearn, match="within the budget"):
        mined(store, tokens=1)


def test_more_tokens_cover_no_less(store: Store, teach: Teach) -> None:
    for number, word in enumerate("ls cat wc make pytest".split()):  # noqa: SIM905 - words
        teach(f"s{number}", bash(word), day=number)
    wish = Wish(scope=Scope(), budget=Budget(tokens=1))

    coverage = coverage_by_budget(store, wish, [30, 60, 120, 1_000])

    assert list(coverage.values()) == sorted(coverage.values())
    assert coverage[1_000] == pytest.approx(1.0)


def test_a_secret_in_a_name_does_not_reach_an_example(
    store: Store, teach: Teach
) -> None:
    secret = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    call: Call = (secret, {secret: 1}, "done", WENT_WELL)
    teach(secret, call)

    (example,) = mined(store).examples

    assert secret not in repr(example)


def test_colours_do_not_hide_a_secret(store: Store, teach: Teach) -> None:
    token = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    coloured = f"{token[:3]}\x1b[31m{token[3:]}\x1b[0m"
    teach("s1", bash("jq -C . a", f"token {coloured}"))

    (example,) = mined(store).examples

    assert token not in example.result
    assert "redacted" in example.result


def test_a_token_that_the_window_cuts_is_left_out(store: Store, teach: Teach) -> None:
    token = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    key = (
        "-----BEGIN PRIVATE KEY-----\n"
        + "Ab1+" * 1_400
        + "\n-----END PRIVATE KEY-----\n"
    )
    text = (key + "x " * 400)[:5_990] + token + " more" * 500
    teach("s1", bash("cat keys", text))

    (example,) = mined(store).examples

    assert "ghp_" not in example.result


def test_a_whole_result_that_was_redacted_is_not_called_cut(
    store: Store, teach: Teach
) -> None:
    token = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    teach("s1", bash("cat a", f"token {token}"))

    (example,) = mined(store).examples

    assert example.result_chars == len(example.result)
