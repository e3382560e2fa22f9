"""A live agent's session, recorded message by message."""

from __future__ import annotations

import copy
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand import Recorder, open_store
from oldhand.errors import Conflict, InvalidInput, NotFound, StoreError
from oldhand.sessions.keep.erase import erase, plan_erase
from oldhand.sessions.keep.retention import PruneWish, plan_prune, prune
from oldhand.sessions.keep.selection import Selection
from oldhand.sessions.model import Evidence, Message, Session, ToolCall, Usage
from oldhand.sessions.read import find_session, load_messages
from oldhand.sessions.read_calls import iterate_calls
from oldhand.sessions.record import SessionWriter
from oldhand.store import Query, Store, open_database

NOW_US = 1_767_225_600_000_000


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file that takes a store over each engine."""
    return any_store


def recorder(store: Store, **facts: Any) -> Recorder:
    given_facts = {"uid": "s1", "source": "test", "principal": "ada"} | facts
    clock = count(NOW_US, 1_000_000).__next__
    return Recorder(store, clock=clock, **given_facts)


def user(content: str, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": content, **more}


def call(call_id: str, command: str, **more: Any) -> dict[str, Any]:
    function = {"name": "Bash", "arguments": json.dumps({"command": command})}
    made = {"id": call_id, "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [made], **more}


def result(call_id: str, content: str, **more: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content, **more}


def rows(store: Store, table: str) -> list[tuple[Any, ...]]:
    text = f"SELECT * FROM {table} ORDER BY id"  # noqa: S608 - fixed names
    return store.query_all(Query(table, text, text))


def contents(store: Store, uid: str = "s1") -> list[str]:
    messages = load_messages(store, find_session(store, uid))
    return [message["content"] for message in messages]


def erase_session(store: Store, uid: str) -> None:
    plan = plan_erase(store, Selection(uids=(uid,)))
    with store.transaction():
        erase(store, plan)


def outcomes(store: Store) -> list[str]:
    return [judged.outcome for judged in iterate_calls(store)]


class FaultyStore:
    """A store that fails when told to, before or after its commit."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.fault: BaseException | None = None
        self.is_late = False
        self._depth = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Fail before or after the end of the real one."""
        fault, self.fault = self.fault, None
        with self._store.transaction():
            yield
            if fault is not None and not self.is_late:
                raise fault
        if fault is not None:
            raise fault


def test_nothing_is_written_before_the_first_message(store: Store) -> None:
    recording = recorder(store)

    recording.append([])
    recording.end("never used")

    assert rows(store, "sessions") == []
    assert recording.seq == 0


def test_all_that_was_given_stands_in_the_row_that_comes_with_the_first_message(
    store: Store,
) -> None:
    recording = recorder(
        store,
        agent="loop 2",
        model="m-1",
        model_config={"temperature": 0.2, "tools": ["Bash"]},
        project="/src/engine",
        cwd="/src/engine/core",
        git_branch="main",
        parent="p1",
        relation="subagent",
        title="Engine",
    )

    recording.append([user("Fix the engine")])

    found = find_session(store, "s1")
    text = "SELECT model_config FROM sessions"
    config = Query("config", text, text)
    assert (found.source, found.agent, found.model) == ("test", "loop 2", "m-1")
    assert (found.principal, found.project) == ("ada", "/src/engine")
    assert (found.cwd, found.git_branch) == ("/src/engine/core", "main")
    assert (found.parent, found.relation, found.title) == ("p1", "subagent", "Engine")
    assert found.task == "Fix the engine"
    assert store.query_all(config) == [('{"temperature":0.2,"tools":["Bash"]}',)]


def test_the_source_is_the_variable_or_cli(
    store: Store, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert home.is_dir()
    monkeypatch.delenv("OLDHAND_SESSION_SOURCE", raising=False)
    Recorder(store, uid="by-default").append([user("Go")])
    monkeypatch.setenv("OLDHAND_SESSION_SOURCE", "my-agent")
    Recorder(store, uid="by-variable").append([user("Go")])

    sources = [find_session(store, f"by-{name}") for name in ("default", "variable")]

    assert [found.source for found in sources] == ["cli", "my-agent"]
    assert sources[0].principal == "ada"


def test_a_uid_is_known_before_the_first_message(store: Store) -> None:
    recording = Recorder(store, source="test", principal="ada")

    recording.append([user("Go")])

    assert find_session(store, recording.uid).message_count == 1


def test_a_call_is_pending_until_its_result_comes_and_judged_then(store: Store) -> None:
    recording = recorder(store)
    recording.append([user("Go"), call("c1", "pytest tests")])
    before = outcomes(store)

    recording.append([result("c1", "1 failed, 2 passed", exit_code=1)])

    (judged,) = iterate_calls(store)
    found = find_session(store, "s1")
    assert before == ["pending"]
    assert (judged.outcome, judged.result) == ("negative", "1 failed, 2 passed")
    assert judged.shape == "Bash:pytest"
    assert judged.duration_us == 1_000_000
    assert (found.message_count, found.tool_call_count, found.failed_call_count) == (
        3,
        1,
        1,
    )


def test_tokens_and_cost_add_up_and_unknown_stays_unknown(store: Store) -> None:
    recording = recorder(store)
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 7,
        "prompt_tokens_details": {"cached_tokens": 60},
    }
    recording.append([user("Go")])
    unknown = find_session(store, "s1")
    recording.append([call("c1", "ls", usage=usage, cost_usd=0.25)])
    recording.append([Message(role="assistant", usage=Usage(output_tokens=3))])

    found = find_session(store, "s1")

    assert (unknown.input_tokens, unknown.cost_microusd) == (None, None)
    assert (found.input_tokens, found.output_tokens) == (40, 10)
    assert (found.cache_read_tokens, found.cache_write_tokens) == (60, None)
    assert found.cost_microusd == 250_000


def test_an_end_is_noted_and_a_later_message_opens_the_session_again(
    store: Store,
) -> None:
    recording = recorder(store)
    recording.append([user("Go")])
    recording.end("done")
    ended = find_session(store, "s1")

    recording.append([user("One more thing")])

    found = find_session(store, "s1")
    assert (ended.end_reason, ended.ended_at_us) == ("done", NOW_US + 1_000_000)
    assert (found.end_reason, found.ended_at_us) == (None, None)


def test_calls_without_ids_meet_their_results_by_tool_and_order(store: Store) -> None:
    recording = recorder(store)

    def ask(name: str) -> dict[str, Any]:
        made = {"name": name, "arguments": "{}"}
        return {"role": "assistant", "content": None, "function_call": made}

    recording.append([ask("one"), ask("two")])
    recording.append([{"role": "function", "name": "two", "content": "2"}])
    recording.append([{"role": "function", "content": "1"}])

    assert [c.result for c in iterate_calls(store)] == ["1", "2"]


def test_a_result_without_a_call_is_kept_as_a_message(store: Store) -> None:
    recorder(store).append([result("from before", "x")])

    assert contents(store) == ["x"]


def test_text_that_no_database_holds_loses_no_message(store: Store) -> None:
    recorder(store).append([user("a\0b \ud800"), call("c\0", "ls \udfff")])

    assert contents(store)[0] == "a\ufffdb \ufffd"
    assert [c.call_id for c in iterate_calls(store)] == ["c\ufffd"]


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        ([{"role": "robot", "content": "x"}], "role is 'robot'"),
        ([{"content": "x"}], "role is None"),
        (["Hello"], "type str"),
        ({"role": "user", "content": "x"}, "a list"),
        ("Hello", "a list"),
        ([Message(role="robot")], "role is 'robot'"),  # type: ignore[arg-type]  # the caller's mistake
    ],
)
def test_what_is_no_message_is_refused_and_nothing_of_its_batch_written(
    store: Store, messages: Any, said: str
) -> None:
    recording = recorder(store)
    batch = [user("Go"), *messages] if isinstance(messages, list) else messages

    with pytest.raises(InvalidInput, match=said):
        recording.append(batch)

    assert rows(store, "sessions") == []
    assert recording.append([user("Go")]) == 1


@pytest.mark.parametrize(
    ("facts", "error"),
    [
        ({"relation": "cousin", "parent": "p1"}, InvalidInput),
        ({"relation": "fork"}, InvalidInput),
        ({"model_config": {"tools": {1, 2}}}, InvalidInput),
        ({"model_config": "hot"}, InvalidInput),
        ({"colour": "blue"}, TypeError),
    ],
)
def test_facts_that_are_none_are_refused(
    store: Store, facts: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        recorder(store, **facts)


@pytest.mark.parametrize("fault", [StoreError("gone"), KeyboardInterrupt()])
def test_an_append_that_failed_is_made_good_by_the_next(
    store: Store, fault: BaseException
) -> None:
    faulty = FaultyStore(store)
    recording = recorder(faulty)
    recording.append([user("Go"), call("c1", "ls")])
    faulty.fault = fault
    with pytest.raises(type(fault)):
        recording.append([result("c1", "a.py"), call("c2", "new-tool")])

    recording.append([result("c1", "a.py"), call("c2", "new-tool")])

    assert contents(store) == ["Go", "", "a.py", ""]
    assert outcomes(store) == ["ok", "pending"]


@pytest.mark.parametrize("appended_before", [0, 2])
def test_a_retry_after_a_commit_that_nobody_saw_repeats_nothing(
    store: Store, appended_before: int
) -> None:
    faulty = FaultyStore(store)
    recording = recorder(faulty)
    batch = [call("c1", "ls"), result("c1", "a.py")]
    if appended_before:
        recording.append([user("Go"), user("On")])
    faulty.fault, faulty.is_late = StoreError("connection lost"), True
    with pytest.raises(StoreError):
        recording.append(batch, expect_seq=appended_before)

    seq = recording.append([*batch, user("Next")], expect_seq=appended_before)

    assert seq == appended_before + 3
    assert contents(store)[appended_before:] == ["", "a.py", "Next"]
    assert outcomes(store) == ["ok"]


def test_other_messages_after_a_commit_that_nobody_saw_come_after_it(
    store: Store,
) -> None:
    faulty = FaultyStore(store)
    recording = recorder(faulty)
    faulty.fault, faulty.is_late = StoreError("connection lost"), True
    with pytest.raises(StoreError):
        recording.append([call("c1", "ls")])
    recording.end("for now")

    recording.append([result("c1", "a.py")])

    assert contents(store) == ["", "a.py"]
    assert outcomes(store) == ["ok"]


def test_a_message_with_a_native_id_is_recorded_once(store: Store) -> None:
    first = recorder(store)
    first.append([user("Go", native_id="n1"), user("On", native_id="n2")])
    later = Recorder.resume(store, "s1")

    later.append([user("On", native_id="n2"), user("Next", native_id="n3")])
    later.append([user("Next", native_id="n3")])

    assert contents(store) == ["Go", "On", "Next"]


def test_a_second_writer_is_refused_and_the_first_ones_messages_stand(
    store: Store,
) -> None:
    first = recorder(store)
    first.append([user("Go")])
    second = Recorder.resume(store, "s1")
    second.append([user("from the second")])

    with pytest.raises(Conflict, match="another writer"):
        first.append([user("from the first")])

    assert contents(store) == ["Go", "from the second"]
    assert first.seq == 2
    assert first.append([user("from the first")], expect_seq=2) == 3


def test_an_expected_seq_that_is_not_the_sessions_is_a_conflict(store: Store) -> None:
    recording = recorder(store)
    recording.append([user("Go"), user("On")])

    with pytest.raises(Conflict, match="expected 1"):
        recording.append([user("Next")], expect_seq=1)

    assert contents(store) == ["Go", "On"]


def test_a_uid_that_is_taken_is_a_conflict(store: Store) -> None:
    recorder(store).append([user("Go")])

    with pytest.raises(Conflict, match=r"Recorder\.resume"):
        recorder(store).append([user("Other")])

    assert contents(store) == ["Go"]


def test_a_session_that_was_erased_is_not_written_again(store: Store) -> None:
    recording = recorder(store)
    recording.append([user("Go")])
    store.execute(Query("erase", "DELETE FROM sessions", "DELETE FROM sessions"))

    for _ in range(2):
        with pytest.raises(Conflict, match="erased"):
            recording.append([user("Next")])

    assert rows(store, "sessions") == []


def test_the_uid_of_an_erased_session_is_not_recorded_again(store: Store) -> None:
    recorder(store).append([user("Go")])
    erase_session(store, "s1")

    for _ in range(2):
        with pytest.raises(Conflict, match="was erased"):
            recorder(store).append([user("Go again")])
    with pytest.raises(NotFound):
        Recorder.resume(store, "s1")

    assert rows(store, "sessions") == []


def test_a_part_of_an_erased_session_is_refused_and_a_fork_loses_its_name(
    store: Store,
) -> None:
    recorder(store).append([user("Go")])
    erase_session(store, "s1")
    part = recorder(store, uid="s2", parent="s1", relation="subagent")
    fork = recorder(store, uid="s3", parent="s1", relation="fork")

    with pytest.raises(Conflict, match="was erased"):
        part.append([user("Go")])
    fork.append([user("Go")])

    assert find_session(store, "s3").parent is None


def record_and_erase(store: Store, *native_ids: str) -> None:
    """Leave tombstones of messages of a session that is no other's relative."""
    gone = recorder(store, uid="gone")
    gone.append([user(f"Secret {name}", native_id=name) for name in native_ids])
    erase_session(store, "gone")


