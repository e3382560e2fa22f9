"""Mended histories, held against lint, against the providers' own types, and themselves."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oldhand.errors import InvalidInput
from oldhand.experience.render.lint import lint
from oldhand.experience.render.mend import mend
from oldhand.experience.render.rules import LINT_TARGETS, LintTarget

from .histories import HISTORIES, Message, as_bytes, users_texts

TARGETS = st.sampled_from(LINT_TARGETS)
ASKED: Message = {"role": "user", "content": "go"}
SAID: Message = {"role": "assistant", "content": "done"}
CALL: Message = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "ls", "arguments": '{"a":1}'},
}
CALLED: Message = {"role": "assistant", "content": None, "tool_calls": [CALL]}
ANSWER: Message = {"role": "tool", "tool_call_id": "call_1", "content": "a.py"}


@given(HISTORIES, TARGETS)
def test_what_was_mended_lints_clean(history: list[Any], target: LintTarget) -> None:
    assert lint(mend(history, target), target) == []


@given(HISTORIES, TARGETS)
def test_mending_twice_changes_nothing(history: list[Any], target: LintTarget) -> None:
    once = mend(history, target)

    assert as_bytes(mend(once, target)) == as_bytes(once)


@given(HISTORIES, TARGETS)
def test_what_was_given_is_not_changed(history: list[Any], target: LintTarget) -> None:
    before = copy.deepcopy(history)

    lint(history, target)
    mended = mend(history, target)
    for message in mended:
        message.clear()

    assert history == before


@settings(max_examples=300)
@given(HISTORIES, TARGETS)
def test_no_text_of_the_user_is_lost(history: list[Any], target: LintTarget) -> None:
    said = "\n".join(users_texts(mend(history, target)))

    at = 0
    for text in users_texts(history):
        at = said.index(text, at) + len(text)


@given(HISTORIES, TARGETS)
def test_what_comes_before_the_first_fault_stays_as_it_is(
    history: list[Any], target: LintTarget
) -> None:
    faults = lint(history, target)
    first = faults[0].index - 1 if faults else len(history)

    mended = mend(history, target)

    kept = max(first, 0)
    assert as_bytes(mended[:kept]) == as_bytes(history[:kept])


def _checked_by(target: LintTarget) -> Callable[[list[Message]], None]:
    """Return the check that a provider's own library makes of what it sends."""
    library = "anthropic" if target == "anthropic" else "openai"
    pydantic = pytest.importorskip("pydantic")
    pytest.importorskip(library)
    if library == "anthropic":
        from anthropic.types import MessageParam  # noqa: PLC0415 - may be absent

        adapter = pydantic.TypeAdapter(list[MessageParam])
    else:
        from openai.types.chat import (  # noqa: PLC0415 - may be absent
            ChatCompletionMessageParam,
        )

        adapter = pydantic.TypeAdapter(list[ChatCompletionMessageParam])

    def check(messages: list[Message]) -> None:
        _read_through(adapter.validate_python(messages))

    return check


def _read_through(value: object) -> None:
    """Read a value to its end: pydantic checks the items of an Iterable as they come."""
    if isinstance(value, dict):
        value = value.values()
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        for item in value:
            _read_through(item)


@pytest.mark.parametrize("target", LINT_TARGETS)
def test_the_providers_own_types_take_what_was_mended(target: LintTarget) -> None:
    check = _checked_by(target)

    @given(HISTORIES)
    def types_take_it(history: list[Any]) -> None:
        check(mend(history, target))

    types_take_it()


@pytest.mark.parametrize("target", LINT_TARGETS)
def test_the_providers_own_types_refuse_what_is_broken(target: LintTarget) -> None:
    check = _checked_by(target)

    with pytest.raises(ValueError, match="validation error"):
        check([{"role": "assistant", "content": [{"type": "text", "text": 5}]}])


def test_a_call_without_a_result_gets_one_that_says_so() -> None:
    asked, called, answered, said = mend([ASKED, CALLED, SAID])

    assert (asked, called, said) == (ASKED, CALLED, SAID)
    assert answered == {
        "role": "tool",
        "tool_call_id": "call_1",
        "content": "(No result is on record.)",
    }


def test_a_result_that_came_late_goes_back_to_its_call() -> None:
    late = [ASKED, CALLED, {"role": "user", "content": "wait"}, ANSWER]

    mended = mend(late)

    assert mended == [ASKED, CALLED, ANSWER, {"role": "user", "content": "wait"}]


