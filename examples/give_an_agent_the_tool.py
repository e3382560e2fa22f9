"""Let an agent keep and load warm starts itself: a tool to register, and its handler."""

from __future__ import annotations

import json
from pathlib import Path

import oldhand
from oldhand import import_sessions, open_store, warm_session_tool

SHIPPED = Path(oldhand.__file__).parent / "cli" / "demo_sessions"

store = open_store(":memory:")
import_sessions(store, "auto", SHIPPED)

tools = [warm_session_tool.for_openai()]  # what the model is told
print(tools[0]["function"]["name"], list(warm_session_tool.parameters["properties"]))

calls = [  # what a model may write
    '{"action": "build", "name": "fixing", "tags": ["python"]}',
    '{"action": "list"}',
    '{"action": "load", "name": "fixing"}',
    '{"action": "load", "name": "../fixing"}',
    '{"action": "delete", "name": "fixing"}',
]
for arguments in calls:
    answer = warm_session_tool.handle(store, arguments, project="/home/demo/ledger")
    print(json.dumps(answer)[:150])
