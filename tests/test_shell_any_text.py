"""Any text at all can be given to the parser, and real ones are understood."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.shell import parse

REAL_SESSIONS = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"

WORDS = st.text(st.characters(exclude_characters="\0"), max_size=8)
NAMES = st.from_regex(r"[a-z][a-z0-9_-]{0,7}x", fullmatch=True)
PIECES = st.tuples(NAMES, st.lists(WORDS, max_size=4))
JOINERS = st.sampled_from(["&&", "||", ";", "|", "|&", "&", "\n"])


@given(PIECES, st.lists(st.tuples(JOINERS, PIECES), max_size=5), st.integers(0, 3))
def test_a_line_made_of_parts_gives_the_parts_back(
    first: tuple[str, list[str]],
    rest: list[tuple[str, tuple[str, list[str]]]],
    depth: int,
) -> None:
    pieces = [("", first), *rest]
    line = " ".join(f"{joiner} {shlex.join([n, *w])}" for joiner, (n, w) in pieces)

    parsed = parse("( " * depth + line + ")" * depth)

    assert parsed is not None
    given_back = [(c.before, (c.program, list(c.words))) for c in parsed.commands]
    assert given_back == pieces
    assert {c.depth for c in parsed.commands} == {depth}


@given(NAMES, st.lists(WORDS, max_size=4), st.integers(1, 4))
def test_scripts_within_scripts_give_their_command_back(
    name: str, words: list[str], levels: int
) -> None:
    line = shlex.join([name, *words])
    for _ in range(levels):
        line = shlex.join(["bash", "-c", line])

    parsed = parse(line)

    assert parsed is not None
    innermost = parsed.commands[-1]
    assert (innermost.program, list(innermost.words)) == (name, words)
    assert innermost.depth == levels


PIECES_OF_SHELL = [
    *("$(", "${", "$((", "<<", "EOF", "\nEOF\n", "[[", "]]", " a ", "\ud800", "\0"),
    *("if", "then", "fi", "case", "in", "esac", "for", "do", "done", "sudo ", "trap "),
    *(
        "bash -c ",
        "eval ",
        "xargs ",
        "find -exec ",
        "ssh h ",
        *"'\"`\\ \n|&;<>(){}$#!*=",
    ),
]
SHELL_TEXT = st.lists(st.sampled_from(PIECES_OF_SHELL), max_size=40).map("".join)


@given(st.one_of(st.text(), SHELL_TEXT))
def test_no_text_raises(text: str) -> None:
    parsed = parse(text)

    assert parsed is None or all(isinstance(c.flags, tuple) for c in parsed.commands)


def hostile() -> Iterator[str]:
    pieces = [
        *"'\"`\\ \na#|&;<>(){}$=!",
        "$(",
        "${",
        "$((",
        "((",
        "<<a\n",
        "<<a ",
        "a=(",
    ]
    pieces += [
        "if ",
        "case x in ",
        "for ",
        "a;",
        "a|",
        "$(a)",
        "${a:-",
        "[[ ",
        "''",
        '"$a"',
    ]
    pieces += [
        "eval ",
        "xargs ",
        "bash -c ",
        "trap ",
        "find -exec ",
        "`a`",
        "2>&1 ",
        "é",
    ]
    yield from (piece * (99_000 // len(piece)) for piece in pieces)
    nested = "a"
    for _ in range(18):
        nested = f'bash -c "$({nested})"'
    yield nested
    yield "$((" * 18 + "a" + ") )" * 18


@pytest.mark.parametrize("line", list(hostile()), ids=lambda line: repr(line[:12]))
def test_hostile_lines_take_linear_time(line: str) -> None:
    start = time.process_time()

    parse(line)

    assert time.process_time() - start < 2  # seconds; an ordinary one takes 0.05


def test_real_command_lines_can_be_read() -> None:
    files = sorted((REAL_SESSIONS / "claude_code").rglob("*.jsonl"))
    if not files:
        pytest.skip("no real sessions beside the checkout: ../shared/data")
    lines = [line for path in files for line in bash_lines(path)]

    unread = [line for line in lines if parse(line) is None]

    assert len(lines) > 3000
    assert len(unread) / len(lines) < 0.005


def bash_lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as file:
        entries = [json.loads(row) for row in file if '"Bash"' in row]
    for entry in entries:
        content = (entry.get("message") or {}).get("content")
        for part in content if isinstance(content, list) else []:
            if part.get("type") == "tool_use" and part.get("name") == "Bash":
                yield part["input"]["command"]
