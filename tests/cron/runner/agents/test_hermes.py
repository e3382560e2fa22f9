"""Hermes: how it is run, and what is read from the file that it leaves."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from oldhand.cron.runner.agents import CannotRun, line_of
from oldhand.cron.runner.agents.hermes import HermesReader
from oldhand.ledger.prices import Tokens

from ..fakes import task  # noqa: TID252 - tests are no package
from .spoilt import spoilt
from .streams import HERMES_REPORT


def words_of(*words: str, **said: Any) -> list[str]:
    """Return the words, without the file's name."""
    line = line_of(task(*words, **said))
    line.reader.done()
    return [
        "--usage-file" if word.startswith("--usage-file=/") else word
        for word in line.words
    ]


@pytest.mark.parametrize("prompt", ["Do it.", "--version", "-z", "a=b"])
@pytest.mark.parametrize(
    "words", [("hermes", "-z"), ("hermes",), ("hermes", "--oneshot")]
)
def test_the_prompt_is_never_an_option(words: tuple[str, ...], prompt: str) -> None:
    assert words_of(*words, prompt=prompt) == [
        "hermes", "--usage-file", f"--oneshot={prompt}"
    ]  # fmt: skip


def test_a_chat_is_asked_once() -> None:
    assert words_of("hermes", "chat", "-q", prompt="-x") == [
        "hermes", "chat", "--quiet", "--query=-x"
    ]  # fmt: skip


def test_what_the_job_wants_is_said_once() -> None:
    said = {"model": "qwen3", "provider": "openrouter", "has_local_tools": False}

    words = words_of("hermes", "--provider", "openrouter", "-z", **said)

    assert words == [
        "hermes", "--provider", "openrouter", "--model=qwen3", "--toolsets=web",
        "--usage-file", "--oneshot=Do it.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "said", "why"),
    [
        (("hermes", "-t", "terminal", "-z"), {"has_local_tools": False}, "--toolsets"),
        (("hermes",), {"base_url": "http://localhost:1"}, "config.yaml"),
        (("hermes",), {"prompt": "ä" * 70_000}, "131,000 bytes"),
        (("hermes", "-m", "a", "-z"), {"model": "b"}, "say it once"),
    ],
)
def test_what_it_cannot_be_told_is_refused(
    words: tuple[str, ...], said: dict[str, Any], why: str
) -> None:
    with pytest.raises(CannotRun, match=why):
        line_of(task(*words, **said))


def test_a_report_that_is_none_is_removed_too(caplog: pytest.LogCaptureFixture) -> None:
    reader = HermesReader()
    reader.hear("All is clean.\n")
    reader.report.write_text("{half")

    assert reader.done() == reader.done()
    assert reader.done().success
    assert not reader.report.exists()
    assert len(caplog.messages) == 1


def reported(report: object) -> HermesReader:
    reader = HermesReader()
    reader.hear("All is clean.\n")
    reader.report.write_text(json.dumps(report))
    return reader


def test_a_whole_run_is_read_and_the_file_removed() -> None:
    reader = reported(HERMES_REPORT)

    done, used = reader.done(), reader.used()

    assert (done.answer, done.success, done.turns) == ("All is clean.", True, 2)
    assert (done.model, done.provider) == ("qwen3-coder", "openrouter")
    assert done.session_uid == "20261121_090000_ab12cd"
    assert used.parts == {"qwen3-coder": Tokens(12, 60, 9_000, 300)}
    assert used.cost_usd == 0.0421
    assert not reader.report.exists()


@pytest.mark.parametrize(
    ("report", "reason"),
    [
        ({"failed": True, "failure": "no key"}, "no key"),
        ({"completed": False}, "it says that it did not finish"),
    ],
)
def test_a_failure_that_its_exit_code_hides_is_found(
    report: dict[str, Any], reason: str
) -> None:
    done = reported(HERMES_REPORT | report).done()

    assert (done.success, done.end_reason) == (False, reason)


def test_without_a_report_all_else_is_known() -> None:
    reader = HermesReader()
    reader.hear("All is clean.\n")

    done, used = reader.done(), reader.used()

    assert (done.answer, done.success, used.tokens) == ("All is clean.", True, None)


@given(spoilt(HERMES_REPORT))
def test_nothing_in_the_report_raises(report: Any) -> None:
    reader = reported(report)

    assert isinstance(reader.done().answer, str)
    assert (reader.used().tokens or 0) >= 0
    assert not reader.report.exists()
