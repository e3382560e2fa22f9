"""A policy tried on calls that were made: what it would have asked, allowed and denied.

What would spare the questions is found by `propose`, which lives in `proposals`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from oldhand.confirm.policy import Asked, Policy
from oldhand.confirm.policy.model import ALWAYS_RISKY_PREFIX
from oldhand.confirm.replay.judged import judged
from oldhand.confirm.replay.proposals import Proposal, propose
from oldhand.confirm.replay.wide_rules import first_word

__all__ = ["Fates", "Proposal", "Replay", "propose", "replay"]


class Fates(NamedTuple):
    """How many calls met one fate.

    Attributes:
        name: A rule, or an action.
        word: For an action the program that its command line runs first, or empty.
    """

    name: str
    word: str
    asked: int
    allowed: int
    denied: int


class Replay(NamedTuple):
    """What a policy would have said of calls.

    Attributes:
        calls: All.
        asked: A person would have been asked.
        allowed: By a rule or the default.
        denied: By a rule or the default.
        always_asked: Of those asked, the ones that are always risky.
        by_rule: Most calls first.
        by_command: Per action and first program, the most asked first.
    """

    calls: int
    asked: int
    allowed: int
    denied: int
    always_asked: int
    by_rule: tuple[Fates, ...]
    by_command: tuple[Fates, ...]


def replay(policy: Policy, calls: Iterable[Asked]) -> Replay:
    """Count what a policy would have said of each of many calls.

    Args:
        policy: The policy; standing grants are not looked at, and limits not kept.
        calls: In any order, as many as there are; equal ones are judged once.
    """
    fates: Counter[str] = Counter()
    by_rule: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    by_command: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    always = 0
    for asked, times, verdict in judged(policy, calls):
        fates[verdict.effect] += times
        by_rule[verdict.rule, ""][verdict.effect] += times
        by_command[asked.action, first_word(asked)][verdict.effect] += times
        always += times * verdict.rule.startswith(ALWAYS_RISKY_PREFIX)
    return Replay(
        fates.total(),
        fates["ask"],
        fates["allow"],
        fates["deny"],
        always,
        _counts(by_rule, by_fate=False),
        _counts(by_command, by_fate=True),
    )


def _counts(
    fates: Mapping[tuple[str, str], Counter[str]], *, by_fate: bool
) -> tuple[Fates, ...]:
    counts = [
        Fates(name, word, fate["ask"], fate["allow"], fate["deny"])
        for (name, word), fate in fates.items()
    ]
    counts.sort(key=lambda c: (-c.asked if by_fate else 0, -sum(c[2:]), c.name, c.word))
    return tuple(counts)
