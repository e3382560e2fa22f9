"""Prune: by age, by size, by class of content; and it stays pruned."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from oldhand.errors import InvalidInput, NotFound
from oldhand.sessions.keep.retention import PrunePlan, PruneWish, plan_prune, prune
from oldhand.sessions.keep.selection import Selection
from oldhand.sessions.keep.soundness import find_flaws
from oldhand.sessions.model import Evidence, Message, Session, ToolCall
from oldhand.sessions.payloads import compact
from oldhand.sessions.read import find_session, load_messages, recent_sessions
from oldhand.sessions.read_calls import iterate_calls
from oldhand.sessions.record import SessionWriter, Written
from oldhand.sessions.search.find import search_sessions
from oldhand.sessions.search.index import index_pending
from oldhand.store import Store

DAY_US = 86_400_000_000
NOW_US = 100 * DAY_US
RESULT = "kakapo in the log\n" * 100


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run every test of this file over each engine."""
    return any_store


def session(uid: str, *, day: int) -> Session:
    at_us = day * DAY_US
    call = ToolCall("c1", "Read", '{"file_path": "a.log"}')
    return Session(
        uid=uid,
        source="test",
        project=f"/home/ada/{uid}",
        messages=[
            Message(role="user", content="Read the log", at_us=at_us),
            Message(role="assistant", calls=[call], at_us=at_us),
            Message(
                role="tool",
                content=RESULT,
                call_id="c1",
                at_us=at_us,
                evidence=Evidence(is_error=False),
            ),
            Message(role="user", content="A rule", type="injected", at_us=at_us),
        ],
    )


def write(store: Store, given: Session, *, restores_pruned: bool = False) -> Written:
    with store.transaction():
        writer = SessionWriter(store, restores_pruned=restores_pruned)
        return writer.write(copy.deepcopy(given))


@pytest.fixture
def four(store: Store) -> Store:
    """Fill a store with sessions of day 10, 20, 30 and of today."""
    for uid, day in (("d20", 20), ("d10", 10), ("d30", 30), ("today", 100)):
        write(store, session(uid, day=day))
    return store


def plan(store: Store, *, used_bytes: int = 4_000, **wish: Any) -> PrunePlan:
    return plan_prune(
        store, PruneWish(**wish), used_bytes=used_bytes, clock=lambda: NOW_US
    )


def left(store: Store) -> list[str]:
    return sorted(session.uid for session in recent_sessions(store))


def test_old_sessions_go(four: Store) -> None:
    prune(four, plan(four, selection=Selection(before_us=25 * DAY_US)))

    assert left(four) == ["d30", "today"]
    assert len(list(iterate_calls(four))) == 2
    assert find_flaws(four) == []


def test_the_oldest_go_until_the_rest_is_small_enough(four: Store) -> None:
    planned = plan(four, keep_bytes=2_500)  # each of the four takes a thousand

    assert [session.uid for session in planned.sessions] == ["d10", "d20"]
    assert planned.freed_bytes == 2_000


def test_what_is_small_enough_stays(four: Store) -> None:
    assert plan(four, keep_bytes=4_000).sessions == []


def test_what_changed_within_a_day_is_never_pruned(four: Store) -> None:
    planned = plan(four, keep_bytes=0)

    assert "today" not in [session.uid for session in planned.sessions]
    assert len(planned.sessions) == 3


@pytest.mark.parametrize("is_compressed", [False, True])
def test_a_class_of_content_goes_and_calls_stay(
    four: Store, is_compressed: bool
) -> None:
    if is_compressed:
        compact(four)
    calls = list(iterate_calls(four, session=find_session(four, "d10")))

    prune(four, plan(four, content="tool-results"))

    found = find_session(four, "d10")
    message = load_messages(four, found)[2]
    (call,) = iterate_calls(four, session=found)
    assert (message["content"], message["dropped_chars"]) == ("", len(RESULT))
    assert (call.outcome, call.shape) == (calls[0].outcome, calls[0].shape)
    assert call.result == ""
    assert load_messages(four, find_session(four, "today"))[2]["content"] == RESULT
    assert find_flaws(four) == []


def test_a_class_of_content_is_counted_once(four: Store) -> None:
    first = plan(four, content="tool-results")
    prune(four, first)

    second = plan(four, content="tool-results")

    assert first.messages == 3
    assert 0 < first.freed_bytes <= 3 * len(RESULT)
    assert (second.messages, second.freed_bytes) == (0, 0)


def test_injected_text_is_a_class_of_its_own(four: Store) -> None:
    prune(four, plan(four, content="injected"))

    contents = [m["content"] for m in load_messages(four, find_session(four, "d10"))]
    assert contents == ["Read the log", "", RESULT, ""]


def test_pruned_text_is_no_longer_found(four: Store) -> None:
    index_pending(four)

    prune(four, plan(four, content="tool-results"))

    assert [found.uid for found in search_sessions(four, "kakapo")] == ["today"]


def test_a_pruned_session_is_not_written_again_until_asked(four: Store) -> None:
    prune(four, plan(four, selection=Selection(uids=("d10",))))

    refused = write(four, session("d10", day=10))
    asked = write(four, session("d10", day=10), restores_pruned=True)
    later = write(four, session("d10", day=10))

    assert (refused.kept_out, refused.messages) == ("pruned", 0)
    assert (asked.is_new, asked.messages) == (True, 4)
    assert later.kept_out is None


def test_a_pruned_text_does_not_come_back_until_asked(four: Store) -> None:
    prune(four, plan(four, content="tool-results"))
    longer = session("d10", day=10)
    longer.messages.append(Message(role="user", content="And now?"))

    grown = write(four, longer)
    while_pruned = load_messages(four, find_session(four, "d10"))
    write(four, longer, restores_pruned=True)
    restored = load_messages(four, find_session(four, "d10"))

    assert (grown.messages, grown.changed) == (1, 0)
    assert while_pruned[2]["content"] == ""
    assert restored[2]["content"] == RESULT
    assert "dropped_chars" not in restored[2]


def test_a_wish_that_says_nothing_is_refused(four: Store) -> None:
    with pytest.raises(InvalidInput, match="nothing said of what to prune"):
        plan(four)


def test_a_class_that_is_none_is_named(four: Store) -> None:
    with pytest.raises(InvalidInput, match="'everything' is no class of content"):
        plan(four, content="everything")


def test_a_session_that_is_not_there_is_named(four: Store) -> None:
    with pytest.raises(NotFound, match="no session 'gone'"):
        plan(four, selection=Selection(uids=("gone",)))
