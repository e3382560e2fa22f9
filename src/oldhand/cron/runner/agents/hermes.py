"""Hermes, as `hermes --oneshot=PROMPT` or `hermes chat --query=PROMPT`.

It reads no prompt from its input, so it is a word of the command line, bound to its option:
it stays a prompt whatever it begins with, and must fit. What `--oneshot` used stands in a
file when it is over: the file also knows of failures that its exit code does not tell
(seen in 0.19). While it runs it says nothing.
"""

from __future__ import annotations

import logging
import os
import tempfile
from pathlib import Path

import orjson

from oldhand.cron.runner.agents import events, options
from oldhand.cron.runner.agents.agent import CannotRun, Line, Used
from oldhand.cron.runner.agents.events import Event
from oldhand.cron.runner.agents.plain import PlainReader
from oldhand.cron.runner.protocol import Done, Task
from oldhand.ledger.prices import Tokens

logger = logging.getLogger(__name__)
_MAX_WORD_BYTES = 131_000
"""Linux takes 128 KiB for a word of a command line."""
_MAX_REPORT_BYTES = 1_000_000
_ONESHOT = ("-z", "--oneshot")
_QUERY = ("-q", "--query")
_WEB = "--toolsets=web"
"""Search and pages of the web: nothing of this machine, and no MCP server."""


def line_of(task: Task) -> Line:
    """Return how Hermes is run.

    Raises:
        CannotRun: The prompt is too long, or it cannot be told what the job wants.
    """
    if task.base_url:
        raise CannotRun(
            "Hermes takes no address on its command line: name the provider in its "
            "config.yaml, and give the job that name"
        )
    words = list(task.command)
    is_chat = "chat" in words
    prompt = f"{'--query' if is_chat else '--oneshot'}={task.prompt}"
    if len(prompt.encode("utf-8", "replace")) > _MAX_WORD_BYTES:
        raise CannotRun(
            f"Hermes takes the prompt as a word of its command line, which holds "
            f"{_MAX_WORD_BYTES:,} bytes; this one has more"
        )
    while words[-1] in (_QUERY if is_chat else _ONESHOT):
        words.pop()
    added = options.asked(words, ("--model", "-m"), task.model)
    added += options.asked(words, ("--provider",), task.provider)
    if not task.has_local_tools:
        if options.has(words, "--toolsets", "-t"):
            raise CannotRun(
                "it is to run without local tools, and its command says --toolsets"
            )
        added.append(_WEB)
    if is_chat:
        added += [] if options.has(words, "-Q", "--quiet") else ["--quiet"]
        return Line(options.with_options(words, [*added, prompt]), PlainReader())
    if options.has(words, "--usage-file"):  # the user's own, which is not ours to read
        return Line(options.with_options(words, [*added, prompt]), PlainReader())
    reader = HermesReader()
    added.append(f"--usage-file={reader.report}")
    return Line(options.with_options(words, [*added, prompt]), reader)


class HermesReader(PlainReader):
    """Reads the answer of one run, and then the report on what it used.

    Attributes:
        report: The file for it; `done` removes it.
    """

    def __init__(self) -> None:
        """Make the file."""
        super().__init__()
        handle, name = tempfile.mkstemp(prefix="oldhand-run-", suffix=".json")
        os.close(handle)
        self.report = Path(name)
        self._usage: Event | None = None

    def used(self) -> Used:
        """Return what it used, once that is known."""
        usage = self._usage
        tokens = Tokens(
            *(events.count_in(usage, f"{kind}_tokens") for kind in Tokens._fields)
        )
        model = events.name_in(usage, "model") or ""
        is_known = any(number is not None for number in tokens)
        return Used(
            events.count_in(usage, "api_calls"),
            {model: tokens} if is_known else {},
            events.dollars_in(usage, "estimated_cost_usd"),
        )

    def done(self) -> Done:
        """Return how it went; the report is read and removed."""
        if self._usage is None:
            self._usage = _read_report(self.report)
        usage = self._usage
        done = (
            super()
            .done()
            ._replace(
                session_uid=events.name_in(usage, "session_id"),
                model=events.name_in(usage, "model"),
                provider=events.name_in(usage, "provider"),
                turns=events.count_in(usage, "api_calls"),
            )
        )
        if usage.get("failed") is True or usage.get("completed") is False:
            why = events.text_in(usage, "failure") or "it says that it did not finish"
            return done._replace(success=False, end_reason=why)
        return done


def _read_report(file: Path) -> Event:
    try:
        with file.open("rb") as report:
            usage = orjson.loads(report.read(_MAX_REPORT_BYTES) or b"{}")
    except (OSError, orjson.JSONDecodeError) as fault:
        logger.warning("what Hermes used cannot be read: %s", fault)
        return {}
    finally:
        file.unlink(missing_ok=True)
    return usage if isinstance(usage, dict) else {}
