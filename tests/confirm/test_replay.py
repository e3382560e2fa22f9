"""A policy tried on calls that were made, and what is proposed to spare questions."""

from __future__ import annotations

import json
import math
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.confirm.policy import Asked, Policy, decide, matches_literal, read_policy
from oldhand.confirm.replay.run import Proposal, propose, replay

_HEAD = "version = 1\n"


def _bash(*lines: str) -> list[Asked]:
    return [Asked("Bash", {"command": line}) for line in lines]


def _asks(policy: Policy, calls: list[Asked], proposals: list[Proposal]) -> int:
    """Count the questions once all that was proposed is in force."""
    rules = "\n".join(p.text for p in proposals if p.kind == "rule")
    literals = [json.loads(json.dumps(p.literal)) for p in proposals if p.literal]
    better = read_policy(policy.text + "\n" + rules)
    verdicts = [
        decide(better, call, has_standing_grant=partial(_has_grant, literals, call))
        for call in calls
    ]
    return sum(verdict.effect == "ask" for verdict in verdicts)


def _has_grant(literals: list[Any], call: Asked) -> bool:
    return any(matches_literal(literal, call) for literal in literals)


def test_a_replay_counts_by_rule_and_by_command() -> None:
    policy = read_policy(
        _HEAD + '[[rule]]\nid = "look"\neffect = "allow"\n'
        'match = { details.command = { shell_all = ["ls", "cd *"] } }\n'
        '[[rule]]\nid = "never"\neffect = "deny"\nmatch = { action = "erase" }\n'
    )
    calls = [
        *_bash("ls", "ls", "cd a && make", "make", "git push", "x 'not closed"),
        Asked("erase", {}),
        Asked("note", {"n": math.nan}),
    ]

    seen = replay(policy, iter(calls))

    assert seen[:5] == (8, 5, 2, 1, 2)
    assert [(r.name, r.asked, r.allowed, r.denied) for r in seen.by_rule] == [
        ("default", 3, 0, 0),
        ("look", 0, 2, 0),
        ("always-risky:publish", 1, 0, 0),
        ("always-risky:unparsed", 1, 0, 0),
        ("never", 0, 0, 1),
    ]
    assert seen.by_command[0] == ("Bash", "make", 2, 0, 0)
    assert ("Bash", "?", 1, 0, 0) in seen.by_command


def test_nothing_is_counted_where_nothing_was_called() -> None:
    policy = read_policy(_HEAD)

    assert replay(policy, []).calls == 0
    assert propose(policy, []) == []


def test_the_best_proposals_come_first_and_cut_what_they_say() -> None:
    policy = read_policy(_HEAD)
    calls = [
        *_bash(*["go test ./... | tail -3"] * 5, "cd x && go build .", "go test -v"),
        *(Asked("Read", {"file_path": f"/home/me/work/app/{n}.py"}) for n in range(9)),
        *[Asked("remind", {"n": 1})] * 3,
        *_bash(*["python3 x.py"] * 4, "git push", "rm -rf /", "curl x", "go run x.go"),
    ]

    proposals = propose(policy, calls)

    assert [p.cuts for p in proposals] == [9, 7, 4, 3]
    assert [p.kind for p in proposals] == ["rule", "rule", "grant", "rule"]
    assert _asks(policy, calls, proposals) == len(calls) - 23
    assert "/home/me/work/app/" in proposals[0].text
    assert '"go test *"' in proposals[1].text
    assert proposals[2].literal is not None
    assert proposals[2].literal["details"] == {"command": "python3 x.py"}
    assert proposals[1].examples[0] == 'Bash {"command":"go test ./... | tail -3"}'
    assert len(propose(policy, calls, at_most=2)) == 2


def test_what_a_rule_asks_or_forbids_or_is_always_risky_is_never_proposed() -> None:
    policy = read_policy(
        _HEAD + '[[rule]]\nid = "a"\neffect = "ask"\nmatch = { action = "a" }\n'
        '[[rule]]\nid = "d"\neffect = "deny"\nmatch = { action = "d" }\n'
    )
    calls = [Asked("a", {}), Asked("d", {}), Asked("wipe_database", {})] * 5

    assert propose(policy, calls + _bash("git push") * 5) == []


