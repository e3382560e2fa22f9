"""What the log tells of: the kinds of its rows."""

from __future__ import annotations

KINDS = (
    "asked", "auto_approved", "blocked", "approved", "denied", "expired", "cancelled",
    "lapsed", "revoked", "consumed", "succeeded", "failed", "unknown",
    "standing_grant_added", "standing_grant_revoked", "policy_put", "policy_refused",
    "principal_added", "principal_disabled", "token_issued", "credential_revoked",
    "link_made", "password_set", "signed_in", "signed_out", "refused",
    "stopped", "resumed", "solo_on", "solo_off", "clock_set_back", "clock_leapt",
)  # fmt: skip
"""Requests first, then leave beforehand and the policy, people, and the daemon itself."""
