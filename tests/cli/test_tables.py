"""What a terminal is given: nothing that steers it, and what tells most is not cut."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from oldhand.cli.bars import outcome_bars
from oldhand.cli.tables import plain, plain_json, print_table


@given(st.text())
def test_a_plain_value_is_one_line_that_a_screen_shows(text: str) -> None:
    assert plain(text).isprintable()
    assert len(plain(text)) == len(text)


@given(st.text(), st.none() | st.just(2))
def test_plain_json_hides_nothing_and_is_the_same_value(
    text: str, indent: int | None
) -> None:
    written = plain_json({text: [text]}, indent=indent)

    assert written.replace("\n", "").isprintable()
    assert json.loads(written) == {text: [text]}


def test_an_outcome_is_whole_where_other_columns_are_long(
    capsys: pytest.CaptureFixture[str],
) -> None:
    row = {"uid": "u" * 300, "outcome": "cancelled", "shape": "s" * 300}

    print_table([row], columns={"uid": "session", "outcome": "outcome", "shape": "s"})

    assert " cancelled " in capsys.readouterr().out


def test_an_id_is_whole_on_a_narrow_terminal() -> None:
    row = {"id": "1kvhhm0raav6x4ge0a7d6anhmv", "a": "s" * 60, "b": "t" * 60}
    console = Console(width=80)

    with console.capture() as shown:
        print_table([row], columns={"id": "id", "a": "a", "b": "b"}, console=console)

    assert f" {row['id']} " in shown.get()


def test_a_bar_names_a_tool_whatever_its_name_holds() -> None:
    console = Console(width=80)
    bars = outcome_bars({"[/b]ash\x1b[31m :smile:": {"ok": 3}, "Read": {"error": 2000}})

    with console.capture() as shown:
        console.print(bars)

    assert "[/b]ash\N{REPLACEMENT CHARACTER}[31m :smile:" in shown.get()
    assert "Read" in shown.get()
    assert "2,000 error" in shown.get()