def test_an_erased_message_is_left_out_of_what_another_session_begins_with(
    store: Store,
) -> None:
    record_and_erase(store, "n1", "n2")
    recording = recorder(store)

    nothing = recording.append([user("Secret n1", native_id="n1")])
    seq = recording.append(
        [user("Secret n2", native_id="n2"), user("Go", native_id="n3"), user("On")]
    )

    text = "SELECT root_native_id FROM sessions"
    assert (nothing, seq) == (0, 2)
    assert contents(store) == ["Go", "On"]
    assert find_session(store, "s1").task == "Go"
    assert store.query_all(Query("root", text, text)) == [("n1",)]


@pytest.mark.parametrize("is_resumed", [False, True])
def test_a_message_erased_while_a_session_is_recorded_is_left_out_of_it(
    store: Store, *, is_resumed: bool
) -> None:
    recording = recorder(store)
    recording.append([user("Go", native_id="n0")])
    record_and_erase(store, "n1", "n2")
    recording = Recorder.resume(store, "s1") if is_resumed else recording

    only_erased = recording.append([user("Secret n1", native_id="n1")])
    recording.append(
        [
            user("On", native_id="n3"),
            user("Secret n2", native_id="n2"),
            call("c1", "ls", native_id="n4"),
        ]
    )
    recording.append([result("c1", "a.py", native_id="n5")], expect_seq=3)
    recording.append([user("And on")])

    assert only_erased == 1
    assert contents(store) == ["Go", "On", "", "a.py", "And on"]
    assert outcomes(store) == ["ok"]
    assert find_session(store, "s1").message_count == 5


