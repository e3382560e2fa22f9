"""The head of a SKILL.md is read, or refused with its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.errors import InvalidInput
from oldhand.ledger.skills.frontmatter import read_frontmatter

yaml = pytest.importorskip("yaml")  # of the tests alone: we read less, and no library


def head(*lines: str) -> str:
    return "\n".join(["---", *lines, "---", "# Body", "name: not this"])


READ = {
    "plain": ["name: triage", "description: Sort mail:quickly"],
    "double quotes": ['name: "tri\\tage"', 'description: "a # b" # c'],
    "single quotes": ["name: 'it''s'", "description: 'x'"],
    "folded": ["name: a", "description: >", "  Sort", "  mail", "version: 1.2"],
    "kept": ["name: a", "description: |-", "  Sort", "  mail"],
    "goes on": ["name: a", "description: Sort", "  mail"],
    "comments": ["# c", "name: a # c", "", "description: b#c"],
    "lists and maps": [
        "name: a", "platforms:", "- linux", "metadata:", "  hermes:", "    tags: [x]",
        "allowed-tools: [Bash, Read]", "description: b",
    ],
    "windows": ["name: a\r", "description: b\r"],
}  # fmt: skip


@pytest.mark.parametrize("lines", READ.values(), ids=READ)
def test_it_is_read_as_yaml_reads_it(lines: list[str]) -> None:
    whole = yaml.safe_load("\n".join(lines))
    wanted = ("name", "description", "version")

    assert read_frontmatter(head(*lines)) == {
        key: str(whole[key]).strip() for key in wanted if key in whole
    }


def test_a_colon_that_yaml_refuses_is_read_as_it_was_meant() -> None:
    assert read_frontmatter(head("name: a", "description: Use when: x")) == {
        "name": "a",
        "description": "Use when: x",
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# no head", "line 1: expected ---"),
        ("", "line 1: expected ---"),
        ("---\nname: a\n", "no end"),
        (head("name: a", "name: b"), "name: line 3: stands there twice"),
        (head("name: [a]"), "name: line 2: '\\[a\\]'; expected a text"),
        (head("name: {a: b}"), "name: line 2"),
        (head("name: !!python/object:os.system x"), "name: line 2"),
        (head("name: *anchor"), "name: line 2"),
        (head('name: "open'), 'name: line 2: .*closing "'),
        (head("name: 'open"), "name: line 2: .*closing '"),
        (head('name: "\\x41"'), "name: line 2"),
        (head("name a"), "line 2: 'name a'; expected `key: value`"),
        (head("? name"), "line 2"),
    ],
)
def test_what_is_not_read_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        read_frontmatter(text)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for each in (text, head(text), head(f"name: {text}")):
        try:
            found = read_frontmatter(each)
        except InvalidInput:
            continue
        assert all(isinstance(value, str) for value in found.values())
