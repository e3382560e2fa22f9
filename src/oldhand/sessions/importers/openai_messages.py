"""A conversation in the shape of OpenAI's chat completions, as messages of ours."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from oldhand.sessions.importers.call_pairs import CallPairs
from oldhand.sessions.importers.tally import Tally
from oldhand.sessions.loose_values import text_in
from oldhand.sessions.model import Message, Role
from oldhand.sessions.openai_shape import answered_ids, calls_of, message_of, role_of

_SAID = ("content", "tool_calls", "function_call", "refusal")


def is_message(entry: dict[str, Any]) -> bool:
    """Say whether an object is a message: somebody known says or calls something.

    Other agents write objects with a role as well, and what was said elsewhere.
    """
    return role_of(entry) is not None and any(key in entry for key in _SAID)


@dataclass(slots=True)
class Conversation:
    """Collects the messages of one conversation.

    An entry's own id is not used: such ids are seldom unique beyond their file, and the
    place in the conversation names an entry as well.

    Attributes:
        tally: Counts what was passed over.
        model: Who answers, where an answer does not say.
        messages: In order.
    """

    tally: Tally
    model: str | None = None
    messages: list[Message] = field(default_factory=list)
    _pairs: CallPairs = field(init=False)
    _number: int = 0

    def __post_init__(self) -> None:
        """Pair the calls of this conversation alone."""
        self._pairs = CallPairs(self.tally)

    def add(self, entry: dict[str, Any]) -> None:
        """Take the next entry; one that is no message is counted and left out."""
        self._number += 1
        role = role_of(entry)
        if role is None:
            self.tally.report_unknown(f"role {text_in(entry, 'role')}")
        elif not is_message(entry):
            self.tally.report_unknown(f"{role} without content")
        elif role == "tool":
            self._add_results(entry)
        else:
            self._add_turn(entry, role)

    def _add_turn(self, entry: dict[str, Any], role: Role) -> None:
        message = message_of(entry, role)
        message.native_id = f"#{self._number}"
        if role == "assistant":
            message.model = message.model or self.model
            message.calls = [
                self._pairs.begin(
                    call.named,
                    tool=call.tool,
                    arguments=call.arguments,
                    fallback=f"#{self._number}.{made}",
                )
                for made, call in enumerate(calls_of(entry), 1)
            ]
        self.messages.append(message)

    def _add_results(self, entry: dict[str, Any]) -> None:
        for index, named in enumerate(answered_ids(entry)):
            call_id = self._pairs.finish(named, tool=text_in(entry, "name"))
            if call_id is None:
                continue
            message = message_of(entry, "tool")
            message.native_id = f"#{self._number}" + (f"/{index}" if index else "")
            message.call_id = call_id
            self.messages.append(message)
