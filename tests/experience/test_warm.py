"""A warm start: rendered, within its budget, logged."""

from __future__ import annotations

import hashlib
import json

import pytest

from oldhand.errors import InvalidInput, NotFound, NothingToLearn
from oldhand.experience.candidates import Budget
from oldhand.experience.mine import Wish
from oldhand.experience.pool import Scope
from oldhand.experience.template import build_template_for, save_template
from oldhand.experience.template.exchange import template_from_json
from oldhand.experience.warm import WarmRequest, WarmTarget, warm_start
from oldhand.store import Query, Store
from oldhand.tokens import estimate

from .conftest import Teach, bash, looked_around

_LOG = "SELECT template, session, target, tokens, digest, examples FROM warm_uses"
LOG = Query("log", _LOG, _LOG)


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


@pytest.fixture
def taught(store: Store, teach: Teach) -> Store:
    """Return a store with some sessions."""
    for number in range(5):
        teach(f"s{number}", *looked_around(number), day=number)
    return store


def test_a_text_stays_within_its_budget(taught: Store) -> None:
    warm = warm_start(taught, WarmRequest(tokens=150))

    assert warm.text is not None
    assert estimate(warm.text) == warm.tokens <= 150
    assert warm.examples


def test_the_same_request_gives_the_same_bytes(taught: Store) -> None:
    request = WarmRequest(task="Fix the parser", tokens=400)

    assert warm_start(taught, request).text == warm_start(taught, request).text


@pytest.mark.parametrize("target", ["openai", "anthropic"])
def test_native_turns_answer_every_call(taught: Store, target: str) -> None:
    warm = warm_start(taught, WarmRequest(target=target))  # type: ignore[arg-type]  # both are targets

    assert warm.text is None
    assert warm.messages
    assert warm.messages[0]["role"] == "user"
    assert set(warm.as_json()) >= {"template", "tokens", "coverage", "examples"}


def test_tools_of_which_nothing_is_known_are_named_with_those_that_are(
    taught: Store,
) -> None:
    with pytest.raises(NothingToLearn, match=r"it has NOPE, and there .* of Bash"):
        warm_start(taught, WarmRequest(tools=frozenset({"NOPE"})))


@pytest.mark.parametrize("target", ["text", "openai"])
def test_a_template_without_the_sessions_tools_is_named(
    taught: Store, target: WarmTarget
) -> None:
    wish = Wish(scope=Scope(), budget=Budget(tokens=2_000))
    build_template_for(taught, wish, name="mine")
    request = WarmRequest(template="mine", target=target, tools=frozenset({"bash"}))

    with pytest.raises(InvalidInput, match=r"mine@1 .* it has bash, .* of Bash"):
        warm_start(taught, request)


def test_every_warm_start_is_logged_with_what_was_given(taught: Store) -> None:
    warm = warm_start(taught, WarmRequest(session="new-session"))

    (row,) = taught.query_all(LOG)
    template, session, target, tokens, digest, examples = row
    assert (template, session, target) == (None, "new-session", "text")
    assert tokens == warm.tokens
    assert digest == hashlib.sha256((warm.text or "").encode()).hexdigest()
    assert json.loads(examples) == [[e.session, e.call_id] for e in warm.examples]


def test_a_template_is_given_as_it_was_built(taught: Store, teach: Teach) -> None:
    wish = Wish(scope=Scope(), budget=Budget(tokens=2_000))
    template, _ = build_template_for(
        taught, wish, name="mine", addendum="Mind the tests."
    )
    teach("later", bash("cargo build", "built"), day=9)

    warm = warm_start(taught, WarmRequest(template="mine"))

    assert warm.template == "mine@1"
    assert warm.examples == template.examples
    assert "Mind the tests." in (warm.text or "")
    assert "cargo" not in (warm.text or "")


def test_a_template_that_is_not_there_is_named(taught: Store) -> None:
    with pytest.raises(NotFound, match="nothing"):
        warm_start(taught, WarmRequest(template="nothing"))


def test_a_budget_too_small_for_one_example_is_named(taught: Store) -> None:
    wish = Wish(scope=Scope(), budget=Budget(tokens=2_000))
    build_template_for(taught, wish, name="mine")

    with pytest.raises(InvalidInput, match="tokens"):
        warm_start(taught, WarmRequest(template="mine", tokens=40))


def test_a_target_that_is_not_known_is_named(taught: Store) -> None:
    with pytest.raises(InvalidInput, match="'morse' is no target"):
        warm_start(taught, WarmRequest(target="morse"))  # type: ignore[arg-type]  # wrong on purpose


def test_at_most_so_many_examples_are_shown(taught: Store) -> None:
    assert len(warm_start(taught, WarmRequest(max_examples=2)).examples) == 2


def test_an_unchecked_example_counts_once_a_judged_call_supports_it(
    taught: Store,
) -> None:
    older = {
        "name": "theirs",
        "examples": [
            {
                "tool_name": "Bash",
                "arguments": {"command": "git status"},
                "result": "x",
            },
            {
                "tool_name": "Bash",
                "arguments": {"command": "cobc a.cob"},
                "result": "y",
            },
        ],
    }
    save_template(taught, template_from_json(older))

    known, unknown = warm_start(taught, WarmRequest(template="theirs")).examples

    assert (known.outcome, known.support) == ("ok", 5)
    assert (unknown.outcome, unknown.support) == ("unknown", 0)
