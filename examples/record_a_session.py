"""Record a session as it happens, and go on with it in a later process."""

from __future__ import annotations

import json

from oldhand import Recorder, open_store
from oldhand.sessions.read import find_session
from oldhand.sessions.read_calls import iterate_calls


def call(call_id: str, command: str) -> dict[str, object]:
    """Return an answer that calls a shell, as OpenAI's chat completions write it."""
    function = {"name": "Bash", "arguments": json.dumps({"command": command})}
    made = {"id": call_id, "type": "function", "function": function}
    usage = {"prompt_tokens": 812, "completion_tokens": 31}
    return {"role": "assistant", "content": "", "tool_calls": [made], "usage": usage}


def result(call_id: str, content: str) -> dict[str, object]:
    """Return what came back from a call."""
    return {"role": "tool", "tool_call_id": call_id, "content": content}


store = open_store(":memory:")
recorder = Recorder(
    store, source="my-agent", model="my-model", model_config={"temperature": 0.2}
)
recorder.append([{"role": "user", "content": "Make the tests pass"}])
recorder.append([call("c1", "pytest -q"), result("c1", "1 failed, 2 passed")])
recorder.append([call("c2", "pytest -q tests/test_sum.py")])

later = Recorder.resume(store, recorder.uid)
later.append([result("c2", "3 passed")])
later.end("done")

session = find_session(store, later.uid)
print(
    f"{session.task}: {session.message_count} messages, {session.input_tokens} tokens"
)
for judged in iterate_calls(store, session=session):
    print(f"  {judged.shape}: {judged.outcome}")
