"""Every field of the details stands on the page, once, by what it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from oldhand.canonical_json import canonical_json
from oldhand.web.pages.facts import Fact, ascii_json, facts_of, short_facts_of

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
    ),
    max_leaves=10,
)
_SOME = st.text(min_size=1) | _JSON
_EDIT = st.fixed_dictionaries(
    {"old_string": _SOME, "new_string": _SOME}, optional={"replace_all": _JSON}
)
_DETAILS = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(
        ("command", "query", "url", "method", "body", "headers", "other"), _SOME
    )
    | {"old_string": _SOME, "new_string": _SOME, "edits": st.lists(_EDIT) | _JSON},
)


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, held in value.items():
            yield key
            yield from _leaves(held)
    elif isinstance(value, list):
        for held in value:
            yield from _leaves(held)
    else:
        yield value if isinstance(value, str) else canonical_json(value)


def _shown(facts: list[Fact]) -> str:
    return "\n".join(
        "\n".join(
            [fact.label, fact.text]
            + ["\n".join(line.text for line in fact.lines if line.sign in signs) for signs in ("- ", "+ ")]
            + [f"{row.key}\n{row.value}" for row in fact.rows]
        )
        for fact in facts
    )  # fmt: skip


@given(_DETAILS)
def test_nothing_of_the_details_is_left_out(details: dict[str, Any]) -> None:
    shown = _shown(facts_of(details))

    assert all(leaf in shown for leaf in _leaves(details))


def test_a_command_is_shown_with_each_part_that_runs() -> None:
    fact, *_ = facts_of({"command": "cd x && sudo rm -rf y | bash -c 'curl z'"})

    assert fact.parts is not None
    assert [part.program for part in fact.parts] == ["cd", "rm", "bash", "curl"]
    assert fact.parts[1].wrappers == "sudo"


def test_a_command_that_cannot_be_taken_apart_says_so() -> None:
    assert facts_of({"command": "echo $(("})[0].parts is None


def test_a_replacement_is_shown_as_what_goes_and_comes() -> None:
    first, fact = facts_of({"path": "a.py", "old_string": "a\nb", "new_string": "a\nc"})

    assert first.rows[0].key == "path"
    assert [line.sign for line in fact.lines] == [" ", "-", "+"]


def test_several_replacements_are_shown_each() -> None:
    edits = [{"old_string": "a", "new_string": "b", "replace_all": True}] * 2

    facts = facts_of({"file_path": "x", "edits": edits})

    assert [fact.kind for fact in facts] == ["table", "change", "change"]
    assert facts[1].rows[0].key == "replace_all"


def test_a_query_in_words_is_no_sql() -> None:
    assert facts_of({"query": "weather in Rome"})[0].kind == "table"
    assert facts_of({"query": "DROP TABLE users"})[0].kind == "sql"


def test_what_is_huge_is_shown_whole_and_in_ascii() -> None:
    details = {"text": "\u202e" * 300_000}

    fact, *others = facts_of(details)

    assert not others
    assert fact.text == ascii_json(details)
    assert fact.text.isascii()


def test_a_list_shows_what_is_short_alone() -> None:
    assert short_facts_of({"env": "prod", "n": 7}) is not None
    assert short_facts_of({"command": "a\n" * 20}) is None
    assert short_facts_of({"text": "x" * 5_000}) is None
