"""Sessions written, grown and written again."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.sessions.keep.soundness import find_flaws
from oldhand.sessions.model import Evidence, Message, Session, ToolCall, Usage
from oldhand.sessions.read import find_session, load_messages
from oldhand.sessions.read_calls import iterate_calls
from oldhand.sessions.record import SessionWriter, Written
from oldhand.store import Query, Store, open_database


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


def write(store: Store, session: Session) -> Written:
    with store.transaction():
        return SessionWriter(store, clock=lambda: 5_000_000).write(session)


def user(content: str, native_id: str | None = None) -> Message:
    return Message(role="user", content=content, native_id=native_id, at_us=1_000_000)


def call(call_id: str, command: str, native_id: str | None = None) -> Message:
    made = ToolCall(call_id, "Bash", f'{{"command":"{command}"}}')
    return Message(role="assistant", calls=[made], native_id=native_id, at_us=2_000_000)


def result(call_id: str, content: str, native_id: str | None = None) -> Message:
    return Message(
        role="tool",
        content=content,
        call_id=call_id,
        native_id=native_id,
        at_us=2_500_000,
        evidence=Evidence(is_error=False),
    )


def session(*messages: Message, uid: str = "s1", **fields: str) -> Session:
    return Session(uid=uid, source="test", messages=list(messages), **fields)  # type: ignore[arg-type]  # any field may be given


def snapshot(store: Store) -> list[tuple[object, ...]]:
    tables = ("sessions", "messages", "tool_calls", "tools", "shapes")
    texts = [f"SELECT * FROM {table} ORDER BY id" for table in tables]  # noqa: S608 - fixed names
    return [row for text in texts for row in store.query_all(Query("all", text, text))]


def test_a_call_is_judged_when_it_is_written(store: Store) -> None:
    write(store, session(user("Go"), call("c1", "ls"), result("c1", "a.py")))

    (judged,) = iterate_calls(store)

    assert (judged.outcome, judged.tool, judged.result) == ("ok", "Bash", "a.py")
    assert judged.shape.startswith("Bash:ls")
    assert judged.duration_us == 500_000


def test_a_copy_that_has_lost_messages_takes_none_away_and_counts_them_all(
    store: Store,
) -> None:
    whole = session(
        user("Go", "m1"),
        call("c1", "ls", "m2"),
        result("c1", "a.py", "m3"),
        user("On", "m4"),
    )
    write(store, copy.deepcopy(whole))
    before = snapshot(store)

    write(store, session(*whole.messages[:1]))

    assert snapshot(store)[1:] == before[1:]
    found = find_session(store, "s1")
    assert (found.message_count, found.tool_call_count) == (4, 1)
    assert find_flaws(store) == []


def test_writing_twice_changes_nothing(store: Store) -> None:
    whole = session(user("Go"), call("c1", "ls"), result("c1", "a.py"))
    write(store, copy.deepcopy(whole))
    before = snapshot(store)

    again = write(store, whole)

    assert (again.is_new, again.messages, again.calls, again.changed) == (
        False,
        0,
        0,
        0,
    )
    assert snapshot(store) == before


def test_a_result_that_comes_later_closes_the_call(store: Store) -> None:
    write(store, session(user("Go"), call("c1", "ls")))
    (pending,) = iterate_calls(store)

    grown = write(
        store, session(user("Go"), call("c1", "ls"), result("c1", "No such file"))
    )

    (closed,) = iterate_calls(store)
    assert pending.outcome == "pending"
    assert closed.outcome != "pending"
    assert (grown.messages, grown.calls, grown.changed) == (1, 0, 1)


def test_a_nul_is_replaced_for_not_every_database_holds_one(store: Store) -> None:
    write(store, session(user("a\0b")))

    assert load_messages(store, find_session(store, "s1"))[0]["content"] == "a\ufffdb"


def test_a_message_that_becomes_inactive_takes_its_calls_along(store: Store) -> None:
    whole = session(user("Go"), call("c1", "ls"), result("c1", "a.py"))
    write(store, copy.deepcopy(whole))
    whole.messages[1].active = False

    write(store, whole)

    active = Query("active", *["SELECT active FROM tool_calls"] * 2)
    assert store.query_all(active) == [(0,)]


def test_a_session_without_a_message_leaves_no_row(store: Store) -> None:
    written = write(store, session())

    assert written.is_empty
    assert snapshot(store) == []


def test_ids_that_an_agent_uses_twice_are_answered_in_order(store: Store) -> None:
    write(
        store,
        session(
            call("call_1", "ls a"),
            result("call_1", "first"),
            call("call_1", "ls b"),
            result("call_1", "second"),
        ),
    )

    assert [c.result for c in iterate_calls(store)] == ["first", "second"]


def test_parallel_calls_meet_their_own_results(store: Store) -> None:
    both = Message(
        role="assistant",
        calls=[
            ToolCall("c1", "Read", '{"file_path":"a"}'),
            ToolCall("c2", "Read", '{"file_path":"b"}'),
        ],
    )
    write(store, session(both, result("c2", "two"), result("c1", "one")))

    assert [c.result for c in iterate_calls(store)] == ["one", "two"]


def test_a_result_without_a_call_is_counted(store: Store) -> None:
    written = write(store, session(user("Go"), result("lost", "x")))

    assert written.orphans == 1


def test_a_copy_of_the_beginning_belongs_to_the_first_owner(store: Store) -> None:
    first = [user("Go", "u1"), call("c1", "ls", "a1"), result("c1", "x", "r1")]
    write(store, session(*copy.deepcopy(first), uid="parent"))

    written = write(store, session(*first, user("Else", "u2"), uid="fork"))

    fork = find_session(store, "fork")
    assert (written.messages, written.duplicates) == (1, 3)
    assert (fork.parent, fork.relation) == ("parent", "fork")
    assert len(list(iterate_calls(store))) == 1


def test_the_owner_of_a_copied_beginning_grows_on(store: Store) -> None:
    first = [user("Go", "u1"), call("c1", "ls", "a1")]
    write(store, session(*copy.deepcopy(first), uid="parent"))
    write(store, session(*copy.deepcopy(first), user("Else", "u2"), uid="fork"))

    written = write(store, session(*first, result("c1", "x", "r1"), uid="parent"))

    assert (written.messages, written.duplicates) == (1, 0)
    assert find_session(store, "parent").message_count == 3


def test_numbered_messages_of_a_subagent_are_not_taken_for_its_parents(
    store: Store,
) -> None:
    write(store, session(user("Go", "#0"), uid="parent"))

    written = write(store, session(user("Explore", "#0"), uid="child", parent="parent"))

    assert (written.messages, written.duplicates) == (1, 0)


def test_tokens_are_added_up_and_unknown_stays_unknown(store: Store) -> None:
    known = Message(role="assistant", content="a", usage=Usage(10, 5, None, None))
    write(store, session(known, Message(role="assistant", content="b")))

    found = find_session(store, "s1")

    assert (found.input_tokens, found.output_tokens) == (10, 5)
    assert found.cache_read_tokens is None
    assert found.cost_microusd is None


def test_a_session_is_read_back_as_it_was_said(store: Store) -> None:
    write(store, session(user("Go"), call("c1", "ls"), result("c1", "a.py")))

    messages = load_messages(store, find_session(store, "s1"))

    assert [m["role"] for m in messages] == ["user", "assistant", "tool"]
    assert messages[1]["calls"][0]["call_id"] == "c1"
    assert messages[2]["call_id"] == "c1"
    assert messages[2]["content"] == "a.py"


WORDS = st.sampled_from(["ls", "cat a", "git status", "false"])
STEPS = st.lists(st.tuples(WORDS, st.booleans()), max_size=8)


@given(STEPS, st.integers(0, 16))
def test_growing_by_parts_ends_as_writing_at_once(
    steps: list[tuple[str, bool]], cut: int
) -> None:
    messages = [user("Go")]
    for number, (command, is_answered) in enumerate(steps):
        messages.append(call(f"c{number}", command))
        if is_answered:
            messages.append(result(f"c{number}", command))
    at_once, by_parts = open_database(":memory:"), open_database(":memory:")

    write(at_once, session(*copy.deepcopy(messages)))
    write(by_parts, session(*copy.deepcopy(messages[: max(1, cut)])))
    write(by_parts, session(*copy.deepcopy(messages)))

    def without_vocabulary(store: Store) -> list[object]:
        return [c.as_json() for c in iterate_calls(store)]

    assert without_vocabulary(by_parts) == without_vocabulary(at_once)
    at_once.close()
    by_parts.close()


def test_a_session_without_times_that_did_not_change_keeps_its_time(
    store: Store,
) -> None:
    untimed = Session(
        uid="s", source="test", messages=[Message(role="user", content="Hello")]
    )
    longer = copy.deepcopy(untimed)
    longer.messages.append(Message(role="assistant", content="Hi"))
    now = [0]
    times = []
    for at_us, session in ((1_000, untimed), (2_000, untimed), (3_000, longer)):
        now[0] = at_us
        with store.transaction():
            SessionWriter(store, clock=lambda: now[0]).write(copy.deepcopy(session))
        times.append(find_session(store, "s").updated_at_us)

    assert times == [1_000, 1_000, 3_000]
