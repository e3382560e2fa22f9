"""What cannot be seen, or seems another letter, shows."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.web.pages.marked import mark

_SPAN = re.compile(r"</?span[^>]*>")


@pytest.mark.parametrize(
    "char",
    ["\u202e", "\u2066", "\u200b", "\u200d", "\ufeff", "\x1b", "\x07", "\r", "\u00a0",
     "\u3164", "\U000e0041", "\u00ad", "\u2028", "\x85"],
)  # fmt: skip
def test_a_hidden_character_is_written_as_its_code(char: str) -> None:
    html = mark(f"a{char}b")

    assert f"⟨U+{ord(char):04X}⟩" in html
    assert char not in _SPAN.sub("", html)


@pytest.mark.parametrize(
    "word", ["p\u0430ypal", "\u0410BC", "rm\uff0frf", "\u0435\u0445\u0435", "\uff52\uff4d", "a\u2215b", "\U0001d5cb\U0001d5c6"]
)  # fmt: skip
def test_a_letter_that_seems_another_has_its_code_behind_it(word: str) -> None:
    assert "⟨U+" in mark(word)


@pytest.mark.parametrize(
    "text", ["naïve café", "Пожалуйста удалите файл", "Ελληνικά λόγια", "日本語 テスト", "it\u2019s 5 \u2013 6 “x” …", "a\n\tb"]
)  # fmt: skip
def test_honest_text_is_left_alone(text: str) -> None:
    assert unescape(mark(text)) == text


def test_a_mark_cannot_be_forged() -> None:
    assert "⟨U+27E8⟩U+0041⟨U+27E9⟩" in _SPAN.sub("", mark("⟨U+0041⟩"))


def test_what_pushes_words_out_of_sight_is_counted_instead() -> None:
    html = mark("ok" + "\n" * 400 + "but" + " " * 300 + "not")

    assert "⟨399 empty lines⟩" in html
    assert "⟨300 spaces⟩" in html
    assert len(html) < 300


def test_a_line_shows_its_ends() -> None:
    assert "⟨U+000A⟩" in mark("a\nb", is_multiline=False)


@given(st.text())
def test_no_text_becomes_html(text: str) -> None:
    left = _SPAN.sub("", mark(text))

    assert "<" not in left
    assert "\u202e" not in left


@given(st.text(alphabet="<>&\"'ab\u202e\u0430 \n", max_size=60))
def test_what_is_not_marked_is_as_it_was(text: str) -> None:
    bare = re.sub(r"⟨[^⟩]*⟩", "", unescape(_SPAN.sub("", mark(text))))

    assert [c for c in bare if c in "<>&\"'ab"] == [c for c in text if c in "<>&\"'ab"]
