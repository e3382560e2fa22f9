"""oldhand inside other people's agents: each in a folder of its own, nothing in this file.

`hook_process` imports this package in every hook that an agent waits for.
"""

from __future__ import annotations
