"""A warm start as a session file: what Claude Code resumes, and an import leaves out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from oldhand.errors import InvalidInput
from oldhand.integrations.claude_code.places import session_folder
from oldhand.sessions.claude_code_names import is_warm_uuid
from oldhand.sessions.importers import ReadContext, Tally
from oldhand.sessions.importers.claude_code import read

from ...sessions.importers.claude_code_fixture import Log, text  # noqa: TID252
from .recorded_events import Machine


def warm(machine: Machine, *options: str) -> dict[str, Any]:
    (said,) = machine.oldhand("warm", "--for", "claude-code", "--json", *options)
    return dict(said)


def lines_of(path: str | Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def test_the_session_lies_where_claude_code_looks_and_says_how_to_resume_it(
    taught: Machine,
) -> None:
    said = warm(taught)

    path = Path(said["path"])
    assert path == session_folder(taught.home / ".claude", str(taught.project)) / (
        f"{said['session']}.jsonl"
    )
    assert said["command"] == f"claude --resume {said['session']}"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_its_lines_hang_on_each_other_and_bear_what_the_format_asks_for(
    taught: Machine,
) -> None:
    said = warm(taught)
    lines = lines_of(said["path"])

    assert [line["parentUuid"] for line in lines] == [
        None,
        *(line["uuid"] for line in lines[:-1]),
    ]
    assert len({line["uuid"] for line in lines}) == len(lines)
    assert len({line["timestamp"] for line in lines}) == len(lines)
    for line in lines:
        assert line["sessionId"] == said["session"]
        assert (line["isSidechain"], line["userType"]) == (False, "external")
        assert (line["cwd"], line["type"]) == (
            str(taught.project),
            line["message"]["role"],
        )
    assert [line["type"] for line in lines] == ["user", "assistant"] * (len(lines) // 2)


def test_only_claude_codes_own_tools_are_called(taught: Machine) -> None:
    lines = lines_of(warm(taught)["path"])

    blocks = [
        block
        for line in lines
        if line["type"] == "assistant"
        for block in line["message"]["content"]
    ]
    assert {block["name"] for block in blocks if block["type"] == "tool_use"} == {
        "Bash",
        "Read",
    }


def test_the_same_start_has_the_same_name_and_bytes(taught: Machine) -> None:
    first = warm(taught)
    content = Path(first["path"]).read_bytes()

    second = warm(taught)

    assert second["path"] == first["path"]
    assert Path(second["path"]).read_bytes() == content


def test_a_session_that_went_on_is_never_written_over(taught: Machine) -> None:
    first = Path(warm(taught)["path"])
    with first.open("a") as file:
        file.write('{"type": "user"}\n')
    gone_on = first.read_bytes()

    second = Path(warm(taught)["path"])

    assert second != first
    assert first.read_bytes() == gone_on


def test_our_importer_reads_it_as_a_session_when_it_is_not_marked(
    taught: Machine, tmp_path: Path
) -> None:
    said = warm(taught)
    unmarked = Path(said["path"]).read_text().replace("01d4a4d0-", "11d4a4d0-")
    path = tmp_path / f"1{said['session'][1:]}.jsonl"
    path.write_text(unmarked)
    tally = Tally()

    (session,) = read(path, ReadContext(tally=tally))

    calls = [call for message in session.messages for call in message.calls]
    results = {
        message.call_id for message in session.messages if message.role == "tool"
    }
    assert {call.call_id for call in calls} == results
    assert len(calls) == len(said["examples"])
    assert (tally.malformed, tally.unknown_types, tally.orphans) == ([], {}, 0)


def test_an_import_leaves_it_out_and_says_so(taught: Machine) -> None:
    said = warm(taught)

    (report,) = taught.oldhand("import", "claude-code", "--json")

    assert report["warm_lines"] == len(lines_of(said["path"]))
    assert (report["sessions"], report["calls"]) == (0, 0)


def test_what_is_done_after_it_is_imported_and_what_it_showed_is_not(
    taught: Machine,
) -> None:
    said = warm(taught)
    path = Path(said["path"])
    shown = lines_of(path)
    log = Log(said["session"], cwd=str(taught.project))
    log.last = shown[-1]["uuid"]
    log.user("Now this")
    log.call("toolu_new", "Bash", command="cargo test")
    log.result("toolu_new", "ok", is_error=False)
    log.answer(text("Done."))
    with path.open("a") as file:
        file.writelines(f"{json.dumps(line)}\n" for line in log.lines)

    (report,) = taught.oldhand("import", "claude-code", "--json")

    assert (report["sessions"], report["calls"]) == (1, 1)
    calls = taught.oldhand("calls", "list", "--session", said["session"], "--json")
    assert [json.loads(call["arguments"])["command"] for call in calls] == [
        "cargo test"
    ]


def test_a_copy_in_another_file_is_left_out_as_well(
    taught: Machine, tmp_path: Path
) -> None:
    lines = lines_of(warm(taught)["path"])
    for line in lines:
        line["sessionId"] = "0a1b2c3d-0000-4000-8000-00000000000f"
    path = tmp_path / "0a1b2c3d-0000-4000-8000-00000000000f.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    tally = Tally()

    assert list(read(path, ReadContext(tally=tally))) == []
    assert tally.warm_lines == len(lines)


def test_no_uuid_that_others_make_is_taken_for_ours() -> None:
    assert not is_warm_uuid("01d4a4d0-0000-4000-8000-000000000001")
    assert not is_warm_uuid("0a1b2c3d-0000-8000-8000-000000000001")
    assert not is_warm_uuid("01d4a4d0-8")


def test_a_directory_whose_folder_is_not_known_is_refused() -> None:
    with pytest.raises(InvalidInput, match="not known"):
        session_folder(Path("/home/ada/.claude"), "/x" * 200)
