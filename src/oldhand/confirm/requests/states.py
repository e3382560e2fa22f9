"""What a request may be, and what may become of it: the one table of it, as data.

A request is asked for (`pending`), or decided at once by a rule or a standing grant
(`auto_approved`, `blocked`). Silence is never consent: what nobody decides expires, and an
approval that nobody uses lapses.
"""

from __future__ import annotations

from types import MappingProxyType

TRANSITIONS = MappingProxyType(
    {
        "pending": ("approved", "denied", "expired", "cancelled"),
        "approved": ("consumed", "lapsed", "revoked"),
        "auto_approved": ("consumed", "lapsed", "revoked"),
        "consumed": ("succeeded", "failed", "unknown"),
        "denied": (),
        "expired": (),
        "cancelled": (),
        "lapsed": (),
        "revoked": (),
        "succeeded": (),
        "failed": (),
        "unknown": (),
        "blocked": (),
    }
)
"""The states that may follow each state."""

STATES = tuple(TRANSITIONS)
BEGINNINGS = ("pending", "auto_approved", "blocked")
FINAL = frozenset(state for state, after in TRANSITIONS.items() if not after)
USABLE = ("approved", "auto_approved")
"""From which a grant can be had, once."""

WHEN_OVERDUE = MappingProxyType(
    {
        "pending": "expired",
        "approved": "lapsed",
        "auto_approved": "lapsed",
        "consumed": "unknown",
    }
)
"""What becomes of a request at its `expires_at`."""

WHYS = MappingProxyType(
    {
        "denied": "it was denied",
        "expired": "nobody decided in time",
        "cancelled": "the requester cancelled it",
        "lapsed": "its approval was not used in time",
        "revoked": "its approval was taken back",
        "blocked": "a rule blocks it",
        "not_approved": "nobody has decided yet",
        "already_decided": "it was decided already",
        "already_consumed": "its grant was used already: one approval runs once",
        "details_mismatch": "what was presented is not what was approved",
        "policy_changed": "the policy has changed since it was asked, and says otherwise",
        "stale": "it has changed since it was shown: look at it again",
        "stopped": "the stop switch is on: nothing is approved or used",
        "key_reused": "the idempotency key was used for something else",
        "not_consumed": "its grant was not used, so that there is no result",
    }
)
"""Why a request cannot be what somebody wants it to be."""
