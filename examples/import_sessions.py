"""Read sessions from a file and list what failed in them.

python examples/import_sessions.py [PATH …]     by default the sessions that ship
"""

from __future__ import annotations

import sys
from pathlib import Path

import oldhand
from oldhand import import_sessions, open_store
from oldhand.sessions.read import recent_sessions
from oldhand.sessions.read_calls import iterate_calls

SHIPPED = Path(oldhand.__file__).parent / "cli" / "demo_sessions"

store = open_store(":memory:")
paths = [Path(argument) for argument in sys.argv[1:]] or [SHIPPED]
report = import_sessions(store, "auto", *paths)
print(f"{report.tally.sessions} sessions, {report.tally.calls} calls")

for session in recent_sessions(store, limit=3):
    print(f"{session.uid}: {session.tool_call_count} calls, {session.task}")

for call in iterate_calls(store, outcome="error", limit=5):
    print(f"{call.shape}: {call.error_kind}, by the rule {call.rule}")
