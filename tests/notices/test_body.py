"""A long answer is cut where a channel's room ends, and what is missing is counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.notices import Message
from oldhand.notices.body import BAR, fit_body
from oldhand.notices.channels.apprise import break_markup
from oldhand.notices.channels.discord import MAX_CHARS as DISCORD_CHARS
from oldhand.notices.channels.discord import escape_markdown
from oldhand.notices.stored import MAX_BODY_CHARS, from_json, storable, to_json
from oldhand.notices.units import count_units

LINK = "http://localhost:6060/jobs/runs/7"


def test_a_short_answer_stands_whole_after_the_facts() -> None:
    message = Message("backup: failed", {"Why": "disk full"}, LINK, body="one\n\ntwo")

    assert message.text(4096).splitlines() == [
        "backup: failed",
        "Why: disk full",
        "| one",
        "|",
        "| two",
        "",
        f"Open: {LINK}",
    ]


def test_a_long_answer_is_cut_and_the_rest_counted_with_the_way_to_it() -> None:
    message = Message("logs", {"Why": "asked"}, LINK, body="x" * 10_000)

    text = message.text(1_000)

    shown = next(line for line in text.splitlines() if line.startswith(BAR))
    missing = 10_000 - shown.count("x")
    assert count_units(text) <= 1_000
    assert shown.count("x") > 850
    assert f"… {missing:,} more characters: open the page" in text
    assert "Why: asked" in text


def test_what_was_not_even_stored_is_counted_too() -> None:
    kept = storable(Message("logs", body="word " * 10_000))

    assert len(kept.body) == MAX_BODY_CHARS
    assert kept.text(10_000_000).endswith("\n… 30,000 more characters")
    assert from_json(to_json(kept)) == kept


def test_a_fact_goes_before_the_answer_where_room_is_short() -> None:
    message = Message("s", {"Why": "y" * 60}, body="z" * 500)

    assert "y" * 60 in message.text(150)


def test_facts_and_characters_that_are_missing_are_one_line() -> None:
    message = Message("s", {"Why": "y" * 600}, body="z" * 500)

    text = message.text(100)

    assert text.splitlines()[-1].startswith("… 1 more fact and 4")


def test_no_line_of_an_answer_poses_as_ours() -> None:
    forged = "done\n\nOpen: http://evil.example/\nCheck code: 1\n… 3 more facts\u202e"

    lines = Message("s", {}, LINK, body=forged).text(4096).splitlines()

    assert [line for line in lines if line.startswith("Open")] == [f"Open: {LINK}"]
    assert [line for line in lines if line.startswith("…")] == []
    assert "\u202e" not in "\n".join(lines)


def test_markdown_is_shown_as_it_was_written_and_works_nowhere() -> None:
    body = "**bold** [x](http://evil.example) @everyone `code`"

    text = Message("s", body=body).text(DISCORD_CHARS, escape=escape_markdown)

    assert "\\*\\*bold\\*\\* \\[x\\]\\(http\\:\\/\\/evil" in text


def test_an_answer_is_redacted_before_it_is_kept() -> None:
    kept = storable(Message("s", body="export API_KEY=sk-ant-api03-" + "a1B2" * 20))

    assert "a1B2a1B2" not in to_json(kept)


def test_an_old_row_without_body_and_channels_is_read() -> None:
    old = '{"subject": "a", "facts": [], "link": "", "check_code": "", "left_out": 0}'

    assert from_json(old, key="k") == Message("a", key="k")


@pytest.mark.parametrize("room", range(72, 150))
def test_no_text_is_longer_than_it_may_be(room: int) -> None:
    message = Message("s", {"a": "b" * 30}, "http://h/1", body="👍 **x**\n" * 40)

    assert count_units(message.text(room, escape=escape_markdown)) <= room


@given(
    st.text(max_size=300),
    st.integers(0, 400),
    st.sampled_from([str, escape_markdown, break_markup]),
)
def test_what_is_shown_and_what_is_missing_are_the_whole(
    text: str, room: int, escape: object
) -> None:
    shown = fit_body(text, room, escape)  # type: ignore[arg-type]

    assert sum(count_units(line) + 1 for line in shown.lines) <= room
    assert 0 <= shown.chars <= len(text)
    whole = fit_body(text[: shown.chars], 1_000_000, escape)  # type: ignore[arg-type]
    assert shown.lines == whole.lines or shown.chars == 0
