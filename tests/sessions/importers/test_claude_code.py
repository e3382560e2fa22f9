"""Claude Code's files, quirk by quirk."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oldhand.errors import UnreadableSource
from oldhand.sessions.importers import ReadContext, Tally
from oldhand.sessions.importers.claude_code import SOURCE, find, homes, read
from oldhand.sessions.model import Message, Session, Usage

from .claude_code_fixture import SESSION, Log, text


def read_one(path: Path) -> tuple[Session, Tally]:
    tally = Tally()
    (session,) = read(path, ReadContext(tally=tally))
    return session, tally


def simple_log() -> Log:
    log = Log()
    log.user("Fix the tests")
    log.answer(text("I run them."))
    log.call("toolu_1", "Bash", command="pytest")
    log.result("toolu_1", "2 passed", is_error=False)
    log.answer(text("Done."))
    return log


def test_a_session_is_read_with_what_is_known_of_it(tmp_path: Path) -> None:
    session, _ = read_one(simple_log().write(tmp_path))

    assert session.uid == SESSION
    assert session.source == "claude-code"
    assert session.agent == "claude-code 2.1.7"
    assert session.model == "model-a"
    assert (session.cwd, session.git_branch) == ("/home/ada/engine", "main")
    assert [m.role for m in session.messages] == [
        "user",
        "assistant",
        "assistant",
        "tool",
        "assistant",
    ]
    assert session.messages[3].evidence.is_error is False
    assert session.messages[2].calls[0].arguments == '{"command":"pytest"}'


def test_one_answer_over_several_lines_is_one_message(tmp_path: Path) -> None:
    log = Log()
    log.user("Look at both")
    log.answer(text("Reading."), api_id="msg_a")
    log.call("toolu_1", "Read", api_id="msg_a", file_path="a.py")
    log.call("toolu_2", "Read", api_id="msg_a", file_path="b.py")
    log.result("toolu_1", "one")
    log.result("toolu_2", "two")

    session, _ = read_one(log.write(tmp_path))

    answer = session.messages[1]
    assert answer.content == "Reading."
    assert [call.call_id for call in answer.calls] == ["toolu_1", "toolu_2"]
    assert len(session.messages) == 4


def test_usage_that_is_repeated_on_each_line_is_counted_once(tmp_path: Path) -> None:
    log = Log()
    log.user("Go")
    log.answer(text("a"), api_id="msg_a")
    last = log.answer(text("b"), api_id="msg_a")
    last["message"]["usage"]["output_tokens"] = 42

    session, _ = read_one(log.write(tmp_path))

    usage = session.messages[1].usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens) == (10, 42)
    assert (usage.cache_read_tokens, usage.cache_write_tokens) == (100, 7)


def test_two_objects_on_one_line_are_both_read(tmp_path: Path) -> None:
    log = simple_log()
    path = log.write(tmp_path)
    lines = [json.dumps(line) for line in log.lines]
    path.write_text("\n".join([lines[0], lines[1] + lines[2], *lines[3:]]) + "\n")

    session, tally = read_one(path)

    assert len(session.messages) == 5
    assert tally.malformed == []


def test_a_line_that_stands_twice_is_read_once(tmp_path: Path) -> None:
    log = simple_log()
    log.lines.append(dict(log.lines[3]))

    session, tally = read_one(log.write(tmp_path))

    assert len(session.messages) == 5
    assert tally.duplicates == 1


def test_a_broken_line_is_counted_with_its_number(tmp_path: Path) -> None:
    path = simple_log().write(tmp_path)
    path.write_text('{"type": "user", "mess\n[1, 2]\n' + path.read_text())

    session, tally = read_one(path)

    assert [(m.line, m.reason) for m in tally.malformed] == [
        (1, "not JSON"),
        (2, "not a JSON object"),
    ]
    assert len(session.messages) == 5


def test_a_last_line_that_is_still_being_written_is_no_fault(tmp_path: Path) -> None:
    path = simple_log().write(tmp_path)
    path.write_text(path.read_text() + '{"type": "assistant", "mess')

    session, tally = read_one(path)

    assert len(session.messages) == 5
    assert tally.malformed == []


def test_a_record_type_that_is_not_known_is_counted(tmp_path: Path) -> None:
    log = simple_log()
    log.line("hologram")
    log.line("hologram")
    log.line("queue-operation")

    _, tally = read_one(log.write(tmp_path))

    assert dict(tally.unknown_types) == {"hologram": 2}


def test_what_the_user_rewound_behind_is_inactive(tmp_path: Path) -> None:
    log = Log()
    log.user("Begin")
    fork = log.answer(text("Which way?"))["uuid"]
    log.user("Left")
    log.call("toolu_1", "Bash", command="go left")
    log.result("toolu_1", "a wall")
    log.last = fork
    log.user("Right")
    log.answer(text("Good."))

    session, _ = read_one(log.write(tmp_path))

    assert [m.active for m in session.messages] == [
        True,
        True,
        False,
        False,
        False,
        True,
        True,
    ]


def test_a_first_prompt_that_was_typed_anew_gives_up_the_old_one(
    tmp_path: Path,
) -> None:
    log = Log()
    log.user("Do it badly")
    log.call("toolu_1", "Bash", command="false")
    log.result("toolu_1", "no")
    log.last = None
    log.user("Do it well")
    log.answer(text("Done."))

    session, _ = read_one(log.write(tmp_path))

    assert [m.active for m in session.messages] == [False, False, False, True, True]


def test_a_rewind_is_seen_where_bookkeeping_stands_before_a_prompt(
    tmp_path: Path,
) -> None:
    log = Log()
    log.user("Begin")
    fork = log.answer(text("Which way?"))["uuid"]
    log.line("hologram")
    log.user("Left")
    log.answer(text("A wall."))
    log.last = fork
    log.user("Right")

    session, _ = read_one(log.write(tmp_path))

    assert [m.active for m in session.messages] == [True, True, False, False, True]


def test_a_compaction_and_a_gap_in_the_file_are_no_rewind(tmp_path: Path) -> None:
    log = Log()
    log.user("Begin")
    last = log.answer(text("Done."))["uuid"]
    log.line("system", subtype="compact_boundary", logicalParentUuid=last)
    log.lines[-1]["parentUuid"] = None
    log.user("This session is being continued", isCompactSummary=True)
    log.last = "a line that is not in the file"
    log.user("Go on")

    session, _ = read_one(log.write(tmp_path))

    assert all(message.active for message in session.messages)


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("root", [None, "a line that is not in the file"])
def test_a_file_of_nothing_but_rewinds_takes_no_longer_than_another(
    tmp_path: Path, root: str | None, order: int
) -> None:
    log = Log()
    log.last = root
    for _ in range(10_000):
        log.user("Again")
    log.lines = log.lines[::order]
    log.last = None
    log.user("Enough")
    started = time.perf_counter()

    session, _ = read_one(log.write(tmp_path))

    assert time.perf_counter() - started < 5
    assert session.messages[-1].active


def test_a_subagents_part_in_the_same_file_is_no_rewind(tmp_path: Path) -> None:
    log = Log()
    log.user("Begin")
    main = log.last
    log.last = None
    log.user("Explore", isSidechain=True)
    log.answer(text("Found."), isSidechain=True)
    log.last = main
    log.answer(text("Done."))

    session, _ = read_one(log.write(tmp_path))

    assert all(message.active for message in session.messages)


def test_what_a_subagents_part_repeats_is_left_out(tmp_path: Path) -> None:
    log = Log()
    log.user("Begin")
    log.answer(text("I look."), api_id="msg_a")
    log.call("toolu_1", "Bash", api_id="msg_a", command="ls")
    log.result("toolu_1", "a.py")
    copies = [dict(line, isSidechain=True, requestId="req_2") for line in log.lines]
    for number, line in enumerate(copies):
        log.lines.append(dict(line, uuid=f"copy-{number}", parentUuid=None))
    log.call("toolu_2", "Bash", command="pwd")["isSidechain"] = True

    session, tally = read_one(log.write(tmp_path))

    assert [call.call_id for m in session.messages for call in m.calls] == [
        "toolu_1",
        "toolu_2",
    ]
    assert session.messages[1].content == "I look."
    assert [m.role for m in session.messages].count("tool") == 1
    assert tally.duplicates == 3


def test_results_of_parallel_calls_branch_and_are_no_rewind(tmp_path: Path) -> None:
    log = Log()
    log.user("Look")
    first = log.call("toolu_1", "Read", api_id="msg_a", file_path="a")["uuid"]
    log.call("toolu_2", "Read", api_id="msg_a", file_path="b")
    log.result("toolu_2", "two")
    log.last = first
    log.result("toolu_1", "one")

    session, _ = read_one(log.write(tmp_path))

    assert all(message.active for message in session.messages)


@pytest.mark.parametrize(
    ("content", "fields", "expected"),
    [
        ("<command-name>/clear</command-name>", {}, "injected"),
        ("<local-command-stdout>x</local-command-stdout>", {}, "injected"),
        ("<system-reminder>be brief</system-reminder>", {}, "injected"),
        ("<bash-stderr>no such file</bash-stderr>", {}, "injected"),
        ("Caveat: the rest", {"isMeta": True}, "injected"),
        ("This session is being continued", {"isCompactSummary": True}, "summary"),
        ("[Request interrupted by user]", {}, "meta"),
        ("Do it", {"isSidechain": True}, "sidechain"),
        ("Do it", {}, "turn"),
    ],
)
def test_text_in_the_users_place_is_told_apart(
    tmp_path: Path, content: str, fields: dict[str, bool], expected: str
) -> None:
    log = Log()
    log.user(content, **fields)

    session, _ = read_one(log.write(tmp_path))

    assert session.messages[0].type == expected


def test_what_was_typed_is_kept_apart_from_what_the_program_put_before_it(
    tmp_path: Path,
) -> None:
    log = Log()
    log.user([text("<ide_opened_file>a.py</ide_opened_file>"), text("Fix the tests")])

    session, _ = read_one(log.write(tmp_path))

    assert [(m.type, m.content) for m in session.messages] == [
        ("injected", "<ide_opened_file>a.py</ide_opened_file>"),
        ("turn", "Fix the tests"),
    ]


def test_the_programs_own_words_are_no_models(tmp_path: Path) -> None:
    log = Log()
    log.user("Go")
    log.answer(text("API Error: 529"), isApiErrorMessage=True)
    log.answer(text("No response requested."))
    for line in log.lines[1:]:
        line["message"]["model"] = "<synthetic>"

    session, _ = read_one(log.write(tmp_path))

    assert [m.type for m in session.messages] == ["turn", "meta", "meta"]
    assert session.model is None


def test_arguments_that_are_nested_deeply_cost_no_call(tmp_path: Path) -> None:
    deep: dict[str, object] = {}
    for _ in range(300):
        deep = {"a": deep}
    log = Log()
    log.user("Go")
    log.call("toolu_1", "Bash", command=deep)

    session, tally = read_one(log.write(tmp_path))

    assert session.messages[1].calls[0].arguments.startswith('{"command":{"a":{')
    assert tally.malformed == []


def test_counts_that_no_database_holds_are_unknown(tmp_path: Path) -> None:
    log = Log()
    log.user("Go")
    log.answer(text("Done."))["message"]["usage"] = {
        "input_tokens": 2**63,
        "output_tokens": -1,
    }

    session, _ = read_one(log.write(tmp_path))

    assert session.messages[1].usage == Usage()


def test_a_refusal_and_an_interruption_are_evidence(tmp_path: Path) -> None:
    log = Log()
    log.user("Go")
    log.call("toolu_1", "Bash", command="rm x")
    log.result("toolu_1", "no", is_error=True, toolDenialKind="user-rejected")
    log.call("toolu_2", "Bash", command="sleep 9")
    log.result("toolu_2", "", toolUseResult={"interrupted": True, "stdout": ""})

    session, _ = read_one(log.write(tmp_path))

    evidence = [m.evidence for m in session.messages if m.role == "tool"]
    assert (evidence[0].refused, evidence[0].is_error) == (True, True)
    assert (evidence[1].cancelled, evidence[1].is_error) == (True, False)


def test_a_subagents_file_is_a_session_of_its_own(tmp_path: Path) -> None:
    log = Log()
    log.user("Explore", isSidechain=True, agentId="a1")
    log.answer(text("Found."), isSidechain=True, agentId="a1")
    path = log.write(tmp_path / SESSION / "subagents", name="agent-a1")

    session, _ = read_one(path)

    assert session.uid == f"{SESSION}/agent-a1"
    assert (session.parent, session.relation) == (SESSION, "subagent")
    assert [m.type for m in session.messages] == ["turn", "turn"]


def test_an_older_subagents_file_lies_beside_its_session(tmp_path: Path) -> None:
    log = Log()
    log.user("Explore", isSidechain=True, agentId="a1")

    session, _ = read_one(log.write(tmp_path, name="agent-a1"))

    assert (session.uid, session.parent) == (f"{SESSION}/agent-a1", SESSION)


def test_files_are_found_in_all_folders_and_subagents_come_last(tmp_path: Path) -> None:
    main = simple_log().write(tmp_path / "projects" / "-home-ada-engine")
    sub = simple_log().write(
        tmp_path / "projects" / "-home-ada-engine" / SESSION / "subagents",
        name="agent-a1",
    )

    found = list(find(tmp_path))

    assert found == [main, sub]


def test_several_configuration_folders_are_listed_in_the_variable() -> None:
    found = homes({"CLAUDE_CONFIG_DIR": "/a, /b"}, Path("/home/ada"))

    assert found == [Path("/a/projects"), Path("/b/projects")]
    assert len(homes({}, Path("/home/ada"))) == 2


def test_a_named_pipe_and_a_link_to_nowhere_are_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "link.jsonl").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to(tmp_path)

    assert list(find(tmp_path)) == []


@pytest.mark.parametrize(
    "raw",
    [
        '{"messages": []}\n{"messages": []}\n',
        '{\n  "messages": []\n}\n',
        '{"type": "user", "sessionId": "s", "message": {"role": "user", "parts": []}}\n',
        '{"type": ["user"]}\n',
    ],
)
def test_a_file_of_another_format_is_refused(tmp_path: Path, raw: str) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(raw)

    with pytest.raises(UnreadableSource, match="no line is Claude Code's"):
        read_one(path)


def test_a_binary_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "binary.jsonl"
    path.write_bytes(b"\x7fELF\0\0\0" * 50)

    with pytest.raises(UnreadableSource, match="binary"):
        read_one(path)


def test_a_file_without_a_message_gives_no_session(tmp_path: Path) -> None:
    log = Log()
    log.line("summary", summary="Nothing happened")
    tally = Tally()

    found = list(read(log.write(tmp_path), ReadContext(tally=tally)))

    assert found == []
    assert tally.empty == 1


def test_a_grown_file_gives_the_same_messages_first(tmp_path: Path) -> None:
    log = simple_log()
    before, _ = read_one(log.write(tmp_path))
    log.user("And now?")

    after, _ = read_one(log.write(tmp_path))

    def ids(messages: list[Message]) -> list[str | None]:
        return [message.native_id for message in messages]

    assert ids(after.messages)[: len(before.messages)] == ids(before.messages)
    assert len(after.messages) == len(before.messages) + 1


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "id", "text", "content"]), inner)
    ),
    max_leaves=5,
)


def objects_in(value: Any) -> Iterator[dict[str, Any]]:
    """Yield an object and those inside it that hold anything."""
    if isinstance(value, dict) and value:
        yield value
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, dict | list):
            yield from objects_in(inner)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_bent_and_cut_records_never_stop_the_reader(
    tmp_path: Path, data: st.DataObject
) -> None:
    log = simple_log()
    for _ in range(data.draw(st.integers(1, 4))):
        line = data.draw(st.sampled_from(log.lines))
        place = data.draw(
            st.sampled_from([found for found in objects_in(line) if found])
        )
        place[data.draw(st.sampled_from(sorted(place)))] = data.draw(ODD)
    raw = "".join(json.dumps(line) + "\n" for line in log.lines).encode()
    path = tmp_path / "bent.jsonl"
    path.write_bytes(raw[: data.draw(st.integers(0, len(raw)))])

    try:
        sessions = list(read(path, ReadContext(tally=Tally())))
    except UnreadableSource:
        sessions = []

    assert len(sessions) <= 1


def test_the_real_sessions_are_read_whole(real_sessions: Path) -> None:
    tally = Tally()
    paths = list(find(real_sessions / "claude_code"))

    sessions = [s for p in paths for s in read(p, ReadContext(tally=tally))]

    assert SOURCE.name == "claude-code"
    assert len(sessions) == len(paths) > 100
    assert tally.malformed == []
    assert not tally.unknown_types
