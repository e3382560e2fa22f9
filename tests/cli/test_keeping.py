"""Export, erase and prune as a user meets them, over each engine."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from .conftest import Run

MARK = "Zanzibarquokka"
SECRET = "ghp_" + "a1B2" * 9

pytestmark = pytest.mark.usefixtures("engine")


@pytest.fixture
def chats(run: Run, tmp_path: Path) -> Path:
    """Import two chats from a file."""
    path = tmp_path / "chats.jsonl"
    lines = [
        {
            "id": uid,
            "principal": uid,
            "started_at": "2026-01-01T10:00:00Z",
            "messages": [
                {
                    "role": "user",
                    "content": f"{word} {SECRET}",
                    "timestamp": 1_767_000_000,
                }
            ],
        }
        for uid, word in (("s-lose", MARK), ("s-keep", "emu"))
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert run("import", path).code == 0
    return path


def uids(run: Run) -> list[str]:
    return sorted(row["uid"] for row in run("sessions", "list", "--json").rows)


def test_an_export_goes_to_stdout_without_secrets(run: Run, chats: Path) -> None:
    assert chats.exists()

    said = run("sessions", "export", "--session", "s-keep")

    assert [row["uid"] for row in said.rows] == ["s-keep"]
    assert SECRET not in said.out
    assert said.err == ""


def test_an_export_of_nothing_says_so(run: Run, chats: Path) -> None:
    assert chats.exists()

    said = run("sessions", "export", "--principal", "nobody")

    assert (said.out, said.code) == ("", 0)
    assert "no session fits" in said.err


def test_a_raw_export_says_so(run: Run, chats: Path) -> None:
    assert chats.exists()

    said = run("sessions", "export", "--raw", "--format", "openai")

    assert SECRET in said.out
    assert "secrets are in this export" in said.err


def test_an_export_to_a_file_is_private_and_can_be_imported(
    run: Run, chats: Path, tmp_path: Path
) -> None:
    assert chats.exists()
    path, other = tmp_path / "all.jsonl", tmp_path / "other.db"

    said = run("sessions", "export", "--raw", "--output", path)
    again = run("sessions", "export", "--output", path)
    (tally,) = run("import", "--json", "--database", other, path).rows

    assert (said.code, said.out) == (0, "")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert again.code == 4
    assert (tally["sessions"], tally["messages"]) == (2, 2)


def test_a_dry_run_of_an_erase_names_the_files_and_erases_nothing(
    run: Run, chats: Path
) -> None:
    said = run("sessions", "erase", "--session", "s-lose", "--dry-run")

    assert said.out.startswith(str(chats))
    assert "holds other sessions" in said.out
    assert "1 session with 1 message and 0 calls" in said.err
    assert uids(run) == ["s-keep", "s-lose"]


def test_an_erase_asks_and_takes_no_answer_for_no(run: Run, chats: Path) -> None:
    assert chats.exists()

    said = run("sessions", "erase", "--principal", "s-lose")

    assert said.code == 2
    assert "--yes" in said.err
    assert uids(run) == ["s-keep", "s-lose"]


def test_an_erase_leaves_no_trace_and_an_import_says_what_it_left_out(
    run: Run, chats: Path, home: Path
) -> None:
    (row,) = run("sessions", "erase", "--principal", "s-lose", "--yes", "--json").rows
    chats.write_text(chats.read_text() + "\n")
    (tally,) = run("import", chats, "--json").rows

    held = b"".join(p.read_bytes() for p in home.glob(".oldhand/*"))
    assert (row["sessions"], row["is_clean"]) == (["s-lose"], True)
    assert row["sources"] == row["shared_sources"] == [str(chats)]
    assert tally["erased"] == 1
    assert uids(run) == ["s-keep"]
    assert MARK.encode() not in held


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "nothing said of what to erase"),
        (("--session", "gone"), 3, "no session 'gone'"),
        (("--principal", "nobody"), 3, "nothing to erase"),
        (("--before", "soon"), 2, "ISO 8601"),
    ],
)
def test_an_erase_of_nothing_says_why(
    run: Run, chats: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    assert chats.exists()

    said = run("sessions", "erase", "--yes", *arguments)

    assert said.code == code
    assert message in said.err


def test_a_prune_says_what_goes_and_stays_pruned_until_asked(
    run: Run, chats: Path
) -> None:
    (planned,) = run(
        "sessions", "prune", "--older-than", "1d", "--dry-run", "--json"
    ).rows
    before = uids(run)
    pruned = run("sessions", "prune", "--older-than", "1d", "--yes")
    chats.write_text(chats.read_text() + "\n")
    left_out = run("import", chats)
    after = uids(run)
    run("import", chats, "--again")

    assert planned["sessions"] == ["s-lose", "s-keep"]
    assert planned["freed_bytes"] > 0
    assert before == ["s-keep", "s-lose"]
    assert pruned.code == 0
    assert "2 pruned" in left_out.err
    assert after == []
    assert uids(run) == ["s-keep", "s-lose"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "nothing said of what to prune"),
        (("--older-than", "90"), "expected as 90d"),
        (("--keep-size", "big"), "expected as 500MB"),
        (("--content", "all"), "expected tool-results, injected"),
    ],
)
def test_a_prune_of_nothing_says_why(
    run: Run, arguments: tuple[str, ...], message: str
) -> None:
    said = run("sessions", "prune", *arguments)

    assert said.code == 2
    assert message in said.err
