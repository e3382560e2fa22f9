"""Judge single calls, without any database."""

from __future__ import annotations

from oldhand.sessions.outcome import judge
from oldhand.sessions.shape import shape_of

CALLS = [
    ("Bash", {"command": "pytest -q"}, "Exit code 1\n1 failed, 3 passed"),
    ("Bash", {"command": "go test ./... | tail -3"}, "--- FAIL: TestAdd\nFAIL"),
    ("Bash", {"command": "grep -n TODO main.py"}, "Exit code 1"),
    ("Edit", {"file_path": "a.py"}, "String to replace not found in file."),
    ("Read", {"file_path": "a.py"}, "1  import os"),
]

for tool, arguments, result in CALLS:
    judgement = judge(tool, arguments, result)
    print(
        f"{judgement.outcome:9} {judgement.confidence:.2f} {judgement.rule:16} "
        f"{shape_of(tool, arguments).flags}"
    )
