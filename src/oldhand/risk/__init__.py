"""Actions that a person should see first, whoever asks for them.

The list is data (`rules.RULES`): each rule has a stable name, one sentence why, and what
it matches, as command lines and as names of tools. Mining never shows a call that is on
it; a confirm policy starts from it. Being absent from the list proves nothing.
"""

from __future__ import annotations

from oldhand.risk.calls import Risk, assess, is_risky
from oldhand.risk.rules import RULES, Rule

__all__ = ["RULES", "Risk", "Rule", "assess", "is_risky"]
