"""No half of a secret is left at a border."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from oldhand.cron.borders import head_of, tail_of
from oldhand.redact import redact

KEY = "-----BEGIN PRIVATE KEY-----\n" + ("MIIEvQIBADANBgkq" * 4 + "\n") * 20
END = "-----END PRIVATE KEY-----\nafter\n"


def test_a_line_that_was_cut_is_left_out() -> None:
    assert head_of("one\npassword: hunt") == "one\n"
    assert tail_of("er2hunter2\nlast\n") == "last\n"


def test_a_line_without_an_end_loses_as_much_as_a_secret_is_long() -> None:
    assert head_of("x" * 50_000) == "x" * 48_000
    assert tail_of("x" * 50_000) == "x" * 48_000
    assert head_of("x" * 100) == ""


def test_the_rest_of_a_key_is_left_out() -> None:
    whole = KEY + END

    assert tail_of(whole[100:]) == "after\n"
    assert tail_of("cut\n" + whole) == whole
    assert "MIIE" not in redact(head_of(whole[:200]))


@given(st.text(alphabet="ab \n", max_size=60))
def test_what_is_left_is_whole_lines_of_it(text: str) -> None:
    head, tail = head_of(text), tail_of(text)

    assert text.startswith(head)
    assert text.endswith(tail)
    assert not head or head.endswith("\n")
