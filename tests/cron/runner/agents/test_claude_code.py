"""Claude Code: how it is run, and what is read from what it prints."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from oldhand.cron.model import Limits
from oldhand.cron.runner.agents import CannotRun, line_of
from oldhand.cron.runner.agents.claude_code_stream import ClaudeCodeReader
from oldhand.ledger.prices import Tokens

from ..fakes import task  # noqa: TID252 - tests are no package
from .spoilt import spoilt
from .streams import (
    CLAUDE,
    CLAUDE_END,
    CLAUDE_INIT,
    SESSION,
    answer,
    lines,
    text,
    usage,
)


def read(*events: object) -> ClaudeCodeReader:
    reader = ClaudeCodeReader()
    reader.hear(lines(*events))
    return reader


@pytest.mark.parametrize("prompt", ["Do it.", "--version", "-p", ""])
def test_the_prompt_is_read_and_never_an_option(prompt: str) -> None:
    line = line_of(task("claude", "-p", prompt=prompt))

    assert line.words == (
        "claude", "-p", "--output-format=stream-json", "--verbose"
    )  # fmt: skip
    assert line.stdin == prompt


def test_what_the_user_said_is_not_said_again() -> None:
    words = (
        "/opt/bin/claude", "--print", "--verbose", "--output-format", "stream-json",
        "--model=opus", "--max-turns", "3", "--max-budget-usd", "1",
    )  # fmt: skip
    limits = Limits(turns=9, cost_usd=9.0)

    assert line_of(task(*words, model="opus", limits=limits)).words == words


def test_what_the_job_wants_is_said() -> None:
    limits = Limits(turns=9, cost_usd=0.5)

    line = line_of(task("claude", model="--opus", provider="bedrock", limits=limits))

    assert line.words[1:] == (
        "--print", "--output-format=stream-json", "--verbose", "--model=--opus",
        "--max-turns=9", "--max-budget-usd=0.500000",
    )  # fmt: skip
    assert line.environment == {"CLAUDE_CODE_USE_BEDROCK": "1"}


def test_an_address_of_its_own_goes_before_the_provider() -> None:
    line = line_of(task("claude", provider="local", base_url="http://localhost:1234"))

    assert line.environment == {"ANTHROPIC_BASE_URL": "http://localhost:1234"}


def test_without_local_tools_it_has_none() -> None:
    words = line_of(task("claude", "-p", has_local_tools=False)).words

    assert words[-2:] == ("--tools=WebSearch", "--strict-mcp-config")


@pytest.mark.parametrize(
    ("words", "said", "why"),
    [
        (("claude", "--tools", "Bash"), {"has_local_tools": False}, "--tools"),
        (("claude", "--mcp-config=x"), {"has_local_tools": False}, "--mcp-config"),
        (("claude", "--model", "opus"), {"model": "sonnet"}, "say it once"),
        (("claude", "--input-format=stream-json"), {}, "a prompt is text"),
        (("claude",), {"provider": "groq"}, "knows no provider groq"),
    ],
)
def test_what_it_cannot_be_told_is_refused(
    words: tuple[str, ...], said: dict[str, Any], why: str
) -> None:
    with pytest.raises(CannotRun, match=why):
        line_of(task(*words, **said))


def test_a_whole_run_is_read() -> None:
    reader = ClaudeCodeReader()

    said = reader.hear(lines(*CLAUDE))

    done, used = reader.done(), reader.used()
    assert (done.answer, done.success, done.end_reason) == ("All is clean.", True, None)
    assert (done.session_uid, done.model) == (SESSION, "claude-sonnet-4-5")
    assert (used.turns, used.cost_usd) == (2, 0.0421)
    assert used.total() == Tokens(112, 65, 9_000, 300)
    assert said == (
        f"[Claude Code, session {SESSION}, claude-sonnet-4-5]\nI look.\n"
        '→ Bash {"command":"git status"}\nnothing to commit\nAll is clean.\n'
    )


def test_what_it_used_is_known_on_the_way() -> None:
    reader = ClaudeCodeReader()
    seen = []
    for event in CLAUDE[:-1]:
        reader.hear(lines(event))
        seen.append((reader.used().turns, reader.used().tokens))

    assert seen == [
        (None, None), (1, 4_305), (1, 4_324), (1, 4_324), (2, 9_372)
    ]  # fmt: skip


def test_subagents_use_tokens_and_no_turns() -> None:
    reader = read(
        answer("m1", text("a"), used=usage(1, 2)),
        answer("m2", text("of it"), used=usage(3, 4), parent_tool_use_id="t1"),
    )

    assert (reader.used().turns, reader.used().tokens) == (1, 10)
    assert reader.done().answer == "a"


def test_many_answers_are_counted_and_not_held() -> None:
    reader = read(*(answer(f"m{n}", used=usage(1, 1)) for n in range(3_000)))

    assert (reader.used().turns, reader.used().tokens) == (3_000, 6_000)
    assert len(reader._open) <= 1_000


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        ({"subtype": "error_max_turns", "is_error": True, "result": None},
            "error_max_turns"),
        ({"subtype": "success", "is_error": True, "result": "Invalid API key"},
            "Invalid API key"),
        ({"subtype": "error_during_execution", "is_error": True, "result": "",
            "errors": ["it broke", 3]}, "error_during_execution: it broke"),
        ({"subtype": "success", "is_error": "no"}, "All is clean."),
    ],
)  # fmt: skip
def test_a_failure_is_one_whatever_it_is_called(
    end: dict[str, Any], reason: str
) -> None:
    done = read(CLAUDE_INIT, CLAUDE_END | end).done()

    assert (done.success, done.end_reason) == (False, reason)


def test_an_end_that_is_not_told_is_unknown() -> None:
    done = read(*CLAUDE[:-1]).done()

    assert (done.success, done.answer) == (None, "All is clean.")
    assert done.end_reason == "it ended without saying how it went"


def test_an_empty_result_takes_what_was_said_last() -> None:
    done = read(*CLAUDE[:-1], CLAUDE_END | {"result": ""}).done()

    assert (done.success, done.answer) == (True, "All is clean.")


def test_errors_of_the_program_itself_are_no_answers_of_a_model() -> None:
    event = answer("m1", text("Rate limit"), used=usage(0, 0))
    event["message"]["model"] = "<synthetic>"

    used = read(event).used()

    assert (used.turns, used.tokens) == (None, None)


def test_text_that_the_user_asked_for_is_the_answer() -> None:
    reader = line_of(task("claude", "--output-format", "text")).reader
    reader.hear('{"type": "result"}\n')

    assert reader.done().answer == '{"type": "result"}'


@given(spoilt(CLAUDE))
def test_nothing_that_it_prints_raises(events: Any) -> None:
    reader = read(*events)

    used, done = reader.used(), reader.done()

    assert used.tokens is None or used.tokens >= 0
    assert isinstance(done.answer, str)
