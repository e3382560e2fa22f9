"""A policy, what is asked of it, and what it says: plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

Effect = Literal["allow", "ask", "deny"]
Outcome = Literal["allow", "ask", "deny", "granted"]
Risk = Literal["low", "medium", "high"]

EFFECTS: tuple[Effect, ...] = ("allow", "ask", "deny")
RISKS: tuple[Risk, ...] = ("low", "medium", "high")

DEFAULT = "default"
STANDING_GRANT = "standing-grant"
ALWAYS_RISKY_PREFIX = "always-risky:"
NAMES_OF_OURS = frozenset({DEFAULT, STANDING_GRANT})
"""What stands in a verdict where no rule of the file decided; no rule may be called so."""

Test = Callable[[object], bool]


class Missing:
    """Stands for a field that is not there."""


MISSING = Missing()


class Asked(NamedTuple):
    """An action that somebody wants to take.

    Attributes:
        action: A name, as of a tool.
        details: What it would be done with; JSON values, all that is approved.
        target: What it would be done to, where that is said apart.
        requester: Who asks, by name.
        session_key: The agent's session.
        risk: low, medium or high, as the agent says, or empty.
    """

    action: str
    details: Mapping[str, Any]
    target: str = ""
    requester: str = ""
    session_key: str = ""
    risk: str = ""


class RememberLimits(NamedTuple):
    """How long, and how often, a decision may be remembered as a standing grant.

    Attributes:
        seconds: None: as long as the person says.
        uses: None: as often as the person says.
    """

    seconds: int | None
    uses: int | None


Remember = Literal["never", "session"] | RememberLimits


class Limit(NamedTuple):
    """So many calls of one requester pass within a window."""

    calls: int
    window_seconds: int


class Verdict(NamedTuple):
    """What the policy says.

    Attributes:
        effect: `granted` where a standing grant lets it pass.
        rule: The id of the rule, `always-risky:NAME`, `standing-grant` or `default`.
        why: One sentence for the person who decides, or the agent that may not.
        ttl_seconds: How long the request waits for a person; None: as usual.
        grant_ttl_seconds: How long an approval waits to be used; None: as usual.
        risk: The greatest of what the rule, the list and the agent say.
        limit: How many of a requester pass by this rule in so many seconds.
        remember: What may be made of an approval.
    """

    effect: Outcome
    rule: str
    why: str
    ttl_seconds: int | None = None
    grant_ttl_seconds: int | None = None
    risk: Risk = "medium"
    limit: Limit | None = None
    remember: Remember = "never"


class Condition(NamedTuple):
    """One thing that must hold of a call for a rule to match.

    Attributes:
        path: `("action",)`, or `("details", "env", "name")`.
        operator: As in the file: `eq`, `glob`, `shell_any` …
        operand: As in the file, checked.
        holds: Says whether a value, perhaps `MISSING`, is what the operand asks for.
        anchors: What the value must be equal to, begin with or run, for the index: a call
            that has none of these cannot match. Empty: nothing can be said beforehand.
        weight: How much it narrows down: the literal characters in it.
    """

    path: tuple[str, ...]
    operator: str
    operand: object
    holds: Test
    anchors: tuple[Anchor, ...] = ()
    weight: int = 1

    @property
    def is_shell(self) -> bool:
        """Whether `holds` takes a command line, read, instead of the value."""
        return self.operator.startswith("shell_")


class Anchor(NamedTuple):
    """A necessary feature of the calls that a condition matches.

    Attributes:
        kind: `equal` to a value, beginning with a `prefix`, with a text somewhere `inside`,
            or a command line one of whose parts runs this `program`.
        path: Of the value.
        value: A value with its kind (`values.key_of`), a text, or a program.
    """

    kind: Literal["equal", "prefix", "inside", "program"]
    path: tuple[str, ...]
    value: object


class Rule(NamedTuple):
    """One rule of a policy.

    Attributes:
        id: Unique, stable: audit rows refer to it.
        effect: What it says where all conditions hold.
        conditions: At least one.
        why: A sentence of the author's, or empty.
        remember: None where the file does not say.
    """

    id: str
    effect: Effect
    conditions: tuple[Condition, ...]
    why: str = ""
    ttl_seconds: int | None = None
    grant_ttl_seconds: int | None = None
    risk: Risk | None = None
    limit: Limit | None = None
    remember: Remember | None = None

    @property
    def weight(self) -> tuple[int, int]:
        """Conditions first, then literal characters."""
        return len(self.conditions), sum(c.weight for c in self.conditions)
