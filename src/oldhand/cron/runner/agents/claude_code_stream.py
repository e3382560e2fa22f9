"""What Claude Code prints: events, one a line; read for people, and for the ledger."""

from __future__ import annotations

from collections.abc import Iterable

from oldhand.cron.runner.agents import events
from oldhand.cron.runner.agents.agent import Used
from oldhand.cron.runner.agents.events import Event, JsonLines
from oldhand.cron.runner.protocol import Done
from oldhand.ledger.prices import Tokens

_SYNTHETIC = "<synthetic>"
"""The model of messages that the program makes itself, as of errors."""
_MAX_OPEN = 1_000
"""Answers whose usage may still change; there are as many as agents work at once."""
_KINDS = (
    "input_tokens", "output_tokens", "cache_read_input_tokens",
    "cache_creation_input_tokens",
)  # fmt: skip
_TOTALS = (
    "inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens"
)  # fmt: skip


class ClaudeCodeReader:
    """Reads the events of one run.

    Args:
        is_text: The user wants plain text: that is the answer then.
    """

    def __init__(self, *, is_text: bool = False) -> None:
        """Begin with nothing heard."""
        self._lines = JsonLines(self._take)
        self._is_text = is_text
        self._text: list[str] = []
        self._last_text = ""
        self._session: str | None = None
        self._turns = 0
        self._past: dict[str, Tokens] = {}
        self._open: dict[str, tuple[str, Tokens]] = {}
        self._result: Event | None = None

    @property
    def is_over(self) -> bool:
        """Whether the last event came."""
        return self._result is not None

    def hear(self, text: str) -> str:
        """Take a piece of the stream, and return it for people to read."""
        if self._is_text:
            self._text.append(text)
            return text
        return self._lines.hear(text)

    def used(self) -> Used:
        """Return what it used so far; the last event counts for all before."""
        result = self._result
        if result is None:
            return Used(self._turns or None, self._parts())
        turns = events.count_in(result, "num_turns")
        return Used(
            self._turns or None if turns is None else turns,
            _totals(result) or self._parts(),
            events.dollars_in(result, "total_cost_usd"),
        )

    def done(self) -> Done:
        """Return how it went."""
        self._lines.rest()
        if self._is_text:
            return Done("".join(self._text).strip(), success=True)
        used = self.used()
        models = {m: t for m, t in used.parts.items() if m}
        done = Done(
            session_uid=self._session,
            model=max(models, key=lambda m: models[m].output or 0) if models else None,
            turns=used.turns,
        )
        return _ended(done, self._result, self._last_text)

    def _parts(self) -> dict[str, Tokens]:
        parts = dict(self._past)
        for model, tokens in self._open.values():
            parts[model] = _added(parts.get(model, Tokens()), tokens)
        return parts

    def _take(self, event: Event) -> str:
        kind = events.text_in(event, "type")
        self._session = events.name_in(event, "session_id") or self._session
        if kind == "assistant":
            return self._answer(event)
        if kind == "user":
            return "".join(_results(events.objects_in(event.get("message"), "content")))
        if kind == "result":
            self._result = event
            said = events.text_in(event, "result")
            return "" if said == self._last_text else f"{said}\n"
        if kind == "system" and event.get("subtype") == "init":
            model = events.name_in(event, "model") or "its default model"
            return f"[Claude Code, session {self._session}, {model}]\n"
        return "" if kind == "stream_event" else f"{events.shown(event)}\n"

    def _answer(self, event: Event) -> str:
        message = events.object_in(event, "message")
        is_main = event.get("parent_tool_use_id") is None
        self._count(message, is_main=is_main)
        said = []
        for block in events.objects_in(message, "content"):
            text = events.text_in(block, "text")
            if text:
                said.append(f"{text}\n")
                self._last_text = text if is_main else self._last_text
            elif block.get("type") == "tool_use":
                name = events.text_in(block, "name")
                said.append(f"→ {name} {events.shown(block.get('input'))}\n")
        return "".join(said)

    def _count(self, message: Event, *, is_main: bool) -> None:
        model = events.name_in(message, "model")
        usage = message.get("usage")
        if model == _SYNTHETIC or not isinstance(usage, dict):
            return
        uid = events.text_in(message, "id")
        if uid not in self._open:
            self._turns += is_main
            if len(self._open) >= _MAX_OPEN:
                self._settle()
        self._open[uid] = (model or "", _tokens(usage, _KINDS))

    def _settle(self) -> None:
        """Count the oldest answer for good."""
        model, tokens = self._open.pop(next(iter(self._open)))
        self._past[model] = _added(self._past.get(model, Tokens()), tokens)


def _ended(done: Done, result: Event | None, last_text: str) -> Done:
    if result is None:
        return done._replace(
            answer=last_text, end_reason="it ended without saying how it went"
        )
    answer = events.text_in(result, "result") or last_text
    if result.get("is_error") is False and result.get("subtype") == "success":
        return done._replace(answer=answer, success=True)
    listed = result.get("errors")
    errors = listed if isinstance(listed, list) else []
    said = [each for each in errors if isinstance(each, str)]
    why = "; ".join(said) or events.text_in(result, "result")
    kind = events.text_in(result, "subtype")
    reason = f"{kind}: {why}" if why and kind != "success" else why or kind
    return done._replace(
        answer=answer, success=False, end_reason=reason or "it says that it failed"
    )


def _totals(result: Event) -> dict[str, Tokens]:
    """Return the tokens of all models; {} where the event does not say."""
    by_model = events.object_in(result, "modelUsage")
    parts = {
        model: _tokens(usage, _TOTALS)
        for model, usage in by_model.items()
        if isinstance(usage, dict) and events.name_in({"name": model}, "name")
    }
    return parts if any(any(n is not None for n in t) for t in parts.values()) else {}


def _tokens(usage: Event, kinds: tuple[str, ...]) -> Tokens:
    return Tokens(*(events.count_in(usage, kind) for kind in kinds))


def _added(one: Tokens, other: Tokens) -> Tokens:
    pairs = zip(one, other, strict=True)
    return Tokens(
        *(None if a is None and b is None else (a or 0) + (b or 0) for a, b in pairs)
    )


def _results(blocks: Iterable[Event]) -> Iterable[str]:
    """Yield what tools gave back."""
    for block in blocks:
        if block.get("type") != "tool_result":
            continue
        content = block.get("content")
        if isinstance(content, str):
            yield f"{content}\n"
        for part in events.objects_in(block, "content"):
            yield f"{events.text_in(part, 'text') or '[' + str(part.get('type')) + ']'}\n"
