"""What may run without a person, what a person decides, and what may not run at all.

Pure: a text and a call go in, a verdict comes out; no database, no clock, no file.
"""

from __future__ import annotations

from oldhand.confirm.policy.always import ALWAYS_RISKY
from oldhand.confirm.policy.decide import decide
from oldhand.confirm.policy.default import DEFAULT_POLICY_TEXT, EXPLANATION
from oldhand.confirm.policy.file import Policy, read_policy
from oldhand.confirm.policy.literals import (
    Literal,
    literal_matcher,
    matches_literal,
)
from oldhand.confirm.policy.model import (
    Asked,
    Limit,
    RememberLimits,
    Rule,
    Verdict,
)

__all__ = [
    "ALWAYS_RISKY",
    "DEFAULT_POLICY_TEXT",
    "EXPLANATION",
    "Asked",
    "Limit",
    "Literal",
    "Policy",
    "RememberLimits",
    "Rule",
    "Verdict",
    "decide",
    "literal_matcher",
    "matches_literal",
    "read_policy",
]
