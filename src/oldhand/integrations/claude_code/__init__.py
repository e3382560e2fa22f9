"""oldhand inside Claude Code: hooks in its settings, and sessions to resume from.

What Claude Code sends and takes is its own, changes weekly and is documented in words only;
so what is read is read by shape, what is unknown is passed over, and what is written is the
least that all versions take.
"""

from __future__ import annotations
