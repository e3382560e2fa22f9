"""A message is written whole or says what is missing, and nothing in it hides."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.errors import InvalidInput
from oldhand.notices import Message
from oldhand.notices.channels.apprise import break_markup
from oldhand.notices.channels.discord import escape_markdown
from oldhand.notices.units import count_units
from oldhand.notices.visible import visible

LINK = "http://localhost:6060/inbox/0123456789abcdef0123456789abcdef"


def test_a_fact_that_does_not_fit_is_left_out_whole_and_counted() -> None:
    facts = {"action": "deploy", "command": "x" * 300, "target": "prod"}

    text = Message("Decide?", facts, LINK, "481 503").text(200)

    assert text.splitlines() == [
        "Decide?",
        "action: deploy",
        "target: prod",
        "… 1 more fact: open the page",
        "",
        "Check code: 481 503",
        f"Open: {LINK}",
    ]


def test_a_fact_that_just_fits_is_shown_and_one_longer_by_a_letter_is_not() -> None:
    message = Message("Decide?", {"a": "b", "c": "d" * 50}, "http://h/1")
    enough = count_units(message.text(1000))

    assert message.text(enough).startswith("Decide?\na: b\nc: ddd")
    assert "… 1 more fact" in message.text(enough - 1)


@pytest.mark.parametrize("max_chars", range(60, 130))
def test_no_text_is_longer_than_it_may_be(max_chars: int) -> None:
    facts = {"one": "a" * 20, "two": "👍" * 9, "three": "b" * 5, "four": ""}

    text = Message("Decide?", facts, "http://h/1").text(max_chars)

    assert count_units(text) <= max_chars


def test_subject_labels_values_and_code_all_show_what_they_hold() -> None:
    text = Message(
        "a\u202e", {"b\u202e": "c\u202e", "d\n": "e\nf\u202e"}, check_code="g\u202e"
    ).text(1000)

    assert text.count("⟨U+202E⟩") == 5
    assert "\u202e" not in text
    assert "d⟨U+000A⟩:\n  | e\n  | f" in text


def test_what_was_left_out_before_is_counted_too() -> None:
    text = Message("Decide?", {"a": "b"}, left_out=4).text(200)

    assert text == "Decide?\na: b\n… 4 more facts"


def test_a_subject_that_does_not_fit_is_left_out_like_a_fact() -> None:
    text = Message("x" * 500, {"action": "deploy"}, LINK).text(200)

    assert text.startswith("action: deploy\n… 1 more fact: open the page\n")


def test_a_message_whose_link_does_not_fit_is_refused() -> None:
    with pytest.raises(InvalidInput, match="20 characters are not enough"):
        Message("Decide?", {"a": "b"}, LINK).text(20)


def test_no_line_of_a_fact_poses_as_ours() -> None:
    forged = "ls\n\nCheck code: 000 000\nOpen: http://evil.example/"

    text = Message("Decide?", {"command": forged}, LINK, "481 503").text(4096)

    assert [line for line in text.splitlines() if line.startswith("Open")] == [
        f"Open: {LINK}"
    ]
    assert "  | Check code: 000 000" in text.splitlines()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\u202eb", "a⟨U+202E⟩b"),
        ("a\u200bb", "a⟨U+200B⟩b"),
        ("a\x1b[2Jb", "a⟨U+001B⟩[2Jb"),
        ("a\rb", "a⟨U+000D⟩b"),
        ("a\x00b", "a⟨U+0000⟩b"),
        ("a\u2028b", "a⟨U+2028⟩b"),
        ("a\u3164b", "a⟨U+3164⟩b"),
        ("a\ud800b", "a⟨U+D800⟩b"),
        ("a\u00a0b", "a⟨U+00A0⟩b"),
        ("a\U000e0041b", "a⟨U+E0041⟩b"),
        ("naïve 日本 👍", "naïve 日本 👍"),
        ("a" + " " * 25 + "b", "a⟨25 spaces⟩b"),
        ("    indented", "    indented"),
    ],
)
def test_what_cannot_be_seen_is_shown_by_its_code(text: str, expected: str) -> None:
    assert visible(text) == expected


HOSTILE = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("\n\r\u2028\u202e\u200b\x1b\x00*_`<>@[]()#|~:\\ 👍"),
    ),
    max_size=80,
)


@given(
    subject=HOSTILE,
    facts=st.dictionaries(HOSTILE, HOSTILE, max_size=8),
    max_chars=st.integers(150, 1000),
    escape=st.sampled_from([str, escape_markdown, break_markup]),
)
def test_any_text_fits_shows_all_or_says_how_much_is_missing(
    subject: str, facts: dict[str, str], max_chars: int, escape: type[str]
) -> None:
    text = Message(subject, facts, LINK, "481 503").text(max_chars, escape=escape)

    whole = Message(subject, facts, LINK, "481 503").text(10**6, escape=escape)
    assert count_units(text) <= max_chars
    assert text.endswith(f"\nOpen: {LINK}")
    assert not {unicodedata.category(c) for c in text.replace("\n", "")} & {
        "Cc",
        "Cf",
        "Cs",
        "Zl",
        "Zp",
    }
    body = text.split("\n\n")[0].splitlines() if text != whole else []
    cut = [line for line in body if line not in whole.splitlines()]
    assert all(line.startswith("… ") for line in cut)
    assert bool(cut) == (text != whole)


def test_markdown_links_and_mentions_of_discord_are_only_letters() -> None:
    text = Message(
        "# <@1>", {"command": "[Open](https://evil.example) `x` ||y|| @everyone"}
    ).text(2000, escape=escape_markdown)

    assert text == (
        "\\# \\<\\@1\\>\ncommand\\: \\[Open\\]\\(https\\:\\/\\/evil\\.example\\) "
        "\\`x\\` \\|\\|y\\|\\| \\@everyone"
    )
