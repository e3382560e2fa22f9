"""The stable part of a warm start holds no counter, no time and no random id.

A provider's prompt cache compares bytes: what changes nothing that is shown must not
change a byte of it.
"""

from __future__ import annotations

import json

import pytest

from oldhand.canonical_json import canonical_json
from oldhand.experience.candidates import Budget
from oldhand.experience.mine import Wish
from oldhand.experience.pool import Scope
from oldhand.experience.template import build_template_for
from oldhand.experience.warm import WarmRequest, WarmTarget, warm_start
from oldhand.sessions.model import Evidence, Message, Session, ToolCall
from oldhand.sessions.record import SessionWriter
from oldhand.store import Store, open_database

YEAR_US = 31_536_000_000_000
TARGETS: list[WarmTarget] = ["text", "openai", "anthropic"]


def teach(store: Store, *, backwards: bool = False) -> None:
    """Record two sessions; backwards, their arguments have the other order of keys."""
    for number in range(2):
        arguments = {"command": f"make t{number}", "timeout": 60, "a": {"z": 1, "b": 2}}
        if backwards:
            arguments = dict(reversed(arguments.items()))
        made = ToolCall("c1", "Bash", json.dumps(arguments))
        at_us = (number + 1) * YEAR_US
        answer = Message(
            role="tool",
            content="done",
            call_id="c1",
            evidence=Evidence(is_error=False),
            at_us=at_us,
        )
        messages = [
            Message(role="user", content="Build it", at_us=at_us),
            Message(role="assistant", calls=[made], at_us=at_us),
            answer,
        ]
        session = Session(uid=f"s{number}", source="test", messages=messages)
        with store.transaction():
            SessionWriter(store).write(session)


@pytest.fixture
def store(any_store: Store) -> Store:
    """Return a store of each engine that holds two sessions and a template."""
    teach(any_store)
    wish = Wish(scope=Scope(), budget=Budget(tokens=2_000))
    build_template_for(any_store, wish, name="mine", clock=lambda: YEAR_US)
    return any_store


def given(store: Store, request: WarmRequest, *, at_us: int = YEAR_US) -> str:
    """Return the very text that a warm start puts into a session."""
    warm = warm_start(store, request, clock=lambda: at_us)
    return warm.text if warm.text is not None else json.dumps(warm.messages)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("template", ["mine", None])
def test_time_and_use_change_no_byte(
    store: Store, target: WarmTarget, template: str | None
) -> None:
    request = WarmRequest(template=template, target=target)
    before = given(store, request)

    for number in range(5):
        other = request._replace(session=f"other-{number}", tokens=900 + number)
        given(store, other, at_us=YEAR_US * 2 + number)
    after = given(store, request._replace(session="last"), at_us=YEAR_US * 40)

    assert after == before


@pytest.mark.parametrize("target", TARGETS)
def test_another_database_of_the_same_sessions_gives_the_same_bytes(
    store: Store, target: WarmTarget
) -> None:
    request = WarmRequest(target=target)
    other = open_database(":memory:")
    try:
        teach(other)

        assert given(other, request) == given(store, request)
    finally:
        other.close()


@pytest.mark.parametrize("target", TARGETS)
def test_the_order_of_keys_that_a_model_wrote_changes_no_byte(
    store: Store, target: WarmTarget
) -> None:
    request = WarmRequest(target=target)
    other = open_database(":memory:")
    try:
        teach(other, backwards=True)

        assert given(other, request) == given(store, request)
    finally:
        other.close()


def test_arguments_are_written_with_sorted_keys(store: Store) -> None:
    warm = warm_start(store, WarmRequest(target="openai"))
    messages = warm.messages or []
    calls = [call for message in messages for call in message.get("tool_calls", ())]

    for call in calls:
        arguments = call["function"]["arguments"]
        assert arguments == canonical_json(json.loads(arguments))
    assert calls
