"""One call with its result, as the rules look at it.

Agents wrap what a tool said: an exit code in front or behind, a JSON envelope, a note of
the agent's own at the end. Here the wrapping comes off, once, so that a rule sees the exit
status and what the tool itself said. A rule looks at the beginning and the end only: that
is where tools say how it went, and a result may have a million characters.
"""

from __future__ import annotations

import json
import re
from typing import Any

from oldhand.sessions.call_view import CallView
from oldhand.sessions.model import Evidence
from oldhand.sessions.outcome.programs import Programs, survey
from oldhand.shell import CommandLine
from oldhand.terminal import without_colours

HEAD_CHARS = 400
TAIL_CHARS = 1_500
_MAX_BODY_CHARS = 200_000
_SHORT_BODY_CHARS = 2_000

_RUNS = frozenset({"shell", "code"})
_NO_PROGRAMS = Programs(
    checkers=frozenset(), only_reads=False, is_silent=False, names=frozenset()
)

_OPENINGS = (
    "exit",
    "Exit",
    "<returncode>",
    "The script ran",
    "Process exited",
    "Command ",
    "Chunk ID:",
    "Wall time:",
)
_EXIT_AT_HEAD = re.compile(
    r"(?:exit|exited|ran)\b[^\n\d]{0,60}?(?:code|status)(?: was)?:? ?(-?\d{1,10})"
    r"|exitcode: ?(-?\d{1,10})|<returncode>(-?\d{1,10})",
    re.IGNORECASE,
)
_EXIT_AT_TAIL = re.compile(
    r"^\[?(?:The command completed with exit code|Command exited with code"
    r"|Process exited with code|Exit Code:) ?(-?\d{1,10})",
    re.MULTILINE,
)
_OUTPUT_AFTER = ("\nOutput:", "\nCode output:", "output was:", "<output>")
_AGENT_NOTE = "\nShell cwd was reset to "
_SILENCE = frozenset(
    {
        "(no output)",
        "(Bash completed with no output)",
        "Your command ran successfully and did not produce any output.",
        "Tool ran without output or errors",
    }
)
_UNTRUSTED = "<untrusted_tool_result"
_BODY_WORDS = ('"error', '"success"', '"status', '"ok"', '"isError"', '"is_error"')
_ENVELOPE_WORDS = ('"exit_code"', '"exitCode"', '"returncode"')
_BARE_ENVELOPES = ('{"error"', '{"success"', '{"status"')
_DECODER = json.JSONDecoder()


