"""Commands that nothing is known of: the prompt goes in, the answer comes out."""

from __future__ import annotations

import re
from typing import Any

import pytest

from oldhand.cron.runner.agents import CannotRun, line_of

from ..fakes import task  # noqa: TID252 - tests are no package


def test_the_prompt_is_read_from_the_input() -> None:
    line = line_of(task("my-agent", "--fast", prompt="-x"))

    assert (line.words, line.stdin) == (("my-agent", "--fast"), "-x")


def test_a_prompt_has_its_place_and_is_no_option_there() -> None:
    line = line_of(task("a", "{prompt}", "--p={prompt}", prompt="--rm {model}"))

    assert line.words == ("a", "\n--rm {model}", "--p=\n--rm {model}")
    assert line.stdin == ""


def test_what_the_job_wants_stands_where_the_command_has_a_place() -> None:
    words = ("a", "-m", "{provider}/{model}", "--url={base_url}")

    line = line_of(task(*words, model="m", provider="p", base_url="http://h"))

    assert line.words == ("a", "-m", "p/m", "--url=http://h")


@pytest.mark.parametrize(
    ("words", "said", "why"),
    [
        (("a",), {"model": "m"}, "write {model} where it goes"),
        (("a", "{model}"), {}, "the job says nothing for {model}"),
        (("a",), {"has_local_tools": False}, "without local tools"),
    ],
)
def test_what_it_cannot_be_told_is_refused(
    words: tuple[str, ...], said: dict[str, Any], why: str
) -> None:
    with pytest.raises(CannotRun, match=re.escape(why)):
        line_of(task(*words, **said))


def test_a_long_answer_is_kept_by_its_beginning_and_end() -> None:
    reader = line_of(task("a")).reader
    reader.hear("first\n")
    for number in range(20_000):
        reader.hear(f"line {number}\n")

    answer = reader.done().answer

    assert answer.startswith("first\n")
    assert answer.endswith("line 19999")
    assert "characters are not kept" in answer
    assert len(answer) < 101_000
