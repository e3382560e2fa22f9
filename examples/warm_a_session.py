"""Give a new session the calls that worked in earlier ones."""

from __future__ import annotations

import json
from pathlib import Path

import oldhand
from oldhand import import_sessions, inject, open_store, warm

SHIPPED = Path(oldhand.__file__).parent / "cli" / "demo_sessions"
TASK = "A test of the ledger fails; find out why"

store = open_store(":memory:")
import_sessions(store, "auto", SHIPPED)

messages = [
    {"role": "system", "content": "You work on a small Python project."},
    {"role": "user", "content": TASK},
]

as_text = warm(store, task=TASK, tokens=400, all_projects=True)
print(inject(messages, as_text)[0]["content"])

as_turns = warm(
    store,
    task=TASK,
    tokens=600,
    all_projects=True,
    target="openai",
    tools=["bash", "read_file"],
)
print(json.dumps(inject(messages, as_turns), indent=2))
