"""Each rule, met in the least history that breaks it; and histories that break none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.errors import InvalidInput
from oldhand.experience.example import Example
from oldhand.experience.render import Target, render_messages
from oldhand.experience.render.lint import lint
from oldhand.experience.render.mend import mend
from oldhand.experience.render.rules import LINT_TARGETS, REMEDIES, LintTarget

from .histories import SOUND_ANTHROPIC, SOUND_OPENAI, Message, as_bytes

ASKED = {"role": "user", "content": "go"}
SAID = {"role": "assistant", "content": "done"}
SYSTEM = {"role": "system", "content": "be brief"}


def call(call_id: object = "abcdefghi", **function: object) -> dict[str, Any]:
    named = {"name": "ls", "arguments": "{}"} | function
    return {"id": call_id, "type": "function", "function": named}


def called(*calls: object) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(calls)}


def answer(call_id: object = "abcdefghi", content: object = "a.py") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def used(call_id: object = "a", name: object = "ls", given: object = None) -> Message:
    block = {"type": "tool_use", "id": call_id, "name": name, "input": given or {}}
    return {"role": "assistant", "content": [block]}


def result(call_id: object = "a", content: object = "a.py") -> Message:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content}


def user(*parts: object) -> Message:
    return {"role": "user", "content": list(parts)}


def text(words: str) -> Message:
    return {"type": "text", "text": words}


THOUGHT = {"type": "thinking", "thinking": "hm"}
BROKEN: list[tuple[LintTarget, str, int, list[Any]]] = [
    ("openai", "json", 0, [{"role": "user", "content": "\ud800"}]),
    ("openai", "json", 0, [{"role": "user", "content": b"bytes"}]),
    ("openai", "message", 0, ["hello"]),
    ("openai", "role", 0, [{"role": "session_meta", "content": "x"}]),
    ("openai", "content", 0, [{"role": "user", "content": None}]),
    ("openai", "content", 0, [{"role": "assistant", "content": None}]),
    ("openai", "content", 1, [ASKED, {"role": "assistant", "content": []}]),
    ("openai", "part", 0, [user({"type": "video"})]),
    ("openai", "part", 0, [user({"type": "image_url"})]),
    ("openai", "shape", 0, [used(), user(result())]),
    ("openai", "call", 0, [{"role": "assistant", "content": "x", "tool_calls": []}]),
    ("openai", "call", 0, [{"role": "assistant", "content": "x", "tool_calls": None}]),
    ("openai", "call", 0, [called({"name": "ls", "arguments": "{}", "id": "a"})]),
    ("openai", "tool-name", 0, [called(call(name="a.b")), answer()]),
    ("openai", "arguments", 0, [called(call(arguments="{'a'")), answer()]),
    ("openai", "arguments", 0, [called(call(arguments='{"a":NaN}')), answer()]),
    ("openai", "arguments", 0, [called(call(arguments={"a": 1})), answer()]),
    ("openai", "call-id", 0, [called(call("z" * 41)), answer("z" * 41)]),
    ("openai", "repeated-id", 2, [called(call()), answer(), called(call()), answer()]),
    ("openai", "unanswered", 0, [called(call()), ASKED]),
    ("openai", "unanswered", 0, [called(call("a"), call("b")), answer("a")]),
    ("openai", "orphan", 0, [answer()]),
    ("openai", "orphan", 2, [called(call()), answer(), answer()]),
    ("openai", "keys", 0, [{"role": "user", "content": "x", "name": 5}]),
    ("mistral", "call-id", 1, [ASKED, called(call("call_1")), answer("call_1")]),
    ("mistral", "keys", 0, [{"role": "user", "content": "x", "name": "ada"}]),
    ("mistral", "keys", 1, [ASKED, called(call() | {"call_id": "x"}), answer()]),
    ("strict", "system-place", 1, [ASKED, SYSTEM]),
    ("strict", "system-place", 1, [SYSTEM, SYSTEM, ASKED]),
    ("strict", "role", 0, [{"role": "developer", "content": "x"}, ASKED]),
    ("strict", "alternation", 1, [ASKED, ASKED]),
    ("strict", "alternation", 2, [ASKED, SAID, SAID]),
    ("strict", "alternation", 3, [ASKED, called(call()), answer(), ASKED]),
    ("strict", "user-first", 1, [SYSTEM, SAID]),
    ("strict", "content", 0, [{"role": "user", "content": " "}]),
    ("anthropic", "user-first", 0, [SAID]),
    ("anthropic", "system-place", 0, [SYSTEM, ASKED]),
    ("anthropic", "system-place", 1, [ASKED, SYSTEM]),
    ("anthropic", "shape", 1, [ASKED, called(call()), answer()]),
    ("anthropic", "keys", 0, [{"role": "user", "content": "x", "timestamp": 1}]),
    ("anthropic", "content", 0, [user(text(""))]),
    ("anthropic", "thinking", 1, [ASKED, {"role": "assistant", "content": [THOUGHT]}]),
    ("anthropic", "call-id", 1, [ASKED, used("a b"), user(result("a b"))]),
    ("anthropic", "arguments", 1, [ASKED, used(given="{}"), user(result())]),
    ("anthropic", "unanswered", 1, [ASKED, used(), SAID, user(result())]),
    ("anthropic", "orphan", 3, [ASKED, used(), SAID, user(result())]),
    ("anthropic", "results-first", 2, [ASKED, used(), user(text("x"), result())]),
]


@pytest.mark.parametrize(("target", "rule", "index", "history"), BROKEN)
def test_a_broken_rule_is_named_with_its_place(
    target: LintTarget, rule: str, index: int, history: list[Any]
) -> None:
    found = [(fault.rule, fault.index) for fault in lint(history, target)]

    assert (rule, index) in found


def test_every_rule_is_tried_above() -> None:
    assert {rule for _, rule, _, _ in BROKEN} == set(REMEDIES)


@pytest.mark.parametrize(
    ("target", "history"),
    [(target, history) for target, _, _, history in BROKEN],
)
def test_what_is_broken_is_mended(target: LintTarget, history: list[Any]) -> None:
    if any(isinstance(m, dict) and isinstance(m["content"], bytes) for m in history):
        with pytest.raises(InvalidInput, match=r"messages\[0\]\.content is a bytes"):
            mend(history, target)
    else:
        assert lint(mend(history, target), target) == []


@given(SOUND_OPENAI, st.sampled_from(["openai", "mistral", "strict"]))
def test_a_sound_history_has_no_findings_and_stays_as_it_is(
    history: list[Message], target: LintTarget
) -> None:
    history = [{"role": "system", "content": "be brief"}, *history]

    assert lint(history, target) == []
    assert as_bytes(mend(history, target)) == as_bytes(history)


@given(SOUND_ANTHROPIC)
def test_a_sound_history_of_anthropic_stays_as_it_is(history: list[Message]) -> None:
    assert lint(history, "anthropic") == []
    assert as_bytes(mend(history, "anthropic")) == as_bytes(history)


@given(st.data())
def test_what_we_render_breaks_no_rule(
    hostile_examples: st.SearchStrategy[list[Example]], data: st.DataObject
) -> None:
    examples = data.draw(hostile_examples)
    target: Target = data.draw(st.sampled_from(["openai", "anthropic"]))
    held_to = {"openai": ["openai", "mistral", "strict"], "anthropic": ["anthropic"]}

    rendered = render_messages(examples, target=target, tools=None)

    for name in held_to[target]:
        assert lint(rendered, name) == []  # type: ignore[arg-type]  # each is a target


def test_openai_takes_a_system_message_in_mid_conversation() -> None:
    assert lint([SYSTEM, ASKED, SYSTEM, ASKED], "openai") == []


def test_a_finding_says_what_is_wrong_and_what_to_do() -> None:
    (found,) = lint([called(call("call_long_id")), ASKED], "openai")

    assert found.problem == "no result follows the call 'call_long_id' of ls"
    assert found.remedy == REMEDIES["unanswered"]


@pytest.mark.parametrize("given", [None, "hello", {"role": "user"}, 3])
def test_messages_that_are_no_list_are_refused(given: Any) -> None:
    with pytest.raises(InvalidInput, match="expected a list"):
        lint(given)
    with pytest.raises(InvalidInput, match="expected a list"):
        mend(given)


def test_a_target_that_there_is_not_is_named_with_those_there_are() -> None:
    with pytest.raises(InvalidInput, match=", ".join(LINT_TARGETS)):
        lint([], "gemini")  # type: ignore[arg-type]  # what a caller may write
