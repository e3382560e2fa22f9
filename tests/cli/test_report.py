"""`oldhand report` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oldhand.cli.main import main

DASH = "\N{EN DASH}"


@pytest.fixture
def database(home: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Import one chat that says nothing about tokens and one that is empty."""
    chats = home / "chats.jsonl"
    lines = [
        {
            "id": "one",
            "model": "qwen",
            "started_at": "2026-01-01T10:00:00Z",
            "messages": [{"role": "user", "content": "Hello"}],
        },
        {"id": "two", "messages": []},
    ]
    chats.write_text("".join(json.dumps(line) + "\n" for line in lines))
    main_quietly("import", "openai", str(chats))
    capsys.readouterr()
    return chats


def main_quietly(*arguments: str) -> int:
    try:
        main(arguments)
    except SystemExit as end:
        return int(end.code or 0)
    return 0


@pytest.mark.usefixtures("database")
def test_a_table_shows_unknown_as_a_dash_with_the_number_of_sessions(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main_quietly("report")

    out = capsys.readouterr().out
    row = next(line for line in out.splitlines() if "2026-01-01" in line)
    assert row.split() == ["2026-01-01", "1", *[DASH] * 4, "1", DASH, "1"]


@pytest.mark.usefixtures("database")
def test_a_report_says_how_many_empty_sessions_were_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main_quietly("report")

    assert "left out: 1 of openai" in capsys.readouterr().out


@pytest.mark.usefixtures("database")
def test_the_json_of_a_report_has_the_documented_keys(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main_quietly("report", "--json")

    value = json.loads(capsys.readouterr().out)
    assert list(value)[:5] == [
        "by_day",
        "by_model",
        "by_source",
        "total",
        "empty_sessions",
    ]
    assert value["by_day"] == [{"day": "2026-01-01"} | value["total"]]
    assert value["total"] == {
        "sessions": 1,
        "input_tokens": None,
        "output_tokens": None,
        "cache_read_tokens": None,
        "cache_write_tokens": None,
        "tokens_unknown_sessions": 1,
        "cost_usd": None,
        "cost_unknown_sessions": 1,
    }


@pytest.mark.usefixtures("database")
def test_since_and_until_bound_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    main_quietly("report", "--json", "--since", "2026-01-02")
    after = json.loads(capsys.readouterr().out)
    main_quietly("report", "--json", "--until", "2026-01-02")
    before = json.loads(capsys.readouterr().out)

    assert (after["total"]["sessions"], before["total"]["sessions"]) == (0, 1)


def test_a_time_that_is_none_is_refused(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main_quietly("report", "--since", "yesterday")

    assert home.is_dir()
    assert code == 2
    assert "'yesterday' is no time" in capsys.readouterr().err


@pytest.mark.usefixtures("database")
def test_a_report_has_all_its_parts_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    main_quietly("report", "--json")

    row = json.loads(capsys.readouterr().out)
    assert {"by_day", "by_model", "total", "calls", "coverage"} <= row.keys()
    assert row["calls"]["total"]["calls"] == 0
    assert row["coverage"] == {"sessions": 0, "covered": []}


@pytest.mark.usefixtures("database")
def test_one_part_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    main_quietly("report", "--part", "calls", "--json")

    assert json.loads(capsys.readouterr().out).keys() == {"calls"}


@pytest.mark.usefixtures("database")
def test_a_picture_fetches_nothing_and_is_the_owners_alone(home: Path) -> None:
    picture = home / "report.svg"

    assert main_quietly("report", "--svg", str(picture)) == 0

    assert picture.stat().st_mode & 0o777 == 0o600
    text = picture.read_text()
    assert "<svg" in text
    assert "url(http" not in text
    assert main_quietly("report", "--svg", str(picture)) != 0  # it is there already


@pytest.mark.usefixtures("database")
def test_a_picture_and_json_are_not_given_together(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main_quietly("report", "--json", "--svg", str(home / "r.svg")) == 2

    assert "take one" in capsys.readouterr().err


@pytest.mark.usefixtures("database")
def test_a_picture_that_cannot_be_made_stops_it_before_anything_is_printed(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main_quietly("report", "--svg", str(home / "no" / "r.svg"))

    captured = capsys.readouterr()
    assert (captured.out, code) == ("", 2)
    assert "cannot make it" in captured.err


@pytest.mark.usefixtures("database")
def test_it_is_said_where_the_picture_is(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main_quietly("report", "--part", "costs", "--svg", str(home / "r.svg"))

    assert capsys.readouterr().err == f"the picture is in {home / 'r.svg'}\n"


def failed_and_repaired(number: int) -> dict[str, object]:
    """Return a chat in which a call failed for its flag, and worked without it."""
    messages: list[dict[str, object]] = [{"role": "user", "content": "Show it"}]
    for name, command, result in (
        ("c1", "gh pr diff 8 --stat", "unknown flag: --stat\n[exit code 1]"),
        ("c2", "gh pr diff 8", "+ a line"),
    ):
        arguments = json.dumps({"command": command})
        call = {"id": name, "function": {"name": "Bash", "arguments": arguments}}
        messages += [
            {"role": "assistant", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": name, "content": result},
        ]
    return {"id": f"s{number}", "messages": messages}


def test_what_failed_and_what_then_worked_is_in_the_report(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chats = home / "chats.jsonl"
    lines = [json.dumps(failed_and_repaired(number)) + "\n" for number in range(3)]
    chats.write_text("".join(lines))
    main_quietly("import", "openai", str(chats))
    capsys.readouterr()

    main_quietly("report", "--part", "repairs", "--json")
    (row,) = json.loads(capsys.readouterr().out)["repairs"]
    main_quietly("report", "--part", "repairs")
    page = capsys.readouterr().out

    assert row == {
        "tool": "Bash",
        "error_kind": row["error_kind"],
        "failed": "Bash:gh pr --stat",
        "worked": "Bash:gh pr",
        "repairs": 3,
        "sessions": 3,
    }
    assert "what failed and what then worked" in page
    assert "Bash:gh pr --stat" in page


@pytest.mark.usefixtures("database")
def test_where_nothing_was_repaired_that_is_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main_quietly("report", "--part", "repairs")

    assert "no failed call is known to have been put right" in capsys.readouterr().out
