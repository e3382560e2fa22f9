"""The daemon: HTTP for agents and people, over `oldhand.confirm`.

Only this package knows HTTP; it needs the extra `serve`.
"""

from __future__ import annotations