class Case:
    """One call with its result and the agent's own evidence.

    Attributes:
        view: The call.
        evidence: What the agent's record says; its exit code may be read from the text.
        exit_code: Of the process, from the record, the text or the JSON around it.
        text: What the tool itself said, without surrounding blanks.
        head: The first 400 characters of it.
        tail: The last 1,500 characters of it.
        raw_head: The first 400 characters of the result as it is stored.
    """

    __slots__ = (
        "_body",
        "_has_body",
        "_programs",
        "evidence",
        "exit_code",
        "head",
        "is_missing",
        "raw_head",
        "runs",
        "tail",
        "text",
        "view",
    )

    def __init__(self, view: CallView, result: str | None, evidence: Evidence) -> None:
        self.view = view
        self.evidence = evidence
        self.is_missing = result is None
        self.runs = view.use in _RUNS
        self.exit_code = evidence.exit_code
        self._programs: Programs | None = None
        self._body: Any = None
        self._has_body = False
        text = _unwrap(result) if result else ""
        self.raw_head = text[:HEAD_CHARS]
        if self.runs and text:
            text = self._read_run(text)
        self.text = text
        self.head = without_colours(text[:HEAD_CHARS])
        self.tail = without_colours(text[-TAIL_CHARS:])

    @property
    def programs(self) -> Programs:
        """What the command line's programs are."""
        if self._programs is None:
            self._programs = self.view.ask(_programs)
        return self._programs

    @property
    def has_failed(self) -> bool:
        """The record or the exit status says that it did not go well."""
        if self.exit_code is not None:
            return self.exit_code != 0
        return self.evidence.is_error is True

    @property
    def is_masked(self) -> bool:
        """The exit status, if any, is not that of all the programs that ran."""
        return self.view.ask(_masks_exit)

    @property
    def body(self) -> Any:  # noqa: ANN401 - any JSON value
        """The result as JSON; None where it is not JSON, or is what a program printed."""
        if not self._has_body:
            self._has_body = True
            if not self.runs and self.text[:1] in {"{", "["}:
                self._body = _parse(self.text)
        return self._body

    @property
    def _is_told(self) -> bool:
        return self.evidence.is_error is not None or self.exit_code is not None

    @property
    def _prints_exit_status(self) -> bool:
        command = self.view.command
        return command is not None and ("$?" in command or "PIPESTATUS" in command)

    def _read_run(self, text: str) -> str:
        """Take the agent's wrapping off what a program printed."""
        if text[0] == "{" and self._read_envelope(text):
            text = self.text
        if not self._prints_exit_status or self.evidence.is_error:
            if text.startswith(_OPENINGS):
                text = self._read_opening(text)
            if " code " in text[-200:] or "Exit Code" in text[-200:]:
                text = self._read_closing(text)
        at = text.rfind(_AGENT_NOTE, -500)
        if at >= 0:
            text = text[:at]
        elif text.startswith(_AGENT_NOTE[1:]) and "\n" not in text:
            text = ""
        text = text.strip()
        return "" if text in _SILENCE else text

    def _read_envelope(self, text: str) -> bool:
        """Read `{"output": …, "exit_code": …}`, as several agents store a run."""
        ends = text[:HEAD_CHARS] + text[-HEAD_CHARS:]
        is_known = any(word in ends for word in _ENVELOPE_WORDS)
        if not is_known and (self._is_told or not text.startswith(_BARE_ENVELOPES)):
            return False
        body = _parse(text)
        if not isinstance(body, dict):
            return False
        self._body, self._has_body = body, True
        more = body.get("metadata")
        code = next(
            (
                part[key]
                for part in (body, more if isinstance(more, dict) else {})
                for key in ("exit_code", "exitCode", "returncode")
                if type(part.get(key)) is int
            ),
            None,
        )
        self.exit_code = self.exit_code if self.exit_code is not None else code
        parts = (body.get(key) for key in ("output", "stdout", "stderr", "error"))
        self.text = "\n".join(part for part in parts if isinstance(part, str) and part)
        return True

    def _read_opening(self, text: str) -> str:
        opening = text[:200]
        found = _EXIT_AT_HEAD.search(opening)
        if found is None:
            return text
        if self.exit_code is None:
            self.exit_code = int(found[1] or found[2] or found[3])
        for mark in _OUTPUT_AFTER:
            at = opening.find(mark)
            if at >= 0:
                return text[at + len(mark) :]
        return text[found.end() :]

    def _read_closing(self, text: str) -> str:
        start = max(0, len(text) - 200)
        found = _EXIT_AT_TAIL.search(text, start)
        if found is None:
            return text
        if self.exit_code is None:
            self.exit_code = int(found[1])
        return text[: found.start()]


def _programs(line: CommandLine | None) -> Programs:
    return _NO_PROGRAMS if line is None else survey(line)


def _masks_exit(line: CommandLine | None) -> bool:
    return line is None or line.masks_exit


def _unwrap(result: str) -> str:
    """Take off the frame that marks a result as not to be trusted."""
    text = result.strip()
    if text.startswith(_UNTRUSTED):
        inner = text.partition("\n\n")[2]
        text = inner.rpartition("\n</untrusted_tool_result>")[0].strip() or text
    return text


def _parse(text: str) -> Any:  # noqa: ANN401 - any JSON value
    """Read JSON that other text may follow; None where it is not JSON or says little."""
    if len(text) > _MAX_BODY_CHARS:
        return None
    if len(text) > _SHORT_BODY_CHARS:
        ends = text[:HEAD_CHARS] + text[-TAIL_CHARS:]
        if not any(word in ends for word in (*_BODY_WORDS, *_ENVELOPE_WORDS)):
            return None
    import orjson  # noqa: PLC0415 - with all that it imports a tenth of what a hook has

    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return _parse_beginning(text)


def _parse_beginning(text: str) -> Any:  # noqa: ANN401 - any JSON value
    try:
        return _DECODER.raw_decode(text)[0]
    except (ValueError, RecursionError):
        return None
