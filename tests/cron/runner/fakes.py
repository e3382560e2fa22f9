"""A run's line to its scheduler, and agents, for tests."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from oldhand.cron.model import Limits
from oldhand.cron.processes import Process
from oldhand.cron.runner import Stopped, Task

_AGENT = """#!{python}
import json, os, sys
seen = {{"words": sys.argv[1:], "stdin": sys.stdin.read(), "environment": dict(os.environ),
        "cwd": os.getcwd()}}
with open({seen!r}, "w") as file:
    json.dump(seen, file)
{body}
"""


class Line:
    """Keeps what a runner says; limits as a run has them."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.stop_reason = ""
        self.said = ""
        self.child: Process | None = None
        self.is_said = threading.Event()
        self.on_say: Callable[[str], None] = lambda _: None
        self._limits = limits or Limits()

    def say(self, text: str) -> None:
        """Keep it."""
        self.said += text
        self.is_said.set()
        self.on_say(text)

    def used(
        self,
        *,
        turns: int | None = None,
        tokens: int | None = None,
        cost_usd: float | None = None,
    ) -> None:
        """Hold it against the limits."""
        said = {"turns": turns, "tokens": tokens, "cost_usd": cost_usd}
        for name, used in said.items():
            most = getattr(self._limits, name)
            if used is not None and most is not None and used > most:
                raise Stopped(f"limit of {name}: {used:g} used")

    def child_is(self, child: Process | None) -> None:
        """Remember it."""
        self.child = child


class FakeAgent:
    """A program that writes down how it was run, prints, and ends."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder / "bin"
        self.folder.mkdir(exist_ok=True)
        self._seen = folder / f"{name}.json"
        self._file = self.folder / name
        self.runs("pass")

    def prints(self, text: str, *, code: int = 0, error: str = "") -> None:
        """Have it print, and end."""
        body = (
            f"sys.stdout.write({text!r}); sys.stdout.flush()\n"
            f"sys.stderr.write({error!r})\nsys.exit({code})"
        )
        self.runs(body)

    def runs(self, body: str) -> None:
        """Have it do what Python says."""
        text = _AGENT.format(python=sys.executable, seen=str(self._seen), body=body)
        self._file.write_text(text)
        self._file.chmod(0o755)

    @property
    def seen(self) -> dict[str, Any]:
        """Return how it was run."""
        found: dict[str, Any] = json.loads(self._seen.read_text())
        return found

    @property
    def has_run(self) -> bool:
        """Whether it was run."""
        return self._seen.exists()

    @property
    def environment(self) -> dict[str, str]:
        """In which it is found."""
        home = str(self.folder.parent)
        return {"PATH": f"{self.folder}:{os.defpath}", "HOME": home}


def task(*command: str, prompt: str = "Do it.", **said: Any) -> Task:
    return Task(7, "nightly", prompt, command=command, session_key="run-7", **said)
