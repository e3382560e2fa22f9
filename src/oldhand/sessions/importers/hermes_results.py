"""What a stored tool result of Hermes says about its call.

Hermes keeps no flag. Its tools answer with a JSON object and follow conventions: exit
codes, `success`, `error`, `status`. What it stores is that object with notes of its own
behind it, in a wrapper for what came from outside, or cut to a preview. Here the notes and
the wrapper go, so that the text is what the tool said, and the conventions become
evidence. The object stays as it was: it is what the agent saw.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from oldhand.sessions.loose_values import duration_us_of, integer_of
from oldhand.sessions.model import NO_EVIDENCE, Evidence
from oldhand.sessions.status_words import CANCELLED, FAILED, REFUSED

_HINT = "\n\n[Subdirectory context discovered: "
_LOOP_NOTES = ("\n\n[Tool loop warning: ", "\n\n[Tool loop hard stop: ")
_WRAPPER = '<untrusted_tool_result source="'
_WRAPPER_END = "\n</untrusted_tool_result>"

# Results that are no JSON, by how they begin; the first that fits holds.
_PLAIN: tuple[tuple[str, Evidence], ...] = (
    ("<persisted-output>", Evidence(is_partial=True)),
    ("[Old tool output cleared", Evidence(is_partial=True)),
    ("[Tool execution cancelled", Evidence(cancelled=True)),
    ("BLOCKED:", Evidence(refused=True)),
    ("Error executing tool ", Evidence(is_error=True)),
    ("Error: Invalid JSON", Evidence(is_error=True)),
)
_UNKNOWN_TOOL = ("Tool '", "' does not exist")
_UNKNOWN_TOOL_CHARS = 300

_FAILED = FAILED | {"not_found"}

_NEVER_RAN = -1
_INTERRUPTED = 130
_INTERRUPTED_MARK = "[Command interrupted]"

# Its exit code and most of its statuses are of the process that it was asked about.
_REPORTS_ON_OTHERS = frozenset(("process",))

_DECODER = json.JSONDecoder()


class Result(NamedTuple):
    """What a tool said, without Hermes' notes around it, and what that tells.

    Attributes:
        text: The result as the agent saw it, unwrapped.
        evidence: What Hermes' conventions say about the call.
    """

    text: str
    evidence: Evidence


def evidence_of(tool: str, content: str) -> Result:
    """Read one stored result.

    Args:
        tool: The name of the tool that was called; empty where unknown.
        content: The result as Hermes stored it.

    Example:
        >>> evidence_of("terminal", '{"output": "", "exit_code": 2, "error": null}')[1]
        Evidence(is_error=True, exit_code=2, refused=False, cancelled=False, is_partial=False, duration_us=None)
    """
    body = _unwrapped(_without_notes(content))
    text = _without_notes(body.text)
    plain = _plain_evidence(text)
    if plain is not None:
        return Result(text, plain)
    answer = _object_in(text)
    evidence = NO_EVIDENCE if answer is None else _object_evidence(tool, answer)
    return Result(text, evidence._replace(is_partial=body.is_cut))


class _Body(NamedTuple):
    text: str
    is_cut: bool


def _without_notes(text: str) -> str:
    text = text.partition(_HINT)[0]
    for note in _LOOP_NOTES:
        start = text.rfind(note)
        if start >= 0 and text.endswith("]"):
            text = text[:start]
    return text


def _unwrapped(text: str) -> _Body:
    """Take off the wrapper of what came from outside, with its line of warning."""
    if not text.startswith(_WRAPPER):
        return _Body(text, is_cut=False)
    inside = text.partition("\n")[2]
    warning, blank_line, body = inside.partition("\n\n")
    if not blank_line or "\n" in warning:
        body = inside
    inner, end, _ = body.rpartition(_WRAPPER_END)
    return _Body(inner, is_cut=False) if end else _Body(body, is_cut=True)


def _plain_evidence(text: str) -> Evidence | None:
    for start, evidence in _PLAIN:
        if text.startswith(start):
            return evidence
    opening, claim = _UNKNOWN_TOOL
    if text.startswith(opening) and claim in text[:_UNKNOWN_TOOL_CHARS]:
        return Evidence(is_error=True)
    return None


def _object_in(text: str) -> dict[str, Any] | None:
    """Return the JSON object that the text begins with; notes may follow it."""
    text = text.lstrip()
    if not text.startswith("{"):
        return None
    try:
        value, _ = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _object_evidence(tool: str, answer: Mapping[str, Any]) -> Evidence:
    status = _status_of(answer)
    duration_us = duration_us_of(answer.get("duration_seconds"))
    if _is_refusal(answer, status):
        return Evidence(refused=True)
    if tool in _REPORTS_ON_OTHERS:
        is_error = bool(answer.get("error")) or status in {"error", "not_found"}
        return Evidence(is_error=is_error)
    exit_code = _exit_code_of(answer)
    if status in CANCELLED or _was_interrupted(answer, exit_code):
        return Evidence(exit_code=exit_code, cancelled=True, duration_us=duration_us)
    return Evidence(
        is_error=_is_error(answer, status, exit_code=exit_code),
        exit_code=exit_code,
        duration_us=duration_us,
    )


def _is_refusal(answer: Mapping[str, Any], status: str) -> bool:
    error = answer.get("error")
    is_told = isinstance(error, str) and error.lstrip().startswith("BLOCKED")
    return is_told or status in REFUSED or bool(answer.get("guardrail"))


def _is_error(answer: Mapping[str, Any], status: str, *, exit_code: int | None) -> bool:
    """Say whether the answer tells of a failure; an object that does not, worked."""
    if exit_code:
        return "not an error" not in str(answer.get("exit_code_meaning") or "")
    if isinstance(answer.get("success"), bool):
        return not answer["success"]
    never_ran = answer.get("exit_code") == _NEVER_RAN
    return never_ran or bool(answer.get("error")) or status in _FAILED


def _was_interrupted(answer: Mapping[str, Any], exit_code: int | None) -> bool:
    output = answer.get("output")
    is_marked = isinstance(output, str) and output.rstrip().endswith(_INTERRUPTED_MARK)
    return exit_code == _INTERRUPTED and is_marked


def _status_of(answer: Mapping[str, Any]) -> str:
    status = answer.get("status")
    return status.lower() if isinstance(status, str) else ""


def _exit_code_of(answer: Mapping[str, Any]) -> int | None:
    """Return the code of the process that ran; Hermes writes -1 where none did."""
    code = integer_of(answer.get("exit_code"))
    return None if code == _NEVER_RAN else code
