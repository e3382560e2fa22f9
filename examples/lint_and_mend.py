"""Find what a provider would refuse in a conversation, and repair it."""

from __future__ import annotations

from typing import Any

from oldhand import lint, mend

CALL = {
    "id": "call_0001",
    "type": "function",
    "function": {"name": "Bash", "arguments": '{"command": "git status"}'},
}
broken: list[dict[str, Any]] = [
    {"role": "user", "content": "What has changed?"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "user", "content": "Never mind. Run the tests."},
]

for finding in lint(broken, "mistral"):
    print(f"messages[{finding.index}] {finding.rule}: {finding.problem}")
for message in mend(broken, "mistral"):
    print(message)
