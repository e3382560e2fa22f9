"""The messages of one Codex rollout, as its records come in.

One record becomes one message, so that a grown file only adds messages at the end. What a
later record says about an earlier one is put right in place: the evidence of a result, and
which turns the user rolled back.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from oldhand.sessions.importers.call_pairs import CallPairs, UniqueNames
from oldhand.sessions.importers.codex_events import call_end_of, status_evidence
from oldhand.sessions.importers.codex_output import Output, merge, read_output
from oldhand.sessions.importers.tally import Tally
from oldhand.sessions.loose_values import integer_of, object_in, text_in
from oldhand.sessions.model import (
    NO_EVIDENCE,
    Evidence,
    Message,
    MessageType,
    Role,
)
from oldhand.sessions.text_parts import json_text, text_of

# How text begins that the program puts in the user's place.
_INJECTED_STARTS = (
    "<environment_context",
    "<user_instructions",
    "<INSTRUCTIONS>",
    "<permissions",
    "<turn_aborted",
    "<user_shell_command",
    "<subagent_notification",
    "<skill>",
    "<skills_instructions",
    "<hook_prompt",
    "# AGENTS.md",
)
_ROLES: dict[str, Role] = {
    "user": "user",
    "assistant": "assistant",
    "developer": "system",
    "system": "system",
}
_RESULTS = frozenset(
    (
        "function_call_output",
        "custom_tool_call_output",
        "local_shell_call_output",
        "mcp_tool_call_output",
        "tool_search_output",
        "tool_result",
        "function_result",
    )
)
_RESULT_KEYS = ("output", "result")
_ARGUMENT_KEYS = ("arguments", "input", "action")
_FINISHED_CALLS = frozenset(("web_search_call", "image_generation_call"))
# The name of the tool where the item has none.
_TOOL_OF_CALL = {
    "function_call": "unknown",
    "custom_tool_call": "unknown",
    "tool_call": "unknown",
    "local_shell_call": "local_shell",
    "tool_search_call": "tool_search",
    "web_search_call": "web_search",
    "image_generation_call": "image_generation",
}
_CANCELLED = Evidence(cancelled=True)


class Record(NamedTuple):
    """One record of a rollout: its place in the file, from 1, its content, its time."""

    number: int
    payload: dict[str, Any]
    at_us: int | None


@dataclass(slots=True)
class Transcript:
    """Collects messages.

    Attributes:
        tally: Counts what was passed over.
        messages: In the order of the records.
        model: The model of the present turn.
    """

    tally: Tally
    messages: list[Message] = field(default_factory=list)
    model: str | None = None
    _pairs: CallPairs = field(init=False)
    _names: UniqueNames = field(default_factory=UniqueNames)
    _active: list[Message] = field(default_factory=list)
    _results: dict[str, Message] = field(default_factory=dict)
    _cancelled: dict[str, Message] = field(default_factory=dict)
    _ends: dict[str, Evidence] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Pair the calls of this session alone."""
        self._pairs = CallPairs(self.tally)

    def add_item(self, record: Record) -> bool:
        """Take one item of the conversation; say whether its type is known."""
        item_type = text_in(record.payload, "type") or "message"
        if item_type in _FINISHED_CALLS:
            self._add_finished_call(record, item_type)
        elif item_type in _TOOL_OF_CALL:
            self._add_call(record, item_type)
        elif item_type in _RESULTS:
            self._add_result(record)
        elif item_type == "message":
            return self._add_message(record)
        elif item_type == "agent_message":
            content = text_of(record.payload.get("content"))
            self._append(record, "user", content, message_type="injected")
        else:
            return False
        return True

    def add_summary(self, record: Record) -> None:
        """Take what a compaction kept of the conversation before it."""
        if content := text_in(record.payload, "message"):
            self._append(record, "user", content, message_type="summary")

    def end_call(self, event: dict[str, Any]) -> None:
        """Note how an event says that a call ended, before or after its result."""
        end = call_end_of(event)
        if end is None:
            return
        self._ends[end.call_id] = end.evidence
        result = self._results.get(end.call_id)
        if result is not None:
            result.evidence = merge(result.evidence, end.evidence)

    def abort_turn(self, record: Record) -> None:
        """Cancel the calls that have no result."""
        for call_id in self._pairs.new_unanswered():
            message = self._append(record, "tool", "", suffix=f"/{call_id}")
            message.call_id = call_id
            message.evidence = merge(_CANCELLED, self._ends.get(call_id, NO_EVIDENCE))
            self._cancelled[call_id] = self._results[call_id] = message

    def roll_back(self, event: dict[str, Any]) -> None:
        """Mark the last turns, as many as an event says, as no longer in the session."""
        turns = integer_of(event.get("num_turns")) or 0
        while turns > 0 and self._active:
            message = self._active.pop()
            message.active = False
            turns -= message.role == "user" and message.type == "turn"

    def _add_message(self, record: Record) -> bool:
        payload = record.payload
        role = _ROLES.get(text_in(payload, "role") or "")
        if role is None:
            return False
        parts = payload.get("content", payload.get("message"))
        content = text_of(parts)
        if not content:
            return True
        if role == "system" or (role == "user" and _is_injected(parts)):
            self._append(record, role, content, message_type="injected")
        else:
            self._append(record, role, content)
        return True

    def _add_call(self, record: Record, item_type: str) -> str:
        payload = record.payload
        tool = _tool_of(payload) or _TOOL_OF_CALL[item_type]
        call = self._pairs.begin(
            text_in(payload, "call_id", "id"),
            tool=tool,
            arguments=_arguments_of(payload),
            fallback=f"#{record.number}",
        )
        self._append(record, "assistant", "").calls.append(call)
        return tool

    def _add_finished_call(self, record: Record, item_type: str) -> None:
        """Take a call that the model's provider ran: its result is not in the file."""
        tool = self._add_call(record, item_type)
        evidence = status_evidence(record.payload)
        if evidence is None:
            return
        call_id = self._pairs.finish(
            text_in(record.payload, "call_id", "id"), tool=tool
        )
        evidence = evidence._replace(is_partial=True)
        self._answer(record, call_id, Output("", evidence), suffix="/result")

    def _add_result(self, record: Record) -> None:
        payload = record.payload
        named = text_in(payload, "call_id", "tool_call_id")
        value = next((payload[key] for key in _RESULT_KEYS if key in payload), None)
        if "tools" in payload:  # what a search for tools found is data, not parts
            value = json_text(payload["tools"])
        call_id = self._pairs.finish(named, tool=_tool_of(payload))
        self._answer(record, call_id, read_output(value))

    def _answer(
        self, record: Record, call_id: str | None, output: Output, *, suffix: str = ""
    ) -> None:
        if call_id is None:
            return
        message = self._cancelled.pop(call_id, None)
        if message is None:
            message = self._append(record, "tool", "", suffix=suffix)
            message.call_id = call_id
            self._results[call_id] = message
        message.at_us = record.at_us
        message.content = output.content
        message.evidence = merge(output.evidence, self._ends.get(call_id, NO_EVIDENCE))

    def _append(
        self,
        record: Record,
        role: Role,
        content: str,
        *,
        message_type: MessageType = "turn",
        suffix: str = "",
    ) -> Message:
        own_id = text_in(record.payload, "id") or f"#{record.number}"
        message = Message(
            role=role,
            content=content,
            type=message_type,
            at_us=record.at_us,
            native_id=self._names.take(own_id + suffix),
            model=self.model if role == "assistant" else None,
        )
        self.messages.append(message)
        self._active.append(message)
        return message


def _tool_of(payload: dict[str, Any]) -> str | None:
    """Return the tool's name, with the name space of its server before it."""
    name = text_in(payload, "name") or text_in(object_in(payload, "function"), "name")
    namespace = text_in(payload, "namespace")
    if name is None or namespace is None:
        return name
    joint = "" if namespace.endswith(("_", ".", "/")) else "__"
    return f"{namespace}{joint}{name}"


def _arguments_of(payload: dict[str, Any]) -> str:
    """Return the arguments as they were written; `{}` where there are none."""
    for record in (payload, object_in(payload, "function")):
        for key in _ARGUMENT_KEYS:
            if record.get(key) is not None:
                return json_text(record[key])
    prompt = text_in(payload, "revised_prompt")
    return json_text({} if prompt is None else {"prompt": prompt})


def _is_injected(parts: object) -> bool:
    """Say whether all that stands in the user's place was put there by the program."""
    texts = map(text_of, parts) if isinstance(parts, list) else (text_of(parts),)
    return all(text.lstrip().startswith(_INJECTED_STARTS) for text in texts)