def test_a_proposed_rule_has_an_id_that_is_free() -> None:
    policy = read_policy(
        _HEAD + '[[rule]]\nid = "note"\neffect = "deny"\nmatch = { action = "x" }\n'
    )
    calls = [Asked("note", {}), Asked("default", {})] * 3

    proposals = propose(policy, calls)

    assert _asks(policy, calls, proposals) == 0
    assert sorted(p.text.split('"')[1] for p in proposals) == ["default-2", "note-2"]


@pytest.mark.parametrize("name", ["no*te", "no?te", 'no"te', "nöte", "a\nb", "*"])
def test_a_wildcard_in_a_name_stays_itself_in_a_proposed_rule(name: str) -> None:
    policy = read_policy(_HEAD)
    calls = [Asked(name, {"n": n}) for n in range(3)]

    proposals = propose(policy, calls)

    assert _asks(policy, calls, proposals) == 0
    assert _asks(policy, [Asked("noXte", {}), Asked("noXYte", {})], proposals) == 2


def test_paths_that_go_up_and_program_texts_are_not_let_through_widely() -> None:
    calls = [
        *(Asked("Read", {"file_path": f"/home/me/a/../{n}"}) for n in range(5)),
        *(Asked("run_cell", {"code": f"print({n})"}) for n in range(5)),
        *_bash(*(f"python -c {n}" for n in range(5))),
        *_bash(*(f"git -C /srv/{n} commit" for n in range(5))),
        *_bash(*(f"PATH={n} ls" for n in range(5))),
        *_bash(*(f"ls > {n}" for n in range(5))),
        *_bash(*(f"uv run {n}" for n in range(5))),
        *_bash(*(f"git --version -{n}" for n in range(5))),
    ]

    assert propose(read_policy(_HEAD), calls) == []


def test_tools_that_work_on_paths_are_opened_for_few_directories_only() -> None:
    calls = [
        *(Asked("Grep", {"path": f"/home/me/a/b/{n}"}) for n in range(9)),
        *(Asked("Grep", {"path": f"/home/me/c/{n}"}) for n in range(5)),
        *(Asked("Grep", {"pattern": str(n)}) for n in range(4)),
    ]

    first, second = propose(read_policy(_HEAD), calls)

    assert (first.cuts, second.cuts) == (14, 4)
    assert '["/home/me/a/b/", "/home/me/c/"]' in first.text
    assert "details.path = { exists = false }" in second.text
    policy = read_policy(_HEAD)
    outside = [Asked("Grep", {"path": "/etc"}), Asked("Grep", {"path": "/home/me/x"})]
    assert _asks(policy, outside, [first, second]) == 2


_WORDS = st.sampled_from(
    (
        "go test",
        "go build ./x",
        "cd a",
        "git diff",
        "git push",
        "rm -rf b",
        "python x",
        "ls > f",
        "X=1 ls",
        "'",
        "mise run lint",
        "npm run a;b",
        "./x.sh ../y",
        "cat $(x)",
    )
)
_CALLS = st.lists(
    st.one_of(
        st.lists(_WORDS, min_size=1, max_size=3).map(
            lambda words: Asked("Bash", {"command": " && ".join(words)})
        ),
        st.builds(
            lambda tool, path: Asked(tool, {"file_path": path}),
            st.sampled_from(["Read", "Edit", "delete_file"]),
            st.sampled_from(
                ["/home/me/a/x", "/home/me/b/y", "/etc/x", "src/a", "../z"]
            ),
        ),
        st.sampled_from([Asked("note", {"n": 1}), Asked("wipe_database", {})]),
    ),
    max_size=25,
)


@given(_CALLS)
def test_proposals_cut_just_what_they_say_and_nothing_risky(calls: list[Any]) -> None:
    policy = read_policy(_HEAD)

    proposals = propose(policy, calls)

    risky = [c for c in calls if decide(policy, c).rule != "default"]
    assert _asks(policy, calls, proposals) == len(calls) - sum(
        p.cuts for p in proposals
    )
    assert _asks(policy, risky, proposals) == len(risky)
    assert all(p.cuts >= 2 for p in proposals)
