"""Ask what may help after a call has failed, as a loop of one's own would."""

from __future__ import annotations

from oldhand import Recorder, hint, open_store
from oldhand.experience.hint import render_hints


def call(recorder: Recorder, name: str, command: str, result: str) -> None:
    """Record one call of a shell with its result."""
    function = {"name": "bash", "arguments": f'{{"command": "{command}"}}'}
    recorder.append(
        [
            {"role": "assistant", "tool_calls": [{"id": name, "function": function}]},
            {"role": "tool", "tool_call_id": name, "content": result},
        ]
    )


store = open_store(":memory:")
earlier = Recorder(store, source="example")
call(earlier, "c1", "git log --one-line", "fatal: unrecognized argument\nexit code 128")
call(earlier, "c2", "git log --oneline", "5f2c1e0 Fix the ledger")
earlier.end("done")

found = hint(
    store,
    "bash",
    {"command": "git log --one-line -5"},
    "fatal: unrecognized argument: --one-line\nexit code 128",
)
print(render_hints(found))
