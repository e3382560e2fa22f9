"""Policy files: refused where they are not understood whole, with the place."""

from __future__ import annotations

import pytest

from oldhand.confirm.policy import (
    DEFAULT_POLICY_TEXT,
    Asked,
    Limit,
    RememberLimits,
    decide,
    read_policy,
)
from oldhand.errors import InvalidInput

HEAD = "version = 1\n"
RULE = '[[rule]]\nid = "r"\neffect = "ask"\nmatch = { action = "a" }\n'


def _with(line: str, effect: str = "ask") -> str:
    return f'{HEAD}[[rule]]\nid = "r"\neffect = "{effect}"\n{line}\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["version is None", "expected 1"]),
        ("version = 2\n", ["line 1", "version is 2"]),
        ("version = true\n", ["version is True"]),
        ("version = 1\nlimit = 3\n", ["line 2", "limit: 3 is no limit"]),
        ('version = 1\nlimit = "0/1h"\n', ["limit: '0/1h' is no limit"]),
        (HEAD + 'defualt = "ask"\n', ["line 2", "'defualt'", "default"]),
        (HEAD + 'default = "maybe"\n', ["line 2", "'maybe'", "allow, ask or deny"]),
        (HEAD + "default =\n", ["no TOML", "line 2"]),
        (HEAD + RULE + RULE, ["line 7", "'r'", "stands twice"]),
        (HEAD + "rule = 3\n", ["[[rule]]"]),
        (HEAD + "rule = [3]\n", ["rule 1 is 3"]),
        (HEAD + '[[rule]]\neffect = "ask"\n', ["line 2", "rule 1", "id is missing"]),
        (HEAD + RULE.replace('"r"', '"default"'), ["name of ours"]),
        (HEAD + RULE.replace('"r"', '"a b"'), ["'a b'", "letters"]),
        (HEAD + RULE.replace('"ask"', '"alow"'), ["line 4", "'alow'"]),
        (_with("match = {}"), ["line 5", "match is {}"]),
        (_with('match = { acton = "a" }'), ["rule 'r'", "'acton'", "session_key"]),
        (_with("match = { action = 3 }"), ["match.action is 3"]),
        (_with("match = { action = [] }"), ["match.action", "something in it"]),
        (_with('match = { action = { shell_any = ["a"] } }'), ["'shell_any'", "glob"]),
        (_with('match = { risk = "huge" }'), ["'huge'", "low, medium or high"]),
        (_with("match = { details.a.eqq = 3, details.a.eq = 3 }"), ["'eqq'"]),
        (_with("match = { details.a = {} }"), ["match.details.a", "empty"]),
        (_with("match = { details.n = { le = nan } }"), ["finite"]),
        (_with("match = { details.n = { le = true } }"), ["True", "finite"]),
        (_with("match = { details.n = { eq = inf } }"), ["inf"]),
        (_with("match = { details.d = 2026-01-01 }"), ["details.d"]),
        (_with('match = { details.p = "/tmp/*" }'), ["{ glob = … }"]),
        (_with('match = { details.p = ["a"] }'), ["{ in = […] }"]),
        (_with('match = { details.p = { exists = "yes" } }'), ["true or false"]),
        (_with('match = { details.c = { shell_all = ["a"] } }'), ["shell_any"]),
        (_with('match = { details.c = { shell_any = ["a  b"] } }'), ["one blank"]),
        (_with('match = { details.c = { shell_any = "a" } }'), ["list"]),
        (_with('match = { action = "a" }\nttl = "5"'), ["line 6", "ttl", "'5'"]),
        (_with('match = { action = "a" }\nttl = "1s"'), ["30 to"]),
        (_with('match = { action = "a" }\nlimit = "20"'), ["20/1h per requester"]),
        (_with('match = { action = "a" }\nremember = "always"'), ["session"]),
        (_with('match = { action = "a" }\nremember = { uses = 0 }'), ["from 1 on"]),
        (_with('match = { action = "a" }\nquorum = 2'), ["quorum", "not built yet"]),
        (_with('match = { action = "a" }\nstrong = true'), ["not built yet"]),
        (_with('match = { action = "a" }\nchannels = []'), ["not built yet"]),
        (_with('match = { action = "a" }\nescalate = []'), ["not built yet"]),
        (_with('match = { action = "a" }\nttl = "5m"', "allow"), ["'ttl'", "allow"]),
        (_with('match = { action = "a" }\nlimit = "1/1h"', "deny"), ["'limit'"]),
    ],
)
def test_a_file_that_is_not_understood_whole_is_refused_with_the_place(
    text: str, words: list[str]
) -> None:
    with pytest.raises(InvalidInput) as fault:
        read_policy(text)

    for word in words:
        assert word in str(fault.value)


def test_all_that_a_rule_may_say_comes_back_in_the_verdict() -> None:
    policy = read_policy(
        _with(
            'match = { action = "pay" }\nwhy = "It costs."\nrisk = "high"\nttl = "30m"\n'
            'grant_ttl = "5m"\nlimit = "20/1h per requester"\n'
            'remember = { for = "2d", uses = 3 }'
        )
    )

    verdict = decide(policy, Asked("pay", {}))

    assert (verdict.rule, verdict.remember) == ("r", "never")
    assert verdict.why.startswith("It costs; besides: ")
    assert (verdict.ttl_seconds, verdict.grant_ttl_seconds) == (1800, 300)
    assert verdict.limit == Limit(20, 3600) == (20, 3600)
    assert verdict.risk == "high"
    assert policy.rules[0].remember == RememberLimits(2 * 86_400, 3)


def test_the_digest_is_of_the_meaning_and_not_of_the_writing() -> None:
    plain = read_policy(HEAD + RULE)
    written = read_policy("# mine\n" + HEAD + "\n" + RULE.replace(" = ", "="))
    other = read_policy(HEAD + RULE.replace('"a"', '"b"'))

    assert plain.digest == written.digest != other.digest
    assert len(plain.digest) == 64


def test_the_default_file_asks_about_everything() -> None:
    policy = read_policy(DEFAULT_POLICY_TEXT)

    assert (policy.default, policy.rules) == ("ask", ())


def test_the_examples_in_the_default_file_are_right_when_uncommented() -> None:
    _, _, examples = DEFAULT_POLICY_TEXT.partition("# Examples.")
    lines = examples.splitlines()[1:]
    policy = read_policy(
        HEAD + "\n".join(line.removeprefix("# ") for line in lines).replace("\n#", "\n")
    )
    explained = DEFAULT_POLICY_TEXT.partition("# A rule:")[2].partition("# An ask")[0]
    shown = "\n".join(line.removeprefix("#   ") for line in explained.splitlines())

    assert len(policy.rules) == 5
    assert decide(policy, Asked("Read", {"file_path": "/a"})).effect == "allow"
    assert decide(policy, Asked("Read", {"file_path": "/a/.env"})).effect == "deny"
    assert decide(policy, Asked("Bash", {"command": "git log -3"})).effect == "allow"
    keys = [
        line for line in shown.splitlines() if not line.startswith(("ttl", "remem"))
    ]
    assert read_policy(HEAD + "\n".join(keys)).rules[0].id == "small-refunds"


def test_rules_written_as_one_list_are_named_without_a_wrong_line() -> None:
    text = HEAD + 'rule = [{ id = "r", effect = "ask", match = { x = 1 } }]\n'

    with pytest.raises(InvalidInput, match=r"^rule 'r': match has 'x'"):
        read_policy(text)
