"""One simulated session: a policy is given messages, and all it does is recorded."""

from __future__ import annotations

import json
import random
from typing import NamedTuple

from oldhand.clock import Clock
from oldhand.experience.render import inject
from oldhand.experience.simulate.policy import Message, Policy, request
from oldhand.experience.simulate.world import DAYS, World
from oldhand.experience.warm import WarmStart
from oldhand.ids import call_id_for
from oldhand.sessions.live.recorder import Recorder
from oldhand.store import Store

_REQUESTS = 2
_MOST_TRIES = 4
_SYSTEM = {"role": "system", "content": "You look things up with the tools you have."}


class Task(NamedTuple):
    """What a session is to be.

    Attributes:
        uid: The session's; with the seed it decides what is asked and which lots fall.
        project: The directory that it belongs to.
        world: Its tools.
        policy: Who acts.
        seed: Two sessions of one seed are asked the same.
    """

    uid: str
    project: str
    world: World
    policy: Policy
    seed: str


def run_session(
    store: Store, task: Task, *, shown: WarmStart | None, clock: Clock
) -> None:
    """Let a policy work on some requests, and record what it does.

    Args:
        store: Where it is recorded.
        task: What the session is to be.
        shown: What stands ahead of the session, rendered for `openai`; None for nothing.
        clock: Gives the times.
    """
    rng = random.Random(task.seed)  # noqa: S311 - the same lots every time
    recorder = Recorder(
        store,
        clock=clock,
        uid=task.uid,
        source="simulation",
        agent="simulated policy",
        principal="simulation",
        project=task.project,
    )
    messages: list[Message] = [_SYSTEM]
    if shown is not None:
        messages = inject(messages, shown)
    for _ in range(_REQUESTS):
        asked = request(rng.choice(task.world.tools), rng.randint(1, DAYS))
        said = [{"role": "user", "content": asked}]
        # Of its own, so that one try more does not shift what is asked next.
        lots = random.Random(rng.random())  # noqa: S311
        for attempt in range(_MOST_TRIES):
            made, has_worked = _try(task, [*messages, *said], attempt, lots)
            said += made
            if has_worked:
                break
        recorder.append(said)
        messages += said
    recorder.end("done")


def _try(
    task: Task, messages: list[Message], attempt: int, lots: random.Random
) -> tuple[list[Message], bool]:
    call = task.policy(messages, lots)
    name = call_id_for(task.uid, str(len(messages)), str(attempt))
    function = {"name": call.tool, "arguments": json.dumps(call.arguments)}
    answer = task.world.answer(call.tool, call.arguments)
    made: list[Message] = [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": name, "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": name, "content": answer},
    ]
    return made, not answer.startswith("Error")