def test_a_second_writer_is_refused_where_messages_were_erased_as_well(
    store: Store,
) -> None:
    record_and_erase(store, "n1")
    first = recorder(store)
    first.append([user("Go")])
    Recorder.resume(store, "s1").append([user("from the second")])

    with pytest.raises(Conflict, match="another writer"):
        first.append([user("from the first", native_id="n2")])

    assert contents(store) == ["Go", "from the second"]


class CountingStore:
    """A store that counts the statements that it is given."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.statements: list[str] = []

    def __getattr__(self, name: str) -> Any:
        given = getattr(self._store, name)
        if name not in ("execute", "execute_many", "query_one", "query_all"):
            return given

        def noted(query: Query, *values: Any) -> Any:
            self.statements.append(query.name)
            return given(query, *values)

        return noted


def test_without_tombstones_an_append_looks_for_none(store: Store) -> None:
    counting = CountingStore(store)
    recording = recorder(counting)
    recording.append([user("Go", native_id="n1")])
    counting.statements.clear()

    recording.append([user("On", native_id="n2")])

    assert counting.statements == ["count_in", "put_message"]


def test_the_uid_of_a_pruned_session_may_be_recorded_again(store: Store) -> None:
    recorder(store).append([user("Long ago")])
    later_us = 2 * NOW_US
    wish = PruneWish(Selection(before_us=later_us))
    prune(store, plan_prune(store, wish, used_bytes=0, clock=lambda: later_us))

    recorder(store).append([user("Go")])

    assert contents(store) == ["Go"]


def test_long_texts_are_compressed_at_the_end_and_not_before(store: Store) -> None:
    text = "a line of the log\n" * 200
    recording = recorder(store)
    recording.append([user("Go"), call("c1", "cat log"), result("c1", text)])
    recording.append([user("And now?")])
    counted = "SELECT sum(length(content)) FROM messages"
    stored = Query("stored", counted, counted)
    before = store.query_one(stored)

    recording.end("done")

    assert before == (len("Go") + len(text) + len("And now?"),)
    assert store.query_one(stored) == (len("Go") + len("And now?"),)
    assert contents(store) == ["Go", "", text, "And now?"]
    assert recording.append([user("More")]) == 5


def test_a_later_process_goes_on_and_answers_what_was_open(store: Store) -> None:
    first = recorder(store, model="m-1")
    first.append([call("c1", "ls a"), result("c1", "x"), call("c1", "cat b")])

    later = Recorder.resume(store, "s1")
    later.append([result("c1", "y")])

    assert later.seq == 4
    assert [c.result for c in iterate_calls(store)] == ["x", "y"]
    assert find_session(store, "s1").model == "m-1"


def test_a_session_that_is_not_there_cannot_be_resumed(store: Store) -> None:
    with pytest.raises(NotFound, match="s9"):
        Recorder.resume(store, "s9")


def test_a_clock_set_back_keeps_the_order_and_no_duration_is_negative(
    store: Store,
) -> None:
    times = iter([NOW_US, NOW_US + 5_000_000, NOW_US - 60_000_000, NOW_US - 50_000_000])
    recording = Recorder(
        store, clock=times.__next__, uid="s1", source="test", principal="ada"
    )
    recording.append([user("Go")])
    recording.append([call("c1", "ls")])
    recording.append([result("c1", "a.py")])
    recording.end("done")

    found = find_session(store, "s1")
    assert contents(store) == ["Go", "", "a.py"]
    assert found.updated_at_us == found.ended_at_us == NOW_US + 5_000_000
    assert [c.duration_us for c in iterate_calls(store)] == [None]


def test_threads_share_a_recorder(store: Store) -> None:
    recording = recorder(store)

    def write(name: str) -> None:
        for number in range(25):
            recording.append([user(f"{name}-{number}")])

    threads = [threading.Thread(target=write, args=(f"t{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert recording.seq == 100
    assert len(set(contents(store))) == 100


def test_a_recorder_that_was_made_before_a_fork_refuses_the_child(
    tmp_path: Path,
) -> None:
    store = open_store(str(tmp_path / "a.db"))
    recording = recorder(store)
    recording.append([user("Go")])
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            recording.append([user("from the child")])
        except StoreError as fault:
            os.write(write, str(fault).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(write)

    said = os.read(read, 1_000).decode()

    os.close(read)
    recording.append([user("from the parent")])
    assert "before a fork" in said
    assert contents(store) == ["Go", "from the parent"]
    store.close()


COMMANDS = st.sampled_from(["ls", "cat a", "pytest", "false"])
KNOWN = st.none() | st.integers(0, 50)
STEPS = st.lists(
    st.tuples(COMMANDS, st.booleans(), st.integers(-2, 5), KNOWN, st.booleans()),
    min_size=1,
    max_size=8,
)


def _messages(steps: list[tuple[str, bool, int, int | None, bool]]) -> list[Message]:
    made = [Message(role="user", content="Go", at_us=NOW_US)]
    for number, (command, is_answered, later, tokens, has_id) in enumerate(steps):
        at_us = (made[-1].at_us or 0) + later * 1_000_000
        name = f"c{number % 3}"
        asked = ToolCall(name, "Bash", json.dumps({"command": command}))
        usage = Usage(tokens, 1, None, tokens)
        made.append(
            Message(
                role="assistant",
                calls=[asked],
                at_us=at_us,
                usage=usage,
                cost_usd=None if tokens is None else tokens / 1e5,
                native_id=f"n{number}" if has_id else None,
            )
        )
        if is_answered:
            evidence = Evidence(exit_code=len(command) % 2)
            content = f"says {command}"
            made.append(
                Message(
                    role="tool",
                    call_id=name,
                    content=content,
                    at_us=at_us,
                    evidence=evidence,
                )
            )
    return made


@given(STEPS, st.lists(st.integers(1, 4), max_size=8), st.booleans())
def test_appending_in_any_pieces_writes_what_writing_at_once_does(
    steps: list[tuple[str, bool, int, int | None, bool]],
    pieces: list[int],
    is_resumed: bool,
) -> None:
    messages = _messages(steps)
    at_once, in_pieces = open_database(":memory:"), open_database(":memory:")
    whole = Session(uid="s1", source="test", principal="ada")
    whole.messages = copy.deepcopy(messages)
    with at_once.transaction():
        SessionWriter(at_once).write(whole)

    recording = recorder(in_pieces)
    start = 0
    for size in [*pieces, len(messages)]:
        recording.append(messages[start : start + size])
        start += size
        if is_resumed and recording.seq:
            recording = Recorder.resume(in_pieces, "s1")

    for table in ("sessions", "messages", "tool_calls", "tools", "shapes"):
        assert rows(in_pieces, table) == rows(at_once, table), table
    at_once.close()
    in_pieces.close()
