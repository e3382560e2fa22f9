"""Command lines are taken apart as a shell would, or not at all."""

from __future__ import annotations

import pytest

from oldhand.shell import Command, parse


def commands(line: str) -> tuple[Command, ...]:
    parsed = parse(line)
    assert parsed is not None, line
    return parsed.commands


def programs(line: str) -> str:
    return " ".join(command.program for command in commands(line))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", ""),
        ("  # only a comment", ""),
        ("ls # not 'this", "ls"),
        ("a#b c", "a#b"),
        ("cd /x && git diff | head -50", "cd git head"),
        ("a; b & c || d |& e\nf", "a b c d e f"),
        ("a &&\n\n  b", "a b"),
        ("a \\\n  --long \\\n  && b", "a b"),
        ("(a; b) && { c; d; }", "a b c d"),
        ("if a; then b; elif c; then d; else e; fi", "a b c d e"),
        ("for f in *.go $(x); do a $f; done | sort", "x a sort"),
        ("for ((i=0; i<3; i++)); do a; done", "a"),
        ("while read -r l; do a; done < <(b)", "read a  b"),
        ("until ! a; do b; done", "a b"),
        ("case $x in\n a|b) c;; (d) e ;; *) f\nesac; g", "c e f g"),
        ("case x in a) b;; esac", "b"),
        ("f() { a; }; function g { b; }; function h() { c; }; f", "a b c f"),
        ("[[ -f a && ! $b =~ ^(x|y)+$ || c < d ]] && e", "[[ e"),
        ("[ -f a ] && (( i++ < (2) )) || b", "[ (( b"),
        ("x=(a 'b c' $(d)\n e) && declare -a y=() && f", "d declare f"),
        ("time (a; b)", "a b"),
        ("a=$(b) c=`d | e`", "b d e"),
        ('a "$(b "$(c)")" "`d`" $((1 + $(e)))', "a b c d e"),
        ("a ${x:-$(b)} ${y//\\}/}", "a b"),
        ("diff <(a | b) >(c)", "diff a b c"),
        ("( ( a ) )", "a"),
        ("((a); b)", "a b"),
        ("bash -lc 'a && b' ; sh -c \"c\"", "bash a b sh c"),
        ("eval 'a; b'", "eval a b"),
        ("ssh -p 22 host 'a | b'", "ssh a b"),
        ("find . -name '*.x' -exec rm {} \\; -exec a +", "find rm a"),
        ("a | xargs -0 -n 1 -I{} sh -c 'b {}'", "a xargs sh b"),
        ("docker exec -it box bash -c 'a'", "docker bash a"),
        ("fd x -x a {}", "fd a"),
        ("bash -o pipefail -c a", "bash a"),
        ("su - x -c 'a; b'", "su a b"),
        ('a "${x:-"$(b)"}"', "a b"),
        ("kubectl exec pod -- a b", "kubectl a"),
        ("mise run test -- -v", "mise"),
        ("\"/opt/my tools/run\" \\ls r''m $'\\x6cs'", "run"),
        ("\\rm x", "rm"),
        ("r''m x", "rm"),
        ("$'\\162m' x", "rm"),
        ('"$BIN/tool" x', "tool"),
        ("A=1 B='x y' c", "c"),
        ("> out", ""),
    ],
)
def test_every_program_is_found_in_the_order_of_the_source(
    line: str, expected: str
) -> None:
    assert programs(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        *(
            "a 'b",
            'a "b',
            "a $'b",
            "a `b",
            "a $(b",
            "a ${b",
            "(a",
            "a)",
            "{ a; ",
            "a; }",
        ),
        *(
            "if a; then b",
            "for x in a; do b",
            "fi",
            "a &&",
            "a |",
            "f( a",
            "a b()",
            "a ;; b",
        ),
        *(
            "case x in a) b",
            "[[ a",
            "cat <<EOF\nbody",
            "x=(a",
            "x=(a | b)",
            "cat =(rm -rf x)",
            "diff =() =(rm x)",
            "a >",
            "a b(c)",
        ),
        *(
            "$(" * 50 + ")" * 50,
            "( " * 30 + "a" + ")" * 30,
            "${a:-" * 5000,
            "x" * 100_001,
        ),
    ],
)
def test_what_is_not_understood_gives_none(line: str) -> None:
    assert parse(line) is None


@pytest.mark.parametrize(
    ("line", "program", "wrappers"),
    [
        ("FOO=1 sudo -u x timeout 5 /usr/bin/git -C . status", "git", "sudo timeout"),
        ("env -u A B=1 nice -n 5 nohup a", "a", "env nice nohup"),
        ("time -p stdbuf -oL a", "a", "time stdbuf"),
        ("timeout -s KILL --kill-after=5 10 a", "a", "timeout"),
        ("exec -a name a", "a", "exec"),
        ("command -- a", "a", "command"),
        ("command -v a", "command", ""),
        ("sudo -l", "sudo", ""),
        ("env A=1", "env", ""),
        ("/usr/bin/env", "env", ""),
    ],
)
def test_wrappers_give_their_place_to_what_they_run(
    line: str, program: str, wrappers: str
) -> None:
    (command,) = commands(line)

    assert (command.program, " ".join(command.wrappers)) == (program, wrappers)