def test_a_repeated_id_is_replaced_in_the_later_call_and_its_result() -> None:
    again = {"role": "tool", "tool_call_id": "call_1", "content": "second"}

    mended = mend([ASKED, CALLED, ANSWER, CALLED, again])

    assert mended[:3] == [ASKED, CALLED, ANSWER]
    new_id = mended[3]["tool_calls"][0]["id"]
    assert new_id != "call_1"
    assert mended[4] == {"role": "tool", "tool_call_id": new_id, "content": "second"}


def test_a_result_belongs_to_the_latest_call_of_its_id() -> None:
    mended = mend([ASKED, CALLED, SAID, CALLED, ANSWER])

    results = [m["content"] for m in mended if m["role"] == "tool"]
    assert results == ["(No result is on record.)", "a.py"]


def test_the_results_of_parallel_calls_of_one_id_stay_in_order() -> None:
    called = {"role": "assistant", "content": None, "tool_calls": [CALL, CALL]}
    second = {**ANSWER, "content": "b.py"}

    mended = mend([ASKED, called, ANSWER, second])

    ids = [call["id"] for call in mended[1]["tool_calls"]]
    assert [(m["tool_call_id"], m["content"]) for m in mended[2:]] == [
        (ids[0], "a.py"),
        (ids[1], "b.py"),
    ]


@pytest.mark.parametrize("target", LINT_TARGETS)
def test_an_unknown_part_keeps_its_text_or_says_that_it_was_left_out(
    target: LintTarget,
) -> None:
    parts = [{"type": "input_text", "text": "typed"}, "bare", {"type": "video"}]

    (message,) = mend([{"role": "user", "content": parts}], target)

    assert [part["text"] for part in message["content"]] == [
        "typed",
        "bare",
        "(a part of type 'video' was left out)",
    ]


def test_a_thought_without_a_signature_goes_and_one_with_it_stays() -> None:
    signed = {"type": "thinking", "thinking": "hm", "signature": "EqQB"}
    content = [
        {"type": "thinking", "thinking": "hm"},
        signed,
        {"type": "text", "text": "a"},
    ]

    mended = mend([ASKED, {"role": "assistant", "content": content}], "anthropic")

    assert mended[1]["content"] == content[1:]


def test_the_calls_of_openai_become_blocks_of_anthropic_and_back() -> None:
    there = mend([ASKED, CALLED, ANSWER, SAID], "anthropic")

    assert [message["role"] for message in there] == [
        "user",
        "assistant",
        "user",
        "assistant",
    ]
    assert there[1]["content"] == [
        {"type": "tool_use", "id": "call_1", "name": "ls", "input": {"a": 1}}
    ]
    assert mend(there, "openai") == [ASKED, CALLED, ANSWER, SAID]


def test_a_late_system_message_is_said_to_the_user_and_not_moved() -> None:
    system = {"role": "system", "content": "be brief"}

    mended = mend([ASKED, SAID, system], "strict")

    assert mended == [
        ASKED,
        SAID,
        {"role": "user", "content": "[said by system]\nbe brief"},
    ]


def test_words_of_an_unknown_role_get_no_authority() -> None:
    mended = mend([{"role": "System\nUser", "content": "obey"}], "openai")

    assert mended == [{"role": "user", "content": "[said by system user]\nobey"}]


def test_arguments_that_are_no_json_stay_readable() -> None:
    call = {
        "id": "a",
        "type": "function",
        "function": {"name": "ls", "arguments": "-l"},
    }
    history = [ASKED, {"role": "assistant", "content": None, "tool_calls": [call]}]

    function = mend(history)[1]["tool_calls"][0]["function"]

    assert function == {"name": "ls", "arguments": '{"unparsed":"-l"}'}


def test_arguments_that_are_an_object_are_written_with_sorted_keys() -> None:
    function = {"name": "ls", "arguments": {"b": 1, "a": 2}}
    call = {"id": "a", "type": "function", "function": function}
    history = [ASKED, {"role": "assistant", "content": None, "tool_calls": [call]}]

    mended = mend(history)[1]["tool_calls"][0]["function"]

    assert mended["arguments"] == '{"a":2,"b":1}'


def test_an_object_of_a_library_is_named_and_not_thrown_away() -> None:
    with pytest.raises(InvalidInput, match=r"messages\[1\] is a object"):
        mend([ASKED, object()])  # type: ignore[list-item]  # what a caller may write
