"""What a Codex tool result says about its call, in the conventions of all its versions.

The record has no success flag. A shell's result is a JSON text with an exit code, or a
text whose first lines hold exit code and time; a refusal and an abort are fixed phrases.
The header goes into the evidence, and the content is what the tool printed.
"""

from __future__ import annotations

import json
import re
from itertools import takewhile
from typing import Any, NamedTuple

from oldhand.sessions.loose_values import (
    duration_us_of,
    flag_of,
    integer_of,
    object_in,
)
from oldhand.sessions.model import NO_EVIDENCE, Evidence
from oldhand.sessions.text_parts import json_text, text_of

TIMEOUT_EXIT_CODE = 124
"""What Codex itself, and timeout(1), report of a command that ran out of time."""

_MAX_HEADER_LINES = 8
_HEADER_END = "Output:"
_HEADER_STARTS = ("Exit code: ", "Wall time", "Chunk ID: ", "Process ", "Script ")
_EXIT = re.compile(r"(?:Exit code:|Process exited with code) (-?\d{1,10})")
_WALL_TIME = re.compile(r"Wall time:? (\d{1,9}(?:\.\d{1,9})?) seconds")
_TIMEOUT = re.compile(r"command timed out after (\d{1,12}) milliseconds")
_ABORTED = re.compile(r"aborted(?: by user)?(?: after \d{1,9}(?:\.\d{1,9})?s)?")
_RUNNING = ("Process running with session ID", "Script running with cell ID")
_SCRIPT_ENDS = {"Script completed": False, "Script failed": True}
_REFUSALS = frozenset(
    (
        "rejected by user",
        "exec command rejected by user",
        "patch rejected by user",
        "user rejected MCP tool call",
    )
)
_CANCELS = frozenset(("user cancelled MCP tool call",))
_LONGEST_PHRASE = 100


class Output(NamedTuple):
    """A result, taken apart."""

    content: str
    evidence: Evidence


def read_output(value: object) -> Output:
    r"""Take a result apart into what the tool printed and what is said about the call.

    Args:
        value: The `output` or `result` of a record: a text, an object or a list of parts.

    Example:
        >>> text = "Exit code: 2\nWall time: 0.5 seconds\nOutput:\nno such file"
        >>> read_output(text).content, read_output(text).evidence.exit_code
        ('no such file', 2)
    """
    if isinstance(value, dict):
        return _read_object(value)
    text = text_of(value)
    if isinstance(value, list):
        text = text.replace("\nOutput:\n\n", "\nOutput:\n", 1)  # a part of its own
    if text.startswith("{") and '"metadata"' in text:
        structured = _structured(text)
        if structured is not None:
            return _read_object(structured)
    return _read_text(text)


def merge(first: Evidence, second: Evidence) -> Evidence:
    """Join what two records say of one call; where both speak, the second is right."""
    return Evidence(
        is_error=first.is_error if second.is_error is None else second.is_error,
        exit_code=first.exit_code if second.exit_code is None else second.exit_code,
        refused=first.refused or second.refused,
        cancelled=first.cancelled or second.cancelled,
        is_partial=first.is_partial or second.is_partial,
        duration_us=(
            first.duration_us if second.duration_us is None else second.duration_us
        ),
    )


def _structured(text: str) -> dict[str, Any] | None:
    """Read `{"output": …, "metadata": {…}}`; None for any other text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or not isinstance(value.get("metadata"), dict):
        return None
    return value if "output" in value else None


def _read_object(value: dict[str, Any]) -> Output:
    metadata = object_in(value, "metadata")
    exit_codes = (
        value.get("exit_code"),
        value.get("exitCode"),
        metadata.get("exit_code"),
    )
    succeeded = flag_of(value.get("success"))
    stated = Evidence(
        is_error=None if succeeded is None else not succeeded,
        exit_code=next((c for c in map(integer_of, exit_codes) if c is not None), None),
        duration_us=duration_us_of(metadata.get("duration_seconds")),
    )
    content, found = _read_text(_text_in(value))
    return Output(content, merge(found, stated))


def _text_in(value: dict[str, Any]) -> str:
    """Return what an object says the tool printed."""
    if "stdout" in value or "stderr" in value:
        streams = (json_text(value.get("stdout")), json_text(value.get("stderr")))
        return "\n".join(stream for stream in streams if stream)
    for key in ("output", "content"):
        if key in value:
            return text_of(value[key])
    return text_of(value)


def _read_text(text: str) -> Output:
    header, body = _split_header(text)
    evidence = merge(_evidence_of_phrase(body), _evidence_of_header(header))
    if any(line.startswith(_RUNNING) for line in header):
        # The id in the header is what the agent goes on with.
        return Output(text, evidence._replace(is_partial=True))
    return Output(body, evidence)


def _split_header(text: str) -> tuple[list[str], str]:
    """Return the lines of the header, and what stands behind its end.

    A header that does not end is left in the text.
    """
    if not text.startswith(_HEADER_STARTS):
        return [], text
    lines: list[str] = []
    position = 0
    while position < len(text) and len(lines) < _MAX_HEADER_LINES:
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        line = text[position:end]
        position = end + 1
        if line == _HEADER_END and any(map(_is_measure, lines)):
            return lines, text[position:]
        lines.append(line)
    return list(takewhile(_is_measure, lines)), text


def _is_measure(line: str) -> bool:
    return bool(_EXIT.fullmatch(line) or _WALL_TIME.fullmatch(line))


def _evidence_of_header(lines: list[str]) -> Evidence:
    evidence = NO_EVIDENCE
    for line in lines:
        if found := _EXIT.fullmatch(line):
            evidence = evidence._replace(exit_code=int(found[1]))
        elif found := _WALL_TIME.fullmatch(line):
            evidence = evidence._replace(duration_us=duration_us_of(float(found[1])))
        elif line in _SCRIPT_ENDS:
            evidence = evidence._replace(is_error=_SCRIPT_ENDS[line])
    return evidence


def _evidence_of_phrase(text: str) -> Evidence:
    """Read the phrases that Codex writes in place of what a tool would have printed."""
    if found := _TIMEOUT.match(text):
        return Evidence(
            is_error=True,
            exit_code=TIMEOUT_EXIT_CODE,
            duration_us=duration_us_of(int(found[1]) / 1_000),
        )
    if len(text) > _LONGEST_PHRASE:
        return NO_EVIDENCE
    first, _, rest = text.strip().partition("\n")
    phrase = rest if _WALL_TIME.fullmatch(first) else text.strip()
    return Evidence(
        refused=phrase in _REFUSALS,
        cancelled=phrase in _CANCELS or _ABORTED.fullmatch(phrase) is not None,
    )
