"""What a caller hands to the Recorder, as messages of ours that can be stored.

Messages come as OpenAI-shaped dicts or as `Message`s. What is missing is filled in: the
time, the id of a call that has none, the call that a result without an id answers, which is
the oldest open one of that tool. What cannot be a message is refused before anything is
written; nothing is passed over in silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from oldhand.errors import InvalidInput
from oldhand.sessions.draft import OpenCall
from oldhand.sessions.loose_values import text_in
from oldhand.sessions.model import MESSAGE_TYPES, ROLES, Message, Role, ToolCall
from oldhand.sessions.openai_shape import answered_ids, calls_of, message_of, role_of
from oldhand.sessions.storable_text import storable

Entry = Message | Mapping[str, Any]
"""A message as a caller hands it over."""


class Intake:
    """Takes one batch of messages that come after those which are recorded.

    Args:
        seq: Of the last message that is recorded.
        open_calls: Those without a result yet, by call id, the oldest first.
        native_ids: Of the messages that are recorded; one that comes again is left out.
        at_us: The time of a message that names none.

    Attributes:
        messages: Those taken so far.
    """

    def __init__(
        self,
        *,
        seq: int,
        open_calls: Mapping[str, OpenCall],
        native_ids: Iterable[str],
        at_us: int,
    ) -> None:
        self.messages: list[Message] = []
        self._seq = seq
        self._at_us = at_us
        self._open = {name: call.call.tool for name, call in open_calls.items()}
        self._native_ids = native_ids
        self._taken_ids: set[str] = set()

    def take(self, entry: object) -> None:
        """Take the next message.

        Raises:
            InvalidInput: It is none, or its role or type is not known.
        """
        if isinstance(entry, Message):
            self._add(_made_storable(replace(entry), self._at_us))
        elif isinstance(entry, Mapping):
            self._take_openai(dict(entry))
        else:
            raise InvalidInput(
                f"a message is of type {type(entry).__name__}; expected a dict as in "
                "OpenAI's chat completions, or oldhand's Message"
            )

    def _take_openai(self, entry: dict[str, Any]) -> None:
        role = role_of(entry)
        if role is None:
            raise InvalidInput(
                f"a message's role is {entry.get('role')!r}; expected system, developer, "
                "user, assistant, tool or function"
            )
        native_id = text_in(entry, "native_id")
        if role != "tool":
            self._add(self._read(entry, role, native_id))
            return
        for index, named in enumerate(answered_ids(entry)):
            own_id = f"{native_id}/{index}" if native_id and index else native_id
            message = self._read(entry, role, own_id)
            answered = named or self._oldest_open(text_in(entry, "name"))
            message.call_id = _storable_or_none(answered)
            self._add(message)

    def _read(
        self, entry: dict[str, Any], role: Role, native_id: str | None
    ) -> Message:
        message = message_of(entry, role)
        message.native_id = native_id
        if role == "assistant":
            fallback = f"#{self._seq + 1}"
            message.calls = [
                ToolCall(call.named or f"{fallback}.{made}", call.tool, call.arguments)
                for made, call in enumerate(calls_of(entry), 1)
            ]
        return _made_storable(message, self._at_us)

    def _oldest_open(self, tool: str | None) -> str | None:
        names = (name for name, of in self._open.items() if tool is None or of == tool)
        return next(names, None)

    def _add(self, message: Message) -> None:
        native_id = message.native_id
        if native_id is not None:
            if native_id in self._native_ids or native_id in self._taken_ids:
                return
            self._taken_ids.add(native_id)
        self._seq += 1
        for call in message.calls:
            self._open[call.call_id] = call.tool
        if message.role == "tool" and message.call_id is not None:
            self._open.pop(message.call_id, None)
        self.messages.append(message)


def _made_storable(message: Message, at_us: int) -> Message:
    """Give a message of our own a time, and text that can be stored."""
    if message.role not in ROLES or message.type not in MESSAGE_TYPES:
        raise InvalidInput(
            f"a message's role is {message.role!r} and its type {message.type!r}; "
            f"expected one of {', '.join(ROLES)} and of {', '.join(MESSAGE_TYPES)}"
        )
    if message.at_us is None:
        message.at_us = at_us
    message.content = storable(message.content)
    message.native_id = _storable_or_none(message.native_id)
    message.model = _storable_or_none(message.model)
    message.call_id = _storable_or_none(message.call_id)
    message.calls = [_storable_call(call) for call in message.calls]
    return message


def _storable_call(call: ToolCall) -> ToolCall:
    return ToolCall(
        storable(call.call_id), storable(call.tool), storable(call.arguments)
    )


def _storable_or_none(text: str | None) -> str | None:
    return None if text is None else storable(text)
