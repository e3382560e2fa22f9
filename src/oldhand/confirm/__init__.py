"""What may run: actions held for a person, what the person said, and the proof of it.

No HTTP in here; that is `web`. Every function that changes something does it in one
transaction together with its row in the audit log, and joins the one that is open.
"""

from __future__ import annotations
