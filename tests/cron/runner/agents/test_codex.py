"""Codex: how it is run, and what is read from what it prints."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from oldhand.cron.runner.agents import CannotRun, line_of
from oldhand.cron.runner.agents.codex import CodexReader
from oldhand.ledger.prices import Tokens

from ..fakes import task  # noqa: TID252 - tests are no package
from .spoilt import spoilt
from .streams import CODEX, SESSION, lines


def test_the_prompt_is_read_and_never_an_option() -> None:
    line = line_of(task("codex", "exec", prompt="--help"))

    assert line.words == ("codex", "exec", "--json", "-")
    assert line.stdin == "--help"


def test_it_is_never_run_for_a_person() -> None:
    assert line_of(task("codex")).words == ("codex", "exec", "--json", "-")


def test_what_the_user_said_is_not_said_again() -> None:
    words = ("codex", "exec", "--json", "-m", "gpt-5", "-")

    assert line_of(task(*words, model="gpt-5")).words == words


def test_what_the_job_wants_is_said() -> None:
    words = line_of(
        task("codex", "exec", model="m", provider="mine", base_url="http://h:1/v1")
    ).words

    assert words[3:-1] == (
        "--model=m", '--config=model_provider="mine"',
        '--config=model_providers.mine.name="mine"',
        '--config=model_providers.mine.base_url="http://h:1/v1"',
    )  # fmt: skip


def test_a_provider_is_a_name() -> None:
    with pytest.raises(CannotRun, match="can have no provider"):
        line_of(task("codex", provider='x"]\ny'))


def test_without_local_tools_it_does_not_run() -> None:
    with pytest.raises(CannotRun, match="without local tools"):
        line_of(task("codex", "exec", "--sandbox", "read-only", has_local_tools=False))


def test_a_whole_run_is_read() -> None:
    reader = CodexReader("gpt-5")

    said = reader.hear(lines(*CODEX))

    done, used = reader.done(), reader.used()
    assert (done.answer, done.success, done.session_uid) == (
        "All is clean.", True, SESSION
    )  # fmt: skip
    assert (done.model, done.turns, used.cost_usd) == (None, None, None)
    assert used.parts == {"gpt-5": Tokens(12, 60, 9_000)}
    assert said == (
        f"[Codex, session {SESSION}]\n$ bash -lc 'git status'\nnothing to commit\n\n"
        "[exit code 0]\nAll is clean.\n"
    )


def test_each_step_counts_for_the_limit() -> None:
    reader = CodexReader()
    reader.hear(lines(*CODEX[:-1]))

    assert (reader.used().turns, reader.used().tokens) == (2, None)


def test_a_turn_that_failed_is_a_failure() -> None:
    reader = CodexReader()
    reader.hear(
        lines(
            *CODEX[:2],
            {"type": "error", "message": "Reconnecting 1/5"},
            {"type": "turn.failed", "error": {"message": "usage limit"}},
        )
    )

    assert (reader.done().success, reader.done().end_reason) == (False, "usage limit")


def test_an_end_that_is_not_told_is_unknown() -> None:
    reader = CodexReader()
    reader.hear(lines(*CODEX[:-1], {"type": "error", "message": "stream closed"}))

    done = reader.done()

    assert (done.success, done.end_reason) == (None, "stream closed")


@given(spoilt(CODEX))
def test_nothing_that_it_prints_raises(events: Any) -> None:
    reader = CodexReader()
    reader.hear(lines(*events))

    assert isinstance(reader.done().answer, str)
    assert (reader.used().tokens or 0) >= 0
