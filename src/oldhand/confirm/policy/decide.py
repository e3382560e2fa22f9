"""What a policy says of a call: deny > ask > standing grant > allow > default.

Every rule that matches has its say, whatever its place in the file. What is always risky
is asked at least. Where several rules of one effect match, the strictest of what they say
holds, and the most specific of them is shown as the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from oldhand.confirm.policy.always import Danger, find_danger
from oldhand.confirm.policy.file import Policy
from oldhand.confirm.policy.model import (
    ALWAYS_RISKY_PREFIX,
    DEFAULT,
    RISKS,
    STANDING_GRANT,
    Asked,
    Limit,
    Outcome,
    Remember,
    RememberLimits,
    Risk,
    Rule,
    Verdict,
)

_REMEMBER_BY_DEFAULT = RememberLimits(seconds=30 * 86_400, uses=None)


def _no_grant() -> bool:
    return False


def decide(
    policy: Policy, asked: Asked, *, has_standing_grant: Callable[[], bool] = _no_grant
) -> Verdict:
    """Say whether a call may run, must be asked about, or may not run.

    Args:
        policy: The policy that is in force.
        asked: The call.
        has_standing_grant: Called once, and only where one would make a difference.

    Example:
        >>> from oldhand.confirm.policy import read_policy
        >>> policy = read_policy('''
        ... version = 1
        ... [[rule]]
        ... id = "look"
        ... effect = "allow"
        ... match = { action = "Bash", details.command = { shell_all = ["git status*"] } }
        ... ''')
        >>> decide(policy, Asked("Bash", {"command": "git status -s"})).effect
        'allow'
        >>> decide(policy, Asked("Bash", {"command": "git status; make"})).rule
        'default'
        >>> decide(policy, Asked("Bash", {"command": "git push"})).rule
        'always-risky:publish'
    """
    matching = policy.index.matching(asked)
    denying = _of_effect(matching, "deny")
    if denying:
        return _by_rules("deny", denying, asked, None)
    danger = find_danger(asked, policy.index.shell_paths)
    asking = _of_effect(matching, "ask")
    if (asking or danger) and not (
        _may_be_remembered(asking, danger) and has_standing_grant()
    ):
        return _ask(asking, danger, asked)
    if asking or has_standing_grant():
        return _granted(asked)
    allowing = _of_effect(matching, "allow")
    if allowing:
        return _by_rules("allow", allowing, asked, None)
    return _by_default(policy, asked)


def _of_effect(rules: Sequence[Rule], effect: Outcome) -> list[Rule]:
    return [rule for rule in rules if rule.effect == effect]


def _may_be_remembered(asking: Sequence[Rule], danger: Danger | None) -> bool:
    """Say whether every rule that asks says itself that its answer may be remembered."""
    return danger is None and all(
        rule.remember not in {None, "never"} for rule in asking
    )


def _ask(asking: Sequence[Rule], danger: Danger | None, asked: Asked) -> Verdict:
    if asking:
        return _by_rules("ask", asking, asked, danger)
    name, why = danger or Danger("", "")
    return Verdict("ask", ALWAYS_RISKY_PREFIX + name, why, risk="high")


def _by_rules(
    effect: Outcome, rules: Sequence[Rule], asked: Asked, danger: Danger | None
) -> Verdict:
    """Say what rules of one effect say together, the most specific in front."""
    first = max(rules, key=lambda rule: rule.weight)
    why = first.why or _WHY[effect].format(first.id)
    if danger:
        why = f"{why.rstrip('.')}; besides: {danger.why}"
    ttls = [r.ttl_seconds for r in rules if r.ttl_seconds is not None]
    grant_ttls = [r.grant_ttl_seconds for r in rules if r.grant_ttl_seconds is not None]
    limits = [rule.limit for rule in rules if rule.limit is not None]
    return Verdict(
        effect,
        first.id,
        why,
        min(ttls, default=None),
        min(grant_ttls, default=None),
        "high" if danger else _risk(effect, rules, asked),
        min(limits, key=_rate, default=None),
        "never" if danger or effect != "ask" else _strictest(rules),
    )


_WHY: dict[Outcome, str] = {
    "deny": "The rule {} forbids it.",
    "ask": "The rule {} asks for a person.",
    "allow": "The rule {} allows it.",
}


def _rate(limit: Limit) -> float:
    return limit.calls / limit.window_seconds


def _strictest(rules: Sequence[Rule]) -> Remember:
    said = [rule.remember for rule in rules]
    if None in said or "never" in said:
        return "never"
    if "session" in said:
        return "session"
    limits = [each for each in said if isinstance(each, RememberLimits)]
    return RememberLimits(
        min((each.seconds for each in limits if each.seconds), default=None),
        min((each.uses for each in limits if each.uses), default=None),
    )


_RISK_OF: dict[Outcome, Risk] = {
    "deny": "high",
    "ask": "medium",
    "allow": "low",
    "granted": "low",
}


def _risk(effect: Outcome, rules: Sequence[Rule], asked: Asked) -> Risk:
    said = [rule.risk for rule in rules if rule.risk] or [_RISK_OF[effect]]
    return max(*said, _as_asked(asked), key=RISKS.index)


def _as_asked(asked: Asked) -> Risk:
    return next((risk for risk in RISKS if risk == asked.risk), "low")


def _granted(asked: Asked) -> Verdict:
    why = "A person said so for just this call, and it stands."
    return Verdict(
        "granted",
        STANDING_GRANT,
        why,
        risk=_risk("granted", (), asked),
        remember="never",
    )


def _by_default(policy: Policy, asked: Asked) -> Verdict:
    effect = policy.default
    why = "No rule says anything of it."
    remember: Remember = _REMEMBER_BY_DEFAULT if effect == "ask" else "never"
    return Verdict(
        effect, DEFAULT, why, risk=_risk(effect, (), asked), remember=remember
    )
