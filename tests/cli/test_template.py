"""`oldhand template`: what is given, to whom, and what goes out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from oldhand import build_template, open_store

from .conftest import Run

PROJECT = "/home/ada/engine"


def chat(uid: str, *commands: str) -> dict[str, Any]:
    """Return a session of a shell, as a line of an OpenAI-shaped file."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Fix the parser"}]
    for number, command in enumerate(commands):
        function = {"name": "Bash", "arguments": json.dumps({"command": command})}
        call = {"id": f"c{number}", "type": "function", "function": function}
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": f"ran {command}"},
        ]
    return {"id": uid, "cwd": PROJECT, "messages": messages}


@pytest.fixture
def taught(run: Run, engine: str, tmp_path: Path) -> Run:
    """Return a command line with two sessions and a template, on each engine."""
    assert engine
    path = tmp_path / "chats.jsonl"
    chats = [
        chat("s1", "git status", "grep -n needle src/a.py"),
        chat("s2", "git status", "grep -n needle src/bb.py"),
    ]
    path.write_text("\n".join(map(json.dumps, chats)))
    assert run("import", "openai", path).code == 0
    assert run("template", "build", "--name", "mine", "--project", PROJECT).code == 0
    return run


def test_the_best_template_is_named_with_the_reason(taught: Run) -> None:
    said = taught("template", "best", "--project", PROJECT)
    (row,) = taught("template", "best", "--project", PROJECT, "--json").rows

    assert said.out == "mine@1\n"
    assert "by coverage: it covers 100% of the calls of 2 sessions" in said.err
    assert (row["template"], row["by"], row["benefit"]) == ("mine@1", "coverage", None)


def test_what_is_retired_is_refused_and_what_supersedes_it_is_given(
    taught: Run,
) -> None:
    taught("template", "build", "--name", "new", "--project", PROJECT)
    retired = taught("template", "supersede", "mine", "new")
    warm = taught("warm", "--template", "mine")
    shown = taught("template", "show", "mine").out
    taught("template", "retire", "new")
    refused = taught("warm", "--template", "mine")

    assert "retired mine@1" in retired.err
    assert "mine was superseded by new" in warm.err
    assert "retired; new is given" in shown
    assert (refused.code, "was retired" in refused.err) == (4, True)
    assert taught("template", "list", "--json").rows == []
    rows = taught("template", "list", "--all", "--json").rows
    assert len(rows) == 2
    assert all(row["retired_at"].startswith("20") for row in rows)
    assert not [key for row in rows for key in row if key.endswith("_us")]


def test_uses_are_shown_by_arm(taught: Run) -> None:
    taught("experiment", "start", "e", "--arms", "cold,warm", "--holdout", "0")
    arms = []
    for number in range(8):
        drawn = taught(
            "warm",
            *("--template", "mine", "--session", f"x{number}", "--experiment", "e"),
            "--json",
        )
        arms.append(drawn.rows[0]["arm"])
    taught("warm", "--template", "mine")

    (row,) = taught("template", "show", "mine", "--json").rows

    assert row["uses"]["by_arm"] == {"outside": 1, "warm": arms.count("warm")}
    assert f"{arms.count('warm')} warm" in taught("template", "show", "mine").out


def test_a_difference_is_printed(taught: Run) -> None:
    taught(
        *("template", "build", "--name", "mine", "--project", PROJECT),
        *("--addendum", "Be brief.", "--max-examples", "1"),
    )

    said = taught("template", "diff", "mine@1", "mine@2").out
    (row,) = taught("template", "diff", "mine@1", "mine@2", "--json").rows

    assert "  addendum:  -> Be brief." in said
    assert "\n- Bash:" in said
    assert (row["is_same"], len(row["removed"])) == (False, 1)
    assert "the same" in taught("template", "diff", "mine@1", "mine@1").out


def test_what_goes_out_holds_no_literal_of_one_session(taught: Run) -> None:
    def commands(*options: str) -> set[str]:
        row = json.loads(taught("template", "export", "mine", *options).out)
        return {json.loads(each["arguments"])["command"] for each in row["examples"]}

    assert commands() == {"git status", "grep -n needle '<dir>/<file>.py'"}
    assert commands("--keep-literals") == {"git status", "grep -n needle src/a.py"}


def test_definitions_of_tools_leave_out_what_does_not_fit(
    taught: Run, tmp_path: Path
) -> None:
    tools = tmp_path / "tools.json"
    schema = {"properties": {"cmd": {}}, "required": ["cmd"]}
    tools.write_text(json.dumps([{"name": "Bash", "input_schema": schema}]))
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"tools": 3}')

    stale = taught("warm", "--template", "mine", "--tools", tools)

    assert "tools that have changed since" in stale.err
    assert taught("warm", "--template", "mine", "--tools", wrong).code == 2
    assert taught("warm", "--template", "mine", "--tools", "none.json").code == 3


def test_a_proposal_is_accepted_by_the_digest_that_show_prints(taught: Run) -> None:
    store = open_store()
    build_template(store, "idea", proposed=True, project=PROJECT)
    store.close()
    shown = taught("template", "show", "idea").out
    command = re.findall(r"to accept it: oldhand (.+)", shown)[0].split()

    other = taught("template", "accept", "idea", "--digest", "0" * 16)
    accepted = taught(*command)

    assert (other.code, "idea@1 has the digest" in other.err) == (4, True)
    assert (accepted.code, accepted.out) == (0, "idea@1\n")
    assert "to accept it" not in taught("template", "show", "idea").out


WRONG = [
    (["accept", "mine", "--digest", "abc"], 2, "'abc' is no digest"),
    (["accept", "mine"], 4, "there is no proposal to accept"),
    (["accept", "nowhere"], 3, "no template 'nowhere'"),
    (["retire", "nowhere"], 3, "no template 'nowhere'"),
    (["supersede", "mine", "mine"], 2, "cannot take its own place"),
    (["diff", "mine", "mine@9"], 3, "no template 'mine@9'"),
    (["best", "--kind", "poem"], 2, "'poem' is no kind"),
]


@pytest.mark.parametrize(("arguments", "code", "words"), WRONG)
def test_what_is_wrong_is_said(
    taught: Run, arguments: list[str], code: int, words: str
) -> None:
    said = taught("template", *arguments)

    assert (said.code, words in said.err) == (code, True)
