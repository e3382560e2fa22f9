"""What programs call the end of a call in a field named `status`: one table for all readers.

In small letters. Who reads a format that has a word of its own adds it there.
"""

from __future__ import annotations

SUCCEEDED = frozenset({"ok", "success", "succeeded", "completed"})

FAILED = frozenset({"error", "failed", "failure", "fail", "timeout"})

REFUSED = frozenset(
    {
        "approval_required",
        "blocked",
        "declined",
        "denied",
        "pending_approval",
        "refused",
        "rejected",
    }
)
"""By a person or a policy, or still waiting for one."""

CANCELLED = frozenset({"aborted", "canceled", "cancelled", "interrupted"})
