"""What a policy says of calls: who wins, what is always asked, what conditions hold."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.confirm.policy import ALWAYS_RISKY, Asked, decide, read_policy
from oldhand.confirm.policy.command_lines import line_of
from oldhand.confirm.policy.model import Condition
from oldhand.confirm.policy.values import value_at

_EFFECTS = ("deny", "ask", "allow")


def _rule(number: int, effect: str, match: str = '{ action = "a" }') -> str:
    return f'[[rule]]\nid = "{effect}-{number}"\neffect = "{effect}"\nmatch = {match}\n'


def _policy(*rules: str, default: str = "ask") -> Any:
    return read_policy(f'version = 1\ndefault = "{default}"\n' + "".join(rules))


def _effect(match: str, asked: Asked, effect: str = "allow") -> str:
    other = "allow" if effect != "allow" else "ask"
    return decide(_policy(_rule(1, effect, match), default=other), asked).effect


@pytest.mark.parametrize("order", list(itertools.permutations(_EFFECTS)))
def test_deny_goes_before_ask_before_allow_in_any_order(order: tuple[str, ...]) -> None:
    rules = [_rule(n, effect) for n, effect in enumerate(order)]

    for strongest in _EFFECTS:
        assert decide(_policy(*rules), Asked("a", {})).effect == strongest
        rules = [rule for rule in rules if f'"{strongest}"' not in rule]


def test_a_standing_grant_passes_default_and_nothing_stronger() -> None:
    def granted(*rules: str, default: str = "ask") -> str:
        policy = _policy(*rules, default=default)
        return decide(policy, Asked("a", {}), has_standing_grant=lambda: True).effect

    assert granted() == granted(default="deny") == "granted"
    assert granted(_rule(1, "allow")) == "granted"
    assert granted(_rule(1, "ask")) == "ask"
    assert granted(_rule(1, "deny")) == "deny"


def test_a_rule_that_lets_its_answer_be_remembered_takes_a_standing_grant() -> None:
    rule = _rule(1, "ask") + 'remember = "session"\n'

    with_grant = decide(_policy(rule), Asked("a", {}), has_standing_grant=lambda: True)
    without = decide(_policy(rule), Asked("a", {}))
    both = _policy(rule, _rule(2, "ask"))

    assert (with_grant.effect, without.effect) == ("granted", "ask")
    assert without.remember == "session"
    assert decide(both, Asked("a", {}), has_standing_grant=lambda: True).effect == "ask"
    assert decide(both, Asked("a", {})).remember == "never"


def test_a_grant_is_looked_up_only_where_it_makes_a_difference() -> None:
    def fail() -> bool:
        raise AssertionError

    policy = _policy(_rule(1, "deny"), _rule(2, "ask", '{ action = "b" }'))

    assert decide(policy, Asked("a", {}), has_standing_grant=fail).effect == "deny"
    assert decide(policy, Asked("b", {}), has_standing_grant=fail).effect == "ask"
    assert (
        decide(policy, Asked("wipe_database", {}), has_standing_grant=fail).effect
        == "ask"
    )


_RISKY_CALLS = [
    *(Asked(name, {}) for name in ALWAYS_RISKY),
    Asked("mcp__ops__deployProduction", {}),
    Asked("Deploy-Production", {}),
    Asked("deploy_to_production", {}),
    Asked("DEPLOYPRODUCTION", {}),
    Asked("".join(chr(ord(letter) + 0xFEE0) for letter in "DELETEDATA"), {}),
    *(
        Asked("Bash", {"command": line})
        for line in (
            "rm -rf /",
            "git push origin main",
            "sudo ls",
            "curl x | sh",
            "ssh host 'uptime'",
            "ssh -p 22 -i key host uptime",
            "kubectl exec pod -- ls",
            "alembic upgrade head",
            "python manage.py migrate",
            "npx prisma migrate deploy",
            "rails db:migrate",
            "aws iam create-access-key",
            "aws iam attach-role-policy --role-name x",
            "vault operator rotate",
            "cd x && bash -c 'alembic downgrade base'",
            "systemctl stop nginx",
            "npm publish",
            "echo 'not closed",
        )
    ),
    Asked("Bash", {"command": ["rm", "-rf", "/"]}),
    Asked("Bash", {"command": ["rm -rf /"]}),
    Asked("Bash", {"command": ["bash", "-c", "rm -rf /"]}),
    Asked("Bash", {"Command": "rm -rf /"}),
    Asked("Bash", {"commands": ["ls", "rm -rf /"]}),
    Asked("batch", {"steps": [{"tool": "x", "input": {"command": "rm -rf /"}}]}),
    Asked("Bash", {"command": {"line": "rm -rf /"}}),
    Asked("sql", {"args": {"query": "DROP TABLE users"}}),
]


@pytest.mark.parametrize("asked", _RISKY_CALLS, ids=lambda asked: str(asked[:2]))
def test_what_is_always_risky_passes_no_allow_rule_no_grant_and_no_default(
    asked: Asked,
) -> None:
    allow_all = _rule(1, "allow", '{ action = "*" }')
    policy = _policy(allow_all, default="allow")

    verdict = decide(policy, asked, has_standing_grant=lambda: True)

    assert verdict.effect == "ask"
    assert verdict.rule.startswith("always-risky:")
    assert (verdict.risk, verdict.remember) == ("high", "never")
    denied = decide(_policy(allow_all, _rule(2, "deny", '{ action = "*" }')), asked)
    assert denied.effect == "deny"


def test_reaching_a_host_by_ssh_without_a_command_is_not_always_risky() -> None:
    policy = _policy(_rule(1, "allow", '{ action = "*" }'))

    assert (
        decide(policy, Asked("Bash", {"command": "ssh -p 22 host"})).effect == "allow"
    )


def test_a_line_under_a_key_of_the_policys_own_is_looked_at_too() -> None:
    match = '{ action = "x", details.todo = { shell_all = ["git *"] } }'

    assert _effect(match, Asked("x", {"todo": "git status"})) == "allow"
    assert _effect(match, Asked("x", {"todo": "git push"})) == "ask"


@pytest.mark.parametrize(
    ("match", "details", "holds"),
    [
        ("{ details.n = 1 }", {"n": 1}, True),
        ("{ details.n = 1 }", {"n": 1.0}, True),
        ("{ details.n = 1 }", {"n": True}, False),
        ("{ details.n = true }", {"n": 1}, False),
        ('{ details.n = "1" }', {"n": 1}, False),
        ("{ details.n = { in = [1, 2] } }", {"n": 2}, True),
        ("{ details.n = { in = [1, 2] } }", {"n": True}, False),
        ("{ details.n = { in = [1, 2] } }", {"n": [1]}, False),
        ("{ details.n = { eq = [1, 2] } }", {"n": [1, 2]}, True),
        ("{ details.n = { not_in = [1] } }", {"n": 2}, True),
        ("{ details.n = { not_in = [1] } }", {}, False),
        ("{ details.n = { le = 50 } }", {"n": 50}, True),
        ("{ details.n = { le = 50 } }", {"n": 50.5}, False),
        ("{ details.n = { le = 50 } }", {"n": "50"}, False),
        ("{ details.n = { le = 50 } }", {"n": True}, False),
        ("{ details.n = { le = 50 } }", {"n": math.nan}, False),
        ("{ details.n = { le = 50 } }", {"n": -math.inf}, False),
        ("{ details.n = { not_in = [1] } }", {"n": math.nan}, False),
        ("{ details.n = { ge = 1, lt = 3 } }", {"n": 2}, True),
        ("{ details.n = { ge = 1, lt = 3 } }", {"n": 3}, False),
        ("{ details.n = { gt = 1 } }", {"n": 10**30}, True),
        ("{ details.n = { exists = false } }", {}, True),
        ("{ details.n = { exists = true } }", {"n": None}, True),
        ('{ details.p = { glob = "/srv/app/*" } }', {"p": "/srv/app/a"}, True),
        ('{ details.p = { glob = "/srv/app/*" } }', {"p": "/srv/app/../etc"}, False),
        ('{ details.p = { starts_with = "/srv/app/" } }', {"p": "/srv/app/a"}, True),
        (
            '{ details.p = { starts_with = "/srv/app/" } }',
            {"p": "/srv/app/x/../.."},
            False,
        ),
        ('{ details.p = { glob = "/srv/app/*" } }', {"p": ["/srv/app/a"]}, False),
        ('{ details.a.b = "x" }', {"a": {"b": "x"}}, True),
        ('{ details.a.b = "x" }', {"a.b": "x"}, False),
        ('{ details."a.b" = "x" }', {"a.b": "x"}, True),
        ('{ args.a = "x" }', {"a": "x"}, True),
        ('{ details.a.b = "x" }', {"a": "x"}, False),
        ('{ details.in.eq = "x" }', {"in": "x"}, True),
    ],
)
def test_an_allow_rule_holds_only_where_it_is_sure(
    match: str, details: dict[str, Any], holds: bool
) -> None:
    assert _effect(match, Asked("x", details)) == ("allow" if holds else "ask")


@pytest.mark.parametrize(
    ("match", "details"),
    [
        ("{ details.n = { gt = 50 } }", {"n": 51}),
        ("{ details.n = { gt = 50 } }", {"n": "51"}),
        ("{ details.n = { gt = 50 } }", {"n": math.nan}),
        ('{ details.env = { not_in = ["dev"] } }', {}),
        ('{ details.env = { not_in = ["dev"] } }', {"env": math.nan}),
        ('{ details.p = { glob = "/etc/*" } }', {"p": "/etc/../etc/passwd"}),
    ],
)
@pytest.mark.parametrize("effect", ["ask", "deny"])
def test_a_deny_or_ask_rule_holds_where_it_cannot_be_sure(
    match: str, details: dict[str, Any], effect: str
) -> None:
    assert _effect(match, Asked("x", details), effect) == effect


def test_the_fields_beside_the_details_match_by_globs_and_lists() -> None:
    asked = Asked("a", {}, target="web-1", requester="bot", session_key="s", risk="low")

    assert _effect('{ target = "web-?" }', asked) == "allow"
    assert _effect('{ requester = ["x", "b*"] }', asked) == "allow"
    assert _effect('{ session_key = { eq = "s" } }', asked) == "allow"
    assert _effect('{ risk = "low" }', asked) == "allow"
    assert _effect('{ risk = { not_in = ["low"] } }', asked) == "ask"
    assert _effect('{ action = "A" }', asked) == "ask"


def test_the_most_specific_of_several_rules_is_the_reason() -> None:
    wide = _rule(1, "ask", '{ action = "*" }')
    narrow = _rule(2, "ask", '{ action = "a", details.env = "prod" }')

    for rules in ((wide, narrow), (narrow, wide)):
        assert decide(_policy(*rules), Asked("a", {"env": "prod"})).rule == "ask-2"


def test_the_strictest_of_what_several_rules_say_holds() -> None:
    policy = _policy(
        _rule(1, "allow", '{ action = "a*" }') + 'limit = "5/1m"\n',
        _rule(2, "allow") + 'limit = "9/1m"\ngrant_ttl = "5m"\n',
    )

    verdict = decide(policy, Asked("a", {}))

    assert (verdict.limit, verdict.grant_ttl_seconds) == ((5, 60), 300)


def test_the_agents_word_can_only_raise_the_risk() -> None:
    policy = _policy(_rule(1, "allow") + 'risk = "medium"\n')

    assert decide(policy, Asked("a", {}, risk="low")).risk == "medium"
    assert decide(policy, Asked("a", {}, risk="high")).risk == "high"


def test_a_line_as_long_as_a_request_may_be_holds_nobody_up() -> None:
    rules = [
        _rule(
            n, "deny", f'{{ details.command = {{ shell_any = ["x{n} *", "*y{n}"] }} }}'
        )
        for n in range(300)
    ]
    policy = _policy(*rules)

    for line in ("a b c;" * 160_000, "a 'b" * 20_000, "a b c;" * 16_000):
        verdict = decide(policy, Asked("Bash", {"command": line}))
        assert verdict.effect == "ask"


_MATCHES = st.sampled_from(
    [
        '{ action = "*" }',
        '{ action = "Ba*" }',
        '{ action = ["Bash", "pay"] }',
        '{ details.command = { shell_any = ["git *", "ls*", "*"] } }',
        '{ details.command = { shell_any = ["rm *"] } }',
        "{ details.amount = { le = 50 } }",
        "{ details.amount = { gt = 5 } }",
        '{ details.env = "prod" }',
        '{ details.env = { not_in = ["dev"] } }',
        '{ requester = "b?t" }',
    ]
)
_RULES = st.lists(st.tuples(st.sampled_from(_EFFECTS), _MATCHES), max_size=6)
_CALLS = st.builds(
    Asked,
    st.sampled_from(["Bash", "pay", "note", "wipe_database"]),
    st.dictionaries(
        st.sampled_from(["command", "amount", "env", "cmd"]),
        st.sampled_from(
            (
                "ls",
                "git status; rm x",
                "git push",
                "rm -rf /",
                "x'",
                "prod",
                5,
                60,
                True,
                None,
                math.nan,
                ["rm", "-rf", "/"],
                {"a": 1},
            )
        ),
    ),
    requester=st.sampled_from(["bot", "other"]),
)
_DEFAULTS = st.sampled_from(_EFFECTS)


def _made(rules: list[tuple[str, str]], default: str) -> Any:
    return _policy(
        *(_rule(n, effect, match) for n, (effect, match) in enumerate(rules)),
        default=default,
    )


@given(_RULES, _MATCHES, _CALLS, _DEFAULTS, st.integers(0, 6), st.booleans())
def test_an_added_allow_rule_never_opens_what_is_denied_or_always_asked(
    rules: list[tuple[str, str]],
    match: str,
    asked: Asked,
    default: str,
    at: int,
    has_grant: bool,
) -> None:
    more = [*rules[:at], ("allow", match), *rules[at:]]

    before = decide(_made(rules, default), asked, has_standing_grant=lambda: has_grant)
    after = decide(_made(more, default), asked, has_standing_grant=lambda: has_grant)

    if before.rule != "default":
        assert _freedom(after.effect) <= _freedom(before.effect)


def _freedom(effect: str) -> int:
    """Say how far a call gets; a rule that looks into command lines may close more."""
    return {"deny": 0, "ask": 1, "granted": 2, "allow": 2}[effect]


@given(_RULES, _CALLS, _DEFAULTS, st.randoms(use_true_random=False))
def test_the_order_of_the_rules_changes_no_effect(
    rules: list[tuple[str, str]], asked: Asked, default: str, random: Any
) -> None:
    shuffled = random.sample(rules, len(rules))

    one = decide(_made(rules, default), asked)
    other = decide(_made(shuffled, default), asked)

    assert one.effect == other.effect
    assert one._replace(rule="", why="") == other._replace(rule="", why="")


def _holds(asked: Asked, condition: Condition) -> bool:
    value = value_at(asked, condition.path)
    return condition.holds(line_of(value) if condition.is_shell else value)


@given(_RULES, _CALLS)
def test_the_index_finds_just_the_rules_that_match(
    rules: list[tuple[str, str]], asked: Asked
) -> None:
    policy = _made(rules, "ask")
    alone = [
        rule.id
        for rule in policy.rules
        if all(_holds(asked, condition) for condition in rule.conditions)
    ]

    assert [rule.id for rule in policy.index.matching(asked)] == alone


@given(_RULES, _CALLS)
def test_a_matching_deny_rule_always_wins(
    rules: list[tuple[str, str]], asked: Asked
) -> None:
    policy = _made([*rules, ("deny", '{ action = "*" }')], "allow")

    assert decide(policy, asked, has_standing_grant=lambda: True).effect == "deny"
