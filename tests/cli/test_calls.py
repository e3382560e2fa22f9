"""`oldhand calls` as a user meets it: labels, and what is found by name."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from .conftest import Run


@pytest.fixture
def calls(run: Run, tmp_path: Path) -> Run:
    """Import two sessions of three calls each; one call in each fails."""
    path = tmp_path / "chats.jsonl"
    with path.open("w") as file:
        for session in ("one", "two"):
            messages: list[dict[str, object]] = [{"role": "user", "content": "Go"}]
            for number, result in enumerate(("a.py", "fatal: no repository", "done")):
                arguments = json.dumps({"command": f"git show v{number}"})
                function = {"name": "bash", "arguments": arguments}
                made = {"id": f"c{number}", "type": "function", "function": function}
                messages += [
                    {"role": "assistant", "content": None, "tool_calls": [made]},
                    {"role": "tool", "tool_call_id": f"c{number}", "content": result},
                ]
            file.write(json.dumps({"id": session, "messages": messages}) + "\n")
    run("import", "openai", path)
    return run


def test_a_call_is_labelled_by_name(calls: Run) -> None:
    said = calls("calls", "label", "one/c1", "error", "--json")

    (report,) = said.rows
    assert said.code == 0
    assert report["labels"] == 1
    assert report["precision"]["value"] == 1


def test_a_name_that_fits_several_calls_says_which(calls: Run) -> None:
    said = calls("calls", "label", "c1", "error")

    assert said.code == 2
    assert "one/c1, two/c1" in said.err


def test_a_call_that_is_not_there_is_not_found(calls: Run) -> None:
    said = calls("calls", "label", "one/c9", "error")

    assert said.code == 3
    assert "no call 'one/c9'" in said.err


def test_a_sample_does_not_say_what_was_judged(calls: Run) -> None:
    rows = calls("calls", "label", "--count", "3", "--json").rows

    assert len(rows) == 3
    for row in rows:
        assert row.keys() >= {"call", "tool", "arguments", "result"}
        assert not row.keys() & {"outcome", "rule", "confidence", "error_kind"}


def test_a_sample_that_was_labelled_elsewhere_is_read_back(
    calls: Run, tmp_path: Path
) -> None:
    rows = calls("calls", "label", "--count", "6", "--json").rows
    path = tmp_path / "labels.jsonl"
    lines = [json.dumps({"call": row["call"], "outcome": "ok"}) for row in rows]
    path.write_text("\n".join(lines))

    (report,) = calls("calls", "label", "--from", path, "--json").rows

    assert (report["labels"], report["misses"]) == (6, 2)


@pytest.mark.parametrize(
    ("text", "code", "named"),
    [
        (b'{"call": "one/c0"}', 2, "line 1 has no outcome; expected an object"),
        (b"{}", 2, "line 1 has no call and no outcome"),
        (b"\n[]", 2, "line 2 is no object"),
        (b"{", 2, "line 1 is no JSON"),
        (b"\xff\xfe", 5, "labels.jsonl: not UTF-8"),
    ],
)
def test_a_line_that_is_no_label_is_named(
    calls: Run, tmp_path: Path, text: bytes, code: int, named: str
) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_bytes(text)

    said = calls("calls", "label", "--from", path)

    assert (said.code, said.out) == (code, "")
    assert named in said.err


def test_a_report_without_labels_says_that_nothing_is_known(calls: Run) -> None:
    said = calls("calls", "label", "--report")

    assert said.code == 0
    assert "nothing is known" in said.out


def test_questions_are_asked_and_kept(
    calls: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("o\ns\nq\n"))
    said = calls("calls", "label", "--count", "3")

    assert said.code == 0
    assert "1 label of 6 calls" in said.out


def test_a_judgement_is_explained(calls: Run) -> None:
    said = calls("calls", "judge", "--explain", "one/c1")
    (row,) = calls("calls", "judge", "--explain", "one/c1", "--json").rows

    assert said.code == 0
    assert "the first yes decides" in said.out
    assert row["steps"][-1]["holds"]
    assert row["judgement"]["outcome"] == row["recorded"]["outcome"]


def test_judging_anew_says_what_changed(calls: Run) -> None:
    said = calls("calls", "judge", "--dry-run")
    (row,) = calls("calls", "judge", "--json").rows

    assert "6 calls judged; would have another outcome: 0" in said.out
    assert (row["calls"], row["outcomes"], row["kept"]) == (6, [], True)
