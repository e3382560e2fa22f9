"""A stand-in for a model: it knows nothing but the messages that it is given.

It makes a call in the form of the newest call of the same tool that it sees to have worked,
else in the form that one would guess first, else in one that it has not seen fail. Now and
then it slips and guesses though it could know. What it does says nothing about models: it
is made so that a meter which works must show a benefit, a harm, or nothing.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from oldhand.experience.simulate.world import FORMS, Arguments, form_of

Message = dict[str, Any]
Policy = Callable[[Sequence[Message], random.Random], "Call"]
"""Takes the messages so far, the last request among them, and makes a call."""

_SLIPS = 0.02
_REQUEST = re.compile(r"Ask (\w+) about day (\d+)")


class Call(NamedTuple):
    """One call that a policy makes."""

    tool: str
    arguments: Arguments


class _Seen(NamedTuple):
    """One call that stands in the messages, with how it went."""

    tool: str
    form: str | None
    has_worked: bool


def request(tool: str, day: int) -> str:
    """Return what a user asks for; the policy reads it."""
    return f"Ask {tool} about day {day}"


def reads_its_messages(messages: Sequence[Message], rng: random.Random) -> Call:
    """Go by all that the messages show."""
    return _call(messages, messages, rng)


def ignores_its_context(messages: Sequence[Message], rng: random.Random) -> Call:
    """Go by what happened since the last request alone."""
    return _call(messages, messages[_last_request(messages) :], rng)


def _call(
    messages: Sequence[Message], seen: Sequence[Message], rng: random.Random
) -> Call:
    found = _REQUEST.search(str(messages[_last_request(messages)]["content"]))
    if found is None:
        raise ValueError("the last request is none that the policy can read")
    tool, day = found[1], int(found[2])
    calls = [call for call in _calls(seen) if call.tool == tool]
    worked = [call.form for call in calls if call.has_worked and call.form in FORMS]
    failed = {call.form for call in calls if not call.has_worked}
    # Both lots are drawn every time, so that what is seen does not shift later ones.
    slips, guess = rng.random() < _SLIPS, rng.choice(list(FORMS))
    if slips:
        form = guess
    elif worked and worked[-1] not in failed:
        form = worked[-1] or guess
    else:
        form = next((form for form in FORMS if form not in failed), guess)
    return Call(tool, FORMS[form](day))


def _last_request(messages: Sequence[Message]) -> int:
    return max(at for at, each in enumerate(messages) if each["role"] == "user")


def _calls(messages: Sequence[Message]) -> Iterator[_Seen]:
    """Return the calls with an answer, in the order of the answers."""
    made: dict[str, Mapping[str, Any]] = {}
    for message in messages:
        for call in message.get("tool_calls") or ():
            made[call["id"]] = call["function"]
        if message["role"] == "tool" and message["tool_call_id"] in made:
            function = made[message["tool_call_id"]]
            arguments = json.loads(function["arguments"])
            has_worked = not str(message["content"]).startswith("Error")
            yield _Seen(function["name"], form_of(arguments), has_worked)
