"""Command lines: tricks past an allow rule, and hiding places from a deny rule."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.confirm.policy import Asked, Verdict, decide, read_policy

_TRICKS = [
    "git status; rm x",
    "git status;rm x",
    "git status && rm x",
    "git status || rm x",
    "git status | rm x",
    "git status |& rm x",
    "git status & rm x",
    "git status\nrm x",
    "git status\r\nrm x",
    "git status # all\nrm x",
    "git status\x00rm x",
    "git status $(rm x)",
    'git status "$(rm x)"',
    "git status `rm x`",
    "git status <(rm x)",
    "git status >(rm x)",
    "git status =(rm x)",
    "git status ${X:=$(rm x)}",
    "git status $((`rm x`))",
    "git status <<EOF\n$(rm x)\nEOF",
    "git status <<< $(rm x)",
    "git status > x",
    "git status >x",
    "git status >> x",
    "git status &> x",
    "git status >& x",
    "git status >| x",
    "git status 2> x",
    "git status 2>&1 > x",
    "git status {fd}> x",
    "git status <> x",
    "> x git status",
    "{ git status; } > x",
    "(git status)",
    "{ git status; }",
    "! git status",
    "git status < x",
    "env X=1 rm x",
    "env git status",
    "X=1 rm x",
    "X=1 git status",
    "PATH=/tmp git status",
    "PATH=/tmp; git status",
    "PATH=/tmp\ngit status",
    "git status; PATH=/tmp",
    "git status && X[0]=1",
    "export PATH=/tmp; git status",
    "GIT_PAGER='rm x' git status",
    "a[$(rm x)]=1 git status",
    "for PATH in /tmp; do git status; done",
    "for i in $(rm x); do git status; done",
    "while rm x; do git status; done",
    "if git status; then rm x; fi",
    "case x in git) rm x;; esac",
    "git() { rm x; }; git status",
    "git(){ rm x\n}\ngit status",
    "function git { rm x; }; git status",
    "alias git=rm; git status",
    "bash -c 'rm x'",
    "bash -c 'git status'",
    "bash -c 'git status; rm x'",
    "sh <<EOF\nrm x\nEOF",
    "eval rm x",
    "eval git status",
    "trap 'rm x' EXIT; git status",
    "echo x | xargs rm",
    "git status | xargs rm",
    "sudo git status",
    "time git status",
    "exec git status",
    "command git status",
    "coproc git status",
    "/bin/rm x",
    "/srv/git status",
    "./git status",
    'r""m x',
    "\\rm x",
    "$X status",
    "$'rm' x",
    "'git status' x",
    '"git status"',
    "git\\ status",
    "git 'status; rm x'; rm x",
    "git -c alias.status='!rm x' status",
    "git --exec-path=/tmp status",
    "git $'status\\nrm' x",
    "git\u00a0status",
    "[[ a == $(rm x) ]]",
    "((x=`rm x`)); git status",
    "git status 'not closed",
    "git status $(",
    "git status; )",
    "",
    "# git status",
    "exec 3> x; git status",
    "source x; git status",
    "x=git; $x status",
]


def _policy(effect: str, *patterns: str, default: str = "ask") -> str:
    return (
        f'version = 1\ndefault = "{default}"\n[[rule]]\nid = "r"\neffect = "{effect}"\n'
        f"match = {{ details.command = {{ shell_any = {json.dumps(patterns)} }} }}\n"
    )


def _decided(
    line: object, effect: str, *patterns: str, default: str = "ask"
) -> Verdict:
    policy = read_policy(_policy(effect, *patterns, default=default))
    return decide(policy, Asked("Bash", {"command": line}))


@pytest.mark.parametrize("line", _TRICKS)
def test_no_trick_passes_an_allow_rule(line: str) -> None:
    assert _decided(line, "allow", "git status*").effect == "ask"


@pytest.mark.parametrize(
    "line",
    [
        "git status",
        "git  status\t-s",
        "git 'status'",
        "git status -s 2>&1",
        "git status 2>/dev/null",
        "git status > /dev/null 2>&1",
        "git status; git status -s && git status | git status",
        "# look first\ngit status  # all\n\ngit status -s\n",
        "git status 'a file'",
        "git status \\\n  -s",
        "git status 'a; b' \"c & d\"",
        ["git", "status"],
        ["git", "status", "a; rm x"],
    ],
)
def test_plain_commands_that_all_match_pass(line: object) -> None:
    assert _decided(line, "allow", "git status*").effect == "allow"


def test_every_part_must_match_one_of_the_patterns() -> None:
    patterns = ("git log *", "git log", "head *", "cd *")

    assert _decided("cd x && git log | head -3", "allow", *patterns).effect == "allow"
    assert _decided("cd x && git log | tail -3", "allow", *patterns).effect == "ask"


def test_a_directory_in_a_pattern_is_not_left_by_dots() -> None:
    assert _decided("cat /srv/app/a/b", "allow", "cat /srv/app/*").effect == "allow"
    assert _decided("cat /srv/app/../etc/x", "allow", "cat /srv/app/*").effect == "ask"
    assert _decided("git diff a..b", "allow", "git diff *").effect == "allow"


def test_a_program_named_by_its_path_is_allowed_by_that_path() -> None:
    assert _decided("./run.sh -v", "allow", "./run.sh *").effect == "allow"
    assert _decided("/srv/run.sh -v", "allow", "./run.sh *").effect == "ask"


@pytest.mark.parametrize(
    "line",
    [
        "frob -x y",
        "cd a; frob -x y",
        "cd a && b | frob -x y",
        "a\nfrob -x y",
        "a $(frob -x y)",
        "a `frob -x y`",
        'a "$(frob -x y)"',
        "a <(frob -x y)",
        "A=$(frob -x y)",
        "A=1 frob -x y",
        "env A=1 frob -x y",
        "sudo -u root frob -x y",
        "timeout 5 nice -n 3 frob -x y",
        "/usr/bin/frob -x y",
        'fr""ob -x y',
        "\\frob -x y",
        "fr'ob' \"-x\" y",
        "bash -c 'frob -x y'",
        "sh -c \"bash -c 'frob -x y'\"",
        "bash <<EOF\nfrob -x y\nEOF",
        "cat <<EOF\n$(frob -x y)\nEOF",
        "eval frob -x y",
        "eval 'frob -x y'",
        "xargs frob -x y",
        "find . -exec frob -x y ;",
        "ssh host frob -x y",
        "trap 'frob -x y' EXIT",
        "if true; then frob -x y; fi",
        "f() { frob -x y; }; f",
        "frob   -x \\\n y",
        "frob -x y > /dev/null",
        "frob -x 'y z'",
        "(frob -x y)",
        "frob -x y & true",
        "echo 'not closed; frob -x y",
        'echo "$( ; fr""ob -x y',
        ["frob", "-x", "y"],
        ["bash", "-c", "frob -x y"],
        ["frob -x y"],
    ],
)
def test_a_deny_rule_finds_its_command_wherever_it_hides(line: object) -> None:
    assert _decided(line, "deny", "frob -x *", default="allow").effect == "deny"
    assert _decided(line, "ask", "frob -x *", default="allow").effect == "ask"


def test_a_deny_rule_leaves_other_commands_alone() -> None:
    for line in ("frobnicate -x y", "frob -y x", "echo 'frob -x y'", "grep frob -x"):
        assert _decided(line, "deny", "frob -x *").effect != "deny"
    assert _decided("echo 'not closed", "deny", "frob -x *").effect == "ask"
    assert _decided("echo 'not closed", "deny", "*frob").effect == "ask"
    assert _decided("echo 'not closed", "deny", "frob*").effect == "ask"


def test_a_deny_rule_can_name_a_wrapper_a_path_or_a_redirect() -> None:
    assert _decided("A=1 strace -f ls", "deny", "strace *").effect == "deny"
    assert _decided("A=1 ./a.sh\tx", "deny", "./a.sh *").effect == "deny"
    assert _decided("ls>/srv/x", "deny", "* > /srv/*").effect == "deny"


def test_what_xargs_gives_its_words_to_is_found_without_words() -> None:
    assert _decided("ls | xargs frob", "deny", "frob *").effect == "deny"


def test_a_value_that_is_no_command_line_is_asked_and_not_allowed() -> None:
    for value in ({"a": 1}, 3, True, ["ls", 3], None):
        assert _decided(value, "allow", "*", default="allow").effect == "ask"


def test_a_line_that_cannot_be_read_is_asked_whatever_the_default() -> None:
    policy = read_policy('version = 1\ndefault = "allow"\n')

    verdict = decide(policy, Asked("Bash", {"command": "echo 'not closed"}))

    assert (verdict.effect, verdict.rule) == ("ask", "always-risky:unparsed")


@given(
    st.lists(
        st.sampled_from(
            (
                "git status",
                "frob",
                ";",
                "\n",
                "'",
                '"',
                "$(",
                ")",
                "`",
                "|",
                "&&",
                "&",
                " ",
                "\\",
                "#",
                "{",
                "}",
                "X=1 ",
                "<<E\n",
                "\nE\n",
                "> x",
                "if ",
                "do ",
                "for x in ",
                "bash -c ",
                "eval ",
                "(",
                "$'",
                "${",
                "done",
                "then ",
            )
        ),
        max_size=9,
    ).map("".join)
)
def test_whatever_is_allowed_for_git_status_names_nothing_else(line: str) -> None:
    """The reference is crude: no unquoted text beside git status and what joins it."""
    if _decided(line, "allow", "git status", "git status -*").effect != "allow":
        return
    code = "\n".join(part.partition("#")[0] for part in line.split("\n"))
    rest = code.replace("git status", "")

    assert set(rest) <= set(" \t\n;&|'\"\\")
