"""What would spare a person questions: few allow rules and standing grants, the best first.

Nothing that is always risky, and nothing that a rule asks about or forbids, is ever
proposed to be let through: only what no rule says anything of.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from oldhand.canonical_json import canonical_json
from oldhand.confirm.policy import Asked, Policy, Verdict, literal_matcher
from oldhand.confirm.policy import Literal as LiteralCall
from oldhand.confirm.policy.model import DEFAULT, NAMES_OF_OURS
from oldhand.confirm.replay.family_choice import Gathered, best_family
from oldhand.confirm.replay.judged import Same, judged
from oldhand.confirm.replay.wide_rules import (
    Plain,
    name_of,
    path_key_of,
    rule_text,
    shapes_of,
)

_WORTH_IT = 2
"""Calls that a proposal cuts at least."""
_MAX_EXAMPLES = 3
_MAX_EXAMPLE_CHARS = 200


class Proposal(NamedTuple):
    """What would spare questions.

    Attributes:
        kind: An allow `rule` to paste into the policy file, or a standing `grant`.
        cuts: Calls of those given that it alone, after the proposals before, would let pass.
        text: The rule as TOML; of a grant the call as canonical JSON.
        literal: Of a grant, what would be remembered.
        examples: Some of the calls, shortened.
    """

    kind: Literal["rule", "grant"]
    cuts: int
    text: str
    literal: LiteralCall | None
    examples: tuple[str, ...]


def propose(
    policy: Policy, calls: Iterable[Asked], *, at_most: int = 10
) -> list[Proposal]:
    """Find what would cut the questions most, the best first, each for what is then left.

    Args:
        policy: The policy that asks now.
        calls: What was asked for, as often as it was.
        at_most: How many proposals.
    """
    gathered = Gathered(s for s in judged(policy, calls) if _may_pass(s.verdict))
    path_keys = {
        same.asked.action: key
        for same in gathered.left.values()
        if (key := path_key_of(same.asked))
    }
    taken = {rule.id for rule in policy.rules} | NAMES_OF_OURS
    proposals: list[Proposal] = []
    while gathered.left and len(proposals) < at_most:
        proposal, covered = _best(gathered, path_keys, taken)
        if proposal.cuts < _WORTH_IT:
            break
        proposals.append(proposal)
        gathered.drop(covered)
    return proposals


def _may_pass(verdict: Verdict) -> bool:
    return verdict.effect == "ask" and verdict.rule == DEFAULT


def _best(
    gathered: Gathered, path_keys: Mapping[str, str], taken: set[str]
) -> tuple[Proposal, Iterable[int]]:
    """Choose between the best rule and a grant for what was said most often, literally."""
    number, same = max(gathered.left.items(), key=lambda each: each[1].times)
    choice = best_family(gathered.members)
    family, covered = choice.family, tuple(choice.covered.values())
    if family is None or choice.cuts < same.times:
        return _grant(same), (number,)
    if isinstance(family, Plain):
        family = family._replace(absent=path_keys.get(family.action, ""))
    shapes: set[str] = set()
    for each in covered:
        shapes |= shapes_of(each.asked)
    rule_id = _free_id(name_of(family), taken)
    taken.add(rule_id)
    text = rule_text(rule_id, family, shapes)
    return Proposal("rule", choice.cuts, text, None, _examples(covered)), choice.covered


def _grant(same: Same) -> Proposal:
    literal = literal_matcher(same.asked)
    text = canonical_json(literal)
    return Proposal("grant", same.times, text, literal, _examples([same]))


def _free_id(name: str, taken: set[str]) -> str:
    number = 1
    rule_id = name
    while rule_id in taken:
        number += 1
        rule_id = f"{name}-{number}"
    return rule_id


def _examples(covered: Sequence[Same]) -> tuple[str, ...]:
    often = sorted(covered, key=lambda same: -same.times)[:_MAX_EXAMPLES]
    return tuple(_example(same.asked) for same in often)


def _example(asked: Asked) -> str:
    try:
        text = f"{asked.action} {canonical_json(asked.details)}"
    except (TypeError, ValueError):  # NaN, or no JSON at all
        text = f"{asked.action} {asked.details!r}"
    if len(text) > _MAX_EXAMPLE_CHARS:
        text = text[: _MAX_EXAMPLE_CHARS - 1] + "…"
    return text