@pytest.mark.parametrize(
    ("line", "subcommand"),
    [
        ("git -C dir -c a=b --no-pager diff --stat", "diff"),
        ("git --version", ""),
        ("python3.12 -X dev -m pytest -q", "-m pytest"),
        ("python script.py", ""),
        ("python -c 'import x' -m y", ""),
        ("npx a-name-of-more-than-twenty-three-characters", ""),
        ("make -j 4 CC=gcc test", "test"),
        ("cargo +nightly build", "build"),
        ("gh -R a/b pr checks", "pr"),
        ("npx ./tool", ""),
        ("go 'two words'", ""),
        ("docker -H tcp://x compose up", "compose"),
        ("ls dir", ""),
    ],
)
def test_the_subcommand_is_the_first_plain_word(line: str, subcommand: str) -> None:
    assert commands(line)[0].subcommand == subcommand


def test_words_lose_their_quotes_and_keep_what_would_be_expanded() -> None:
    line = r"""a 'b "c' "d 'e \"f\\ \n" g\ h $i"${j}"'k' "$(l 'm')" $'n\to\'' "" """

    words = commands(line)[0].words

    expected = ['b "c', "d 'e \"f\\ \\n", "g h", "$i${j}k", "$(l 'm')", "n\to'", ""]
    assert list(words) == expected


def test_a_command_knows_its_source_its_operator_and_its_redirects() -> None:
    line = 'A=1 a x 2>&1 >"o p" # c\n&>l b </dev/null | (c >> d)'

    first, second, third = commands(line)

    assert first.text == 'A=1 a x 2>&1 >"o p"'
    assert first.redirects == ("2>&1", ">o p")
    assert (second.before, second.text) == ("\n", "&>l b </dev/null")
    assert second.redirects == ("&>l", "</dev/null")
    assert (third.before, third.redirects, third.depth) == ("|", (">> d",), 1)


def test_a_heredoc_is_input_and_not_commands() -> None:
    line = "cat <<'EOF' > f && b <<-X\nrm -rf / $(no)\nEOF\n\ty\n\tX\nc <<< 'z z'"

    cat, other, last = commands(line)

    assert (cat.stdin, cat.redirects) == ("rm -rf / $(no)\n", ("<<EOF", "> f"))
    assert (other.stdin, last.program, last.stdin) == ("\ty\n", "c", "z z")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("cat <<EOF\nx $(a) `b` ' \" $((1)) \\$(c)\nEOF\n", "cat a b"),
        ("sudo bash <<'EOF'\na\nb\nEOF\nc", "bash a b c"),
        ("sh -s x <<< 'a; b'", "sh a b"),
        ("docker exec -i box sh <<'EOF'\na\nEOF", "docker sh a"),
        ("bash script.sh <<'EOF'\n(no command\nEOF", "bash"),
        ("git commit -m \"$(cat <<'EOF'\nit's (fine)\nEOF\n)\" && a", "git cat a"),
        ("a <<X; b <<Y\n1\nX\n2\nY\nc", "a b c"),
    ],
)
def test_what_a_heredoc_runs_is_found(line: str, expected: str) -> None:
    assert programs(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a $(b) (", None),
        ("a $(b); c", [0, 1, 0]),
        ("(a; { b; }); c", [1, 2, 0]),
        ("bash -c 'a $(b)'", [0, 1, 2]),
    ],
)
def test_depth_counts_what_encloses_a_command(
    line: str, expected: list[int] | None
) -> None:
    parsed = parse(line)

    assert (parsed and [c.depth for c in parsed.commands]) == expected


def test_flags_are_option_words_without_values() -> None:
    (command,) = commands("head -50 -n5 --lines=3 -la - x -C 3 -F: '- no' -- -z")

    assert command.flags == ("-N", "-n", "--lines", "-la", "-C", "-F")


@pytest.mark.parametrize(
    ("line", "first", "last"),
    [
        ("cd x && export A=1; echo hi && go test | tail", "go", "tail"),
        ("echo hi", "echo", "echo"),
        ("cd x", None, "cd"),
        ("a=$(git log) && echo $a", "git", "echo"),
        ("a=$(git log)", "git", "git"),
        ("bash -lc 'cd x && make | tee log'", "make", "tee"),
        ("cat $(git ls-files)", "cat", "cat"),
        ("{ make; } > log", "make", "make"),
        ("trap 'rm x' EXIT; make", "make", "make"),
    ],
)
def test_first_does_the_work_and_last_decides_the_status(
    line: str, first: str | None, last: str | None
) -> None:
    parsed = parse(line)

    assert parsed is not None
    assert (parsed.first and parsed.first.program) == first
    assert (parsed.last and parsed.last.program) == last


@pytest.mark.parametrize(
    ("line", "masks"),
    [
        ("cd x && make test 2>/dev/null", False),
        ("cd x; make", False),
        ("echo x | make", False),
        ("make $(a | b)", False),
        ("set -euo pipefail; a | b; c", False),
        ("set -o pipefail && a | b", False),
        ("make | tail", True),
        ("make; echo done", True),
        ("make\nls", True),
        ("make || true", True),
        ("make &", True),
        ("(make) & b", True),
        ("{ make; } | tail", True),
        ("for f in a b; do make $f; done", True),
        ("if make; then echo y; fi", True),
        ("! make", True),
        ("bash -c 'make | tail'", True),
        ("set -e; make | tail", True),
    ],
)
def test_masks_exit_says_whether_a_failure_can_hide(line: str, *, masks: bool) -> None:
    parsed = parse(line)

    assert parsed is not None
    assert parsed.masks_exit is masks
