"""A store with a few judged sessions, for what chooses, keeps and shows."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from oldhand.sessions.model import Evidence, Message, Session, ToolCall
from oldhand.sessions.record import SessionWriter
from oldhand.store import Store

DAY_US = 86_400_000_000
Teach = Callable[..., None]
Call = tuple[str, dict[str, Any], str, Evidence | None]


@pytest.fixture
def teach(store: Store) -> Teach:
    """Return a function that records one session of some calls."""

    def record(
        uid: str,
        *calls: Call,
        day: int = 0,
        task: str = "Fix the parser",
        project: str = "/home/ada/engine",
        principal: str = "ada",
    ) -> None:
        start_us = (day + 1) * DAY_US
        messages = [Message(role="user", content=task, at_us=start_us)]
        for number, (tool, arguments, result, evidence) in enumerate(calls):
            name = f"{uid}-c{number}"
            made = ToolCall(name, tool, json.dumps(arguments))
            messages.append(Message(role="assistant", calls=[made], at_us=start_us))
            if evidence is not None:
                messages.append(
                    Message(
                        role="tool",
                        content=result,
                        call_id=name,
                        evidence=evidence,
                        at_us=start_us,
                    )
                )
        session = Session(
            uid=uid,
            source="test",
            project=project,
            principal=principal,
            messages=messages,
            model="model-a",
        )
        with store.transaction():
            SessionWriter(store).write(session)

    return record


WENT_WELL = Evidence(is_error=False)
FAILED = Evidence(is_error=True)
REFUSED = Evidence(refused=True, is_error=True)


def bash(
    command: str, result: str = "done", evidence: Evidence | None = WENT_WELL
) -> Call:
    """Return a call of a shell."""
    return "Bash", {"command": command}, result, evidence


def looked_around(number: int) -> tuple[Call, ...]:
    """Return the calls of a session that looked at a checkout and ran its tests."""
    return (
        bash(f"git log -{number + 1}", "commit\n" * 30),
        bash("git status", "clean"),
        bash("make test", "all passed"),
    )
