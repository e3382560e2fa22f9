"""Our hooks beside everybody else's."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oldhand.errors import InvalidInput
from oldhand.integrations.claude_code.hook_settings import (
    is_ours,
    our_events,
    wanted_hooks,
    with_hooks,
    without_hooks,
)

EVENTS = ("SessionStart", "PostToolUseFailure", "SessionEnd")
WANTED = wanted_hooks("/opt/oldhand/bin/oldhand", EVENTS)
ELSEWHERE = wanted_hooks("'/old place/python' -P -m oldhand", EVENTS)
THEIRS = {"matcher": "Bash", "hooks": [{"type": "command", "command": "check.sh"}]}
NAMES = st.sampled_from([*EVENTS, "PreToolUse", "Stop"])
HOOKS = st.dictionaries(
    NAMES,
    st.lists(
        st.fixed_dictionaries(
            {
                "hooks": st.lists(
                    st.fixed_dictionaries(
                        {"type": st.just("command"), "command": st.text()}
                    ),
                    min_size=1,
                )
            },
            optional={"matcher": st.text()},
        ),
        min_size=1,
    ),
    min_size=1,
)


def test_a_warm_start_is_asked_for_by_fresh_sessions_alone_and_all_have_a_limit() -> (
    None
):
    hooks = json.loads(with_hooks("{}", WANTED))["hooks"]

    assert list(hooks) == list(EVENTS)
    assert hooks["SessionStart"] == [
        {
            "matcher": "startup|clear",
            "hooks": [
                {
                    "type": "command",
                    "command": "/opt/oldhand/bin/oldhand hook claude-code SessionStart",
                    "timeout": 10,
                }
            ],
        }
    ]
    assert "matcher" not in hooks["SessionEnd"][0]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(HOOKS, st.sampled_from([None, 2, "\t"]))
def test_what_others_have_there_stays_to_the_byte(hooks: Any, indent: Any) -> None:
    text = json.dumps({"model": "x", "hooks": hooks, "env": {}}, indent=indent)

    installed = with_hooks(text, WANTED)

    assert our_events(installed) == [
        *(event for event in hooks if event in EVENTS),
        *(event for event in EVENTS if event not in hooks),
    ]
    assert with_hooks(installed, WANTED) == installed
    assert without_hooks(installed) == text


def test_an_installation_from_elsewhere_is_replaced_and_not_doubled() -> None:
    text = with_hooks('{"hooks": {"SessionEnd": []}}', ELSEWHERE)

    moved = with_hooks(text, WANTED)

    hooks = json.loads(moved)["hooks"]
    assert {event: len(groups) for event, groups in hooks.items()} == dict.fromkeys(
        EVENTS, 1
    )
    assert "old place" not in moved


def test_a_hook_of_ours_in_somebodys_group_is_taken_out_alone() -> None:
    ours = WANTED["SessionEnd"]["hooks"][0]
    theirs = THEIRS["hooks"][0]
    text = json.dumps(
        {"hooks": {"SessionEnd": [{"hooks": [theirs, ours]}], "Stop": [THEIRS]}},
        indent=2,
    )

    left = json.loads(without_hooks(text))

    assert left == {"hooks": {"SessionEnd": [{"hooks": [theirs]}], "Stop": [THEIRS]}}


def test_what_was_empty_before_stays_when_it_is_named() -> None:
    text = '{"hooks": {"SessionEnd": []}}'

    kept = without_hooks(
        with_hooks(text, WANTED), kept={("hooks",), ("hooks", "SessionEnd")}
    )

    assert kept == text


@pytest.mark.parametrize(
    "command",
    [
        "notify.sh",
        "/opt/oldhand/bin/notify hook claude-code SessionStart",
        "oldhand import claude-code",
        "oldhand hook codex SessionStart",
        "echo 'oldhand hook claude-code SessionStart'",
        'echo "',
        None,
        7,
    ],
)
def test_what_only_looks_like_ours_is_not(command: Any) -> None:
    assert not is_ours({"command": command})


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[]", "holds an array"),
        ('{"hooks": []}', "hooks holds an array"),
        ('{"hooks": null}', "hooks holds null"),
        ('{"hooks": {"Stop": {}}}', r"hooks\.Stop holds an object"),
        ('{"hooks": {"Stop": ["x.sh"]}}', r"hooks\.Stop\[0\] holds a string"),
        ('{"hooks": {"Stop": [{}]}}', r"hooks\.Stop\[0\]\.hooks"),
        ('{"hooks": {"Stop": [{"hooks": [7]}]}}', r"hooks\.Stop\[0\]\.hooks"),
    ],
)
def test_settings_that_claude_code_would_pass_over_are_refused(
    text: str, place: str
) -> None:
    with pytest.raises(InvalidInput, match=place):
        with_hooks(text, WANTED)
