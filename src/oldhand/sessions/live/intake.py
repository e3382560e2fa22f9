"""What a caller hands to the Recorder, as messages of ours that can be stored.

Messages come as OpenAI-shaped dicts or as `Message`s. What is missing is filled in: the
time, the id of a call that has none, the call that a result without an id answers, which is
the oldest open one of that tool. What cannot be a message is refused before anything is
written; nothing is passed over in silence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from oldhand.errors import InvalidInput
from oldhand.sessions.loose_values import text_in
from oldhand.sessions.model import MESSAGE_TYPES, ROLES, Message, ToolCall
from oldhand.sessions.open_calls import OpenCall
from oldhand.sessions.openai_shape import answered_ids, calls_of, message_of, role_of
from oldhand.sessions.storable_text import storable

Entry = Message | Mapping[str, Any]
"""A message as a caller hands it over."""


def messages_in(
    entry: object, *, seq: int, open_calls: Mapping[str, OpenCall], at_us: int
) -> Sequence[Message]:
    """Return what a caller handed over: one message, or one by call that it answers.

    Args:
        entry: An OpenAI-shaped dict, or a `Message`, which is not changed.
        seq: Of the message before it; 0 where there is none.
        open_calls: Those without a result yet, by call id, the oldest first.
        at_us: The time of a message that names none.

    Raises:
        InvalidInput: It is no message, or its role or type is not known.
    """
    if isinstance(entry, Message):
        return (_checked(entry.but(), at_us),)
    record = entry if isinstance(entry, dict) else _dict_of(entry)
    role = role_of(record)
    if role is None:
        raise InvalidInput(
            f"a message's role is {record.get('role')!r}; expected system, developer, "
            "user, assistant, tool or function"
        )
    if role == "tool":
        return _results(record, open_calls, at_us)
    message = message_of(record, role)
    message.native_id = text_in(record, "native_id")
    if role == "assistant":
        message.calls = [
            ToolCall(call.named or f"#{seq + 1}.{made}", call.tool, call.arguments)
            for made, call in enumerate(calls_of(record), 1)
        ]
    return (_made_storable(message, at_us),)


def _dict_of(entry: object) -> dict[str, Any]:
    if isinstance(entry, Mapping):
        return dict(entry)
    raise InvalidInput(
        f"a message is of type {type(entry).__name__}; expected a dict as in "
        "OpenAI's chat completions, or oldhand's Message"
    )


def _results(
    record: dict[str, Any], open_calls: Mapping[str, OpenCall], at_us: int
) -> list[Message]:
    native_id = text_in(record, "native_id")
    messages = []
    for index, named in enumerate(answered_ids(record)):
        message = message_of(record, "tool")
        message.native_id = f"{native_id}/{index}" if native_id and index else native_id
        message.call_id = named or _oldest(open_calls, tool=text_in(record, "name"))
        messages.append(_made_storable(message, at_us))
    return messages


def _oldest(open_calls: Mapping[str, OpenCall], *, tool: str | None) -> str | None:
    """Return the id of the call that has waited longest, of one tool or of any."""
    for call_id, waiting in open_calls.items():
        if tool is None or waiting.call.tool == tool:
            return call_id
    return None


def _checked(message: Message, at_us: int) -> Message:
    if message.role not in ROLES or message.type not in MESSAGE_TYPES:
        raise InvalidInput(
            f"a message's role is {message.role!r} and its type {message.type!r}; "
            f"expected one of {', '.join(ROLES)} and of {', '.join(MESSAGE_TYPES)}"
        )
    return _made_storable(message, at_us)


def _made_storable(message: Message, at_us: int) -> Message:
    """Give a message of our own a time, and text that can be stored."""
    if message.at_us is None:
        message.at_us = at_us
    message.content = storable(message.content)
    if message.native_id is not None:
        message.native_id = storable(message.native_id)
    if message.model is not None:
        message.model = storable(message.model)
    if message.call_id is not None:
        message.call_id = storable(message.call_id)
    if message.calls:
        message.calls = [_storable_call(call) for call in message.calls]
    return message


def _storable_call(call: ToolCall) -> ToolCall:
    return ToolCall(
        storable(call.call_id), storable(call.tool), storable(call.arguments)
    )
