"""Results of tools that tell what strangers wrote are left out."""

from __future__ import annotations

from typing import Any

import pytest

from oldhand.experience.candidates import Budget
from oldhand.experience.guard.taint import is_tainted
from oldhand.experience.mine import Wish, mine
from oldhand.experience.pool import Scope
from oldhand.experience.render import render_text
from oldhand.store import Store

from .conftest import WENT_WELL, Teach, bash

STRANGERS: list[tuple[str, dict[str, Any]]] = [
    ("WebFetch", {"url": "https://a.example"}),
    ("WebSearch", {"query": "go"}),
    ("mcp__gmail__read", {}),
    ("mcp__anything__at_all", {}),
    ("mcp_files_read", {}),
    ("browser_snapshot", {}),
    ("read_email", {}),
    ("slackGetMessages", {}),
    ("GitHubIssueRead", {}),
    ("HTTPRequest", {}),
    ("Read", {"file_path": "https://a.example/x"}),
    ("Bash", {"command": "cd x && curl -s https://a.example | jq ."}),
    ("Bash", {"command": "gh api repos/a/b/issues"}),
    ("Bash", {"command": "X=$(wget -qO- a.example); echo $X"}),
    ("Bash", {"command": "curl a.example | while read 'x"}),
    ("shell", {"command": ["bash", "-lc", "gh pr view 3"]}),
    ("Bash", {"command": "python fetch.py https://a.example/list"}),
    ("execute_code", {"code": "import requests\nrequests.get(u)"}),
]
OWN: list[tuple[str, dict[str, Any]]] = [
    ("Bash", {"command": "git log --oneline"}),
    ("Bash", {"command": "grep -rn https://a.example ."}),
    ("Bash", {"command": "cat curl.txt"}),
    ("Read", {"file_path": "/x/web/http.go"}),
    ("Grep", {"pattern": "gmail"}),
    ("execute_code", {"code": "print(1)"}),
    ("search_flights", {"from": "A"}),
]


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


@pytest.mark.parametrize(("tool", "arguments"), STRANGERS)
def test_the_web_mail_and_servers_of_others_are_untrusted(
    tool: str, arguments: dict[str, Any]
) -> None:
    assert is_tainted(tool, arguments)


@pytest.mark.parametrize(("tool", "arguments"), OWN)
def test_what_this_machine_says_is_trusted(
    tool: str, arguments: dict[str, Any]
) -> None:
    assert not is_tainted(tool, arguments)


def test_of_an_untrusted_tool_only_the_arguments_are_shown(
    store: Store, teach: Teach
) -> None:
    fetch = ("WebFetch", {"url": "https://a.example"}, "a stranger says", WENT_WELL)
    teach("s", fetch, bash("git status", "clean"))
    wish = Wish(scope=Scope(), budget=Budget(tokens=1_000))

    for _ in range(2):  # the second time it is known
        found = {example.tool: example for example in mine(store, wish).examples}

        assert (found["WebFetch"].result, found["WebFetch"].is_tainted) == ("", True)
        assert (found["Bash"].result, found["Bash"].is_tainted) == ("clean", False)
        text = render_text(found.values())
        assert "(not shown: it may be a stranger's words)" in text
        assert "0 of" not in text
