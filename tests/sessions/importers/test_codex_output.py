"""What Codex writes as a result, taken apart."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.sessions.importers.codex_output import Output, read_output
from oldhand.sessions.model import NO_EVIDENCE, Evidence

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@pytest.mark.parametrize(
    ("value", "content", "evidence"),
    [
        ("plain", "plain", NO_EVIDENCE),
        (None, "", NO_EVIDENCE),
        ({"type": "input_text", "text": "a\n"}, "a\n", NO_EVIDENCE),
        ([{"type": "input_text", "text": "a"}, {"text": "b"}], "a\nb", NO_EVIDENCE),
        ({"content": "no", "success": False}, "no", Evidence(is_error=True)),
        (
            json.dumps(
                {"output": "x", "metadata": {"exit_code": 1, "duration_seconds": 0.5}}
            ),
            "x",
            Evidence(exit_code=1, duration_us=500_000),
        ),
        (
            {"stdout": "out", "stderr": "err", "exitCode": 0},
            "out\nerr",
            Evidence(exit_code=0),
        ),
        (
            "Exit code: 2\nWall time: 1.5 seconds\nTotal output lines: 9\nOutput:\na\nb",
            "a\nb",
            Evidence(exit_code=2, duration_us=1_500_000),
        ),
        (
            "Exit code: 0\nWall time: 0 seconds\nOutput:\n",
            "",
            Evidence(exit_code=0, duration_us=0),
        ),
        (
            "Chunk ID: ab12\nWall time: 0.2500 seconds\nProcess exited with code -1\n"
            "Original token count: 3\nOutput:\nOutput:\n",
            "Output:\n",
            Evidence(exit_code=-1, duration_us=250_000),
        ),
        (
            "Process exited with code 3\nno more header",
            "Process exited with code 3\nno more header",
            Evidence(exit_code=3),
        ),
        (
            "Exit code: 124\nWall time: 10 seconds\nOutput:\n"
            "command timed out after 10000 milliseconds\nhalf",
            "command timed out after 10000 milliseconds\nhalf",
            Evidence(is_error=True, exit_code=124, duration_us=10_000_000),
        ),
        (
            "command timed out after 1500 milliseconds",
            "command timed out after 1500 milliseconds",
            Evidence(is_error=True, exit_code=124, duration_us=1_500_000),
        ),
        (
            [
                {"text": "Script failed\nWall time 0.1 seconds\nOutput:\n"},
                {"text": "TypeError"},
            ],
            "TypeError",
            Evidence(is_error=True, duration_us=100_000),
        ),
        (
            "exec command rejected by user",
            "exec command rejected by user",
            Evidence(refused=True),
        ),
        (
            "Wall time: 2.0 seconds\naborted by user",
            "Wall time: 2.0 seconds\naborted by user",
            Evidence(cancelled=True, duration_us=2_000_000),
        ),
        (
            "aborted by user after 2.0s",
            "aborted by user after 2.0s",
            Evidence(cancelled=True),
        ),
    ],
)
def test_a_result_is_taken_apart(
    value: object, content: str, evidence: Evidence
) -> None:
    assert read_output(value) == Output(content, evidence)


def test_a_command_that_goes_on_keeps_the_id_under_which_it_does() -> None:
    text = "Wall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\nhalf"

    found = read_output(text)

    assert found.content == text
    assert found.evidence == Evidence(is_partial=True, duration_us=1_000_000)


@pytest.mark.parametrize(
    "text",
    [
        "Process list:\nOutput:\n1 init",
        "it printed\nExit code: 1\nOutput:\nx",
        '{"output": "x", "metadata": "none"}',
        '{"metadata": ' + "[" * 5_000,
        "the rebase was aborted by user",
    ],
)
def test_what_a_tool_printed_is_not_mistaken_for_a_header(text: str) -> None:
    assert read_output(text) == Output(text, NO_EVIDENCE)


@pytest.mark.parametrize(
    "start",
    ["", "Exit code: ", "Wall time: ", "{", "command timed out after ", "aborted"],
)
@pytest.mark.parametrize("repeated", ["1", "\n", " ", "a", "[", "Exit code: 1\n"])
def test_a_megabyte_is_read_in_linear_time(start: str, repeated: str) -> None:
    text = start + repeated * (1_000_000 // len(repeated))
    before = time.perf_counter()

    read_output(text)

    assert time.perf_counter() - before < 1


@given(JSON_VALUES)
def test_any_value_gives_a_text(value: object) -> None:
    assert isinstance(read_output(value).content, str)
