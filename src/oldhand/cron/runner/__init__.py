"""How an agent is run: by a command, or by any object that follows the Protocol."""

from __future__ import annotations

from oldhand.cron.runner.protocol import Control, Done, Runner, Stopped, Task

__all__ = ["Control", "Done", "Runner", "Stopped", "Task"]
