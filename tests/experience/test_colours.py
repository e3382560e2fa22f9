"""Colours between the parts of a secret do not carry it past redaction."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.experience.colours import uncoloured
from oldhand.experience.example import Example
from oldhand.experience.render import neutral_line, neutral_text, render_text

TOKEN = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
COLOURED = [
    f"{TOKEN[:2]}\x1b[01;31m\x1b[K{TOKEN[2:9]}\x1b[m\x1b[K{TOKEN[9:]}",
    '\x1b[34;1m"password"\x1b[0m\x1b[1;39m:\x1b[0m \x1b[0;32m"hunter2hunter2"\x1b[0m',
]


@pytest.mark.parametrize("text", COLOURED)
def test_a_secret_with_colours_in_it_is_redacted(text: str) -> None:
    example = Example(
        tool="Bash", arguments="{}", result=text, result_chars=len(text), context=text
    )

    for shown in (
        uncoloured(text),
        neutral_text(text),
        neutral_line(text, 200),
        render_text([example], addendum=text),
    ):
        assert "[redacted:" in shown
        assert TOKEN not in shown
        assert "hunter2" not in shown


def test_a_result_that_is_whole_without_its_colours_is_not_marked_as_cut() -> None:
    text = "\x1b[32mok\x1b[0m done"
    example = Example(
        tool="Bash", arguments="{}", result=text, result_chars=len(text), outcome="ok"
    )

    assert "characters)" not in render_text([example])


@given(st.text())
def test_text_without_colours_stays_as_it_is(text: str) -> None:
    plain = text.replace("\x1b", "")

    assert uncoloured(plain) == plain
