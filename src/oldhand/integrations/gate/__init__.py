"""Hold an action for a person: the client of the daemon, and what runs nothing without it.

Everything here fails closed: where the daemon does not answer, or answers something that
is not understood to the letter, nothing runs.
"""

from __future__ import annotations
