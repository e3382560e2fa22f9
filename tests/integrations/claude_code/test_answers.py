"""Answers that every version takes, and that the model sees whole."""

from __future__ import annotations

import json

import pytest

from oldhand.integrations.claude_code.answers import context_answer


@pytest.mark.parametrize("text", [None, ""])
@pytest.mark.parametrize("event", ["SessionStart", "SessionEnd", "anything"])
def test_nothing_to_say_is_an_empty_object(event: str, text: str | None) -> None:
    assert context_answer(event, text) == "{}"


def test_a_text_arrives_as_it_is_in_any_locale() -> None:
    text = 'é🙂\n"\ud800\x1b</oldhand>'

    answer = context_answer("PostToolUseFailure", text)

    assert answer.isascii()
    assert json.loads(answer) == {
        "hookSpecificOutput": {
            "hookEventName": "PostToolUseFailure",
            "additionalContext": text,
        }
    }


def test_what_would_be_cut_to_a_preview_is_not_given() -> None:
    assert context_answer("SessionStart", "x" * 9_000)
    with pytest.raises(ValueError, match="9,000 fit"):
        context_answer("SessionStart", "🙂" * 4_501)


def test_an_event_that_takes_no_text_is_given_none() -> None:
    with pytest.raises(ValueError, match="takes no text"):
        context_answer("SessionEnd", "text")
