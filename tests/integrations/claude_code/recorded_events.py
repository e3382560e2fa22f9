"""Hook events in the shapes that Claude Code documents, made by hand, and one way to replay."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

UID = "0a1b2c3d-0000-4000-8000-000000000009"


class Answer(NamedTuple):
    """What the process said."""

    out: str
    err: str
    code: int

    @property
    def context(self) -> str | None:
        """The text for the model."""
        value = json.loads(self.out)
        found = value.get("hookSpecificOutput", {}).get("additionalContext")
        assert found is None or isinstance(found, str)
        return found


class Machine:
    """A home directory with Claude Code's folders, and the process under test."""

    def __init__(self, home: Path) -> None:
        """Make the folders."""
        self.home = home
        self.project = home / "engine"
        self.project.mkdir(parents=True)
        self.folder = home / ".claude" / "projects" / "-engine"
        self.folder.mkdir(parents=True)
        self.environment = {"HOME": str(home), "PATH": os.defpath, "USER": "ada"}

    def event(self, name: str, **fields: Any) -> dict[str, Any]:
        """Return an event as documented; fields bend it."""
        return {
            "session_id": UID,
            "transcript_path": str(self.folder / f"{UID}.jsonl"),
            "cwd": str(self.project),
            "permission_mode": "default",
            "hook_event_name": name,
            **fields,
        }

    def start(self, **fields: Any) -> dict[str, Any]:
        """Return the event of a session that begins."""
        return self.event(
            "SessionStart", **{"source": "startup", "model": "m", **fields}
        )

    def end(self, **fields: Any) -> dict[str, Any]:
        """Return the event of a session that is over."""
        return self.event("SessionEnd", **{"reason": "prompt_input_exit", **fields})

    def command(self, *arguments: str) -> list[str]:
        """Return the command line that `oldhand install` writes, as words."""
        return [sys.executable, "-P", "-m", "oldhand", *arguments]

    def hook(self, event: Any, *options: str, name: str | None = None) -> Answer:
        """Replay an event: any JSON value, or bytes as they are."""
        data = event if isinstance(event, bytes) else json.dumps(event).encode()
        named = name or event["hook_event_name"]
        run = subprocess.run(
            self.command("hook", "claude-code", named, *options),
            input=data,
            capture_output=True,
            env=self.environment,
            cwd=self.home,
            check=False,
        )
        return Answer(run.stdout.decode(), run.stderr.decode(), run.returncode)

    def oldhand(self, *arguments: str) -> Any:
        """Run another command and return its JSON lines."""
        run = subprocess.run(
            self.command(*arguments),
            capture_output=True,
            env=self.environment,
            cwd=self.project,
            check=True,
        )
        return [json.loads(line) for line in run.stdout.decode().splitlines()]
