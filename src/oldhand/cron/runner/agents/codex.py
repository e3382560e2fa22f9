"""Codex, as `codex exec --json -`: the dash has it read the prompt from its input.

It says what it used at the end of its turn, and not which model that was. How often the
model answered it does not say either; each message, command, change and call counts as one
for the limit, which is never too few.

Nothing that it takes on its command line surely leaves it without local tools: a read-only
sandbox still runs commands and reads files, and the switches for single tools differ from
version to version. So a job that must run without them is refused.
"""

from __future__ import annotations

import json
import re

from oldhand.cron.runner.agents import events, options
from oldhand.cron.runner.agents.agent import CannotRun, Line, Used
from oldhand.cron.runner.agents.events import Event, JsonLines
from oldhand.cron.runner.protocol import Done, Task
from oldhand.ledger.prices import Tokens

_RUNS = ("exec", "e")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,60}")
_OWN_PROVIDER = "oldhand"
_STEPS = frozenset(
    {
        "agent_message", "command_execution", "file_change", "mcp_tool_call",
        "collab_tool_call", "web_search",
    }
)  # fmt: skip


def line_of(task: Task) -> Line:
    """Return how Codex is run.

    Raises:
        CannotRun: It is to run without local tools, or cannot be told what the job wants.
    """
    if not task.has_local_tools:
        raise CannotRun("Codex cannot be told for certain to run without local tools")
    words = task.command
    added = [] if any(word in _RUNS for word in words[1:]) else ["exec"]
    if not options.has(words, "--json", "--experimental-json"):
        added.append("--json")
    added += options.asked(words, ("--model", "-m"), task.model)
    # TOML takes a JSON text as it is.
    added += [f"--config={key}={json.dumps(value)}" for key, value in _endpoint(task)]
    if words[-1] != "-":
        added.append("-")
    return Line(
        options.with_options(words, added),
        CodexReader(task.model),
        stdin=task.prompt,
        limits=frozenset({"turns"}),
    )


def _endpoint(task: Task) -> list[tuple[str, str]]:
    """Return its settings for a provider; one that needs a key stands in its own config."""
    provider = task.provider or (_OWN_PROVIDER if task.base_url else None)
    if provider is None:
        return []
    if not _NAME.fullmatch(provider):
        raise CannotRun(f"Codex can have no provider called {provider}")
    settings = [("model_provider", provider)]
    if task.base_url:
        table = f"model_providers.{provider}"
        settings += [
            (f"{table}.name", provider),
            (f"{table}.base_url", task.base_url),
        ]
    return settings


class CodexReader:
    """Reads the events of one run.

    Args:
        model: The one that was asked for: no event names one.
    """

    def __init__(self, model: str | None = None) -> None:
        """Begin with nothing heard."""
        self._model = model or ""
        self._lines = JsonLines(self._take)
        self._session: str | None = None
        self._answer = ""
        self._steps = 0
        self._usage: Event | None = None
        self._failure = ""
        self._last_error = ""

    @property
    def is_over(self) -> bool:
        """Whether its turn has ended."""
        return self._usage is not None

    def hear(self, text: str) -> str:
        """Take a piece of the stream, and return it for people to read."""
        return self._lines.hear(text)

    def used(self) -> Used:
        """Return what it used so far: its steps, and tokens at its end."""
        usage = self._usage
        if usage is None:
            return Used(self._steps or None)
        read = events.count_in(usage, "cached_input_tokens")
        gone_in = events.count_in(usage, "input_tokens")
        tokens = Tokens(
            None if gone_in is None else max(0, gone_in - (read or 0)),
            events.count_in(usage, "output_tokens"),
            read,
        )
        return Used(self._steps or None, {self._model: tokens})

    def done(self) -> Done:
        """Return how it went."""
        self._lines.rest()
        done = Done(self._answer, session_uid=self._session)
        if self._failure:
            return done._replace(success=False, end_reason=self._failure)
        if self._usage is None:
            why = self._last_error or "it ended without saying how it went"
            return done._replace(end_reason=why)
        return done._replace(success=True)

    def _take(self, event: Event) -> str:
        kind = events.text_in(event, "type")
        if kind == "thread.started":
            self._session = events.name_in(event, "thread_id")
            return f"[Codex, session {self._session}]\n"
        if kind == "item.completed":
            return self._item(events.object_in(event, "item"))
        if kind == "turn.completed":
            self._usage = events.object_in(event, "usage")
            return ""
        if kind == "turn.failed":
            said = events.text_in(event.get("error"), "message")
            self._failure = said or "its turn failed"
            return f"{self._failure}\n"
        if kind == "error":  # also of a connection that it makes anew
            self._last_error = events.text_in(event, "message")
            return f"{self._last_error}\n"
        is_said_later = kind in {"turn.started", "item.started", "item.updated"}
        return "" if is_said_later else f"{events.shown(event)}\n"

    def _item(self, item: Event) -> str:
        kind = events.text_in(item, "type")
        self._steps += kind in _STEPS
        if kind == "agent_message":
            self._answer = events.text_in(item, "text")
            return f"{self._answer}\n"
        if kind == "command_execution":
            command = events.text_in(item, "command")
            code = events.shown(item.get("exit_code"))
            printed = events.text_in(item, "aggregated_output")
            return f"$ {command}\n{printed}\n[exit code {code}]\n"
        return f"{events.shown(item)}\n"
