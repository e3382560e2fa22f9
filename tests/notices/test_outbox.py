"""The outbox holds what was committed with it, once for each key, without secrets."""

from __future__ import annotations

from pathlib import Path

import pytest

from oldhand.errors import InvalidInput
from oldhand.notices import (
    Channels,
    Counts,
    Message,
    counts,
    deliver_due,
    pending,
    prune,
    put,
    withdraw,
)
from oldhand.store import Query, Store, open_database
from oldhand.testing import FakeClock

TOKEN = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
STORED = Query("stored", "SELECT message FROM outbox", "SELECT message FROM outbox")


def test_a_message_is_there_if_and_only_if_its_transaction_is(any_store: Store) -> None:
    def put_and_fail() -> None:
        with any_store.transaction():
            put(any_store, Message("undone"))
            raise LookupError

    with any_store.transaction():
        put(any_store, Message("kept"))
    with pytest.raises(LookupError):
        put_and_fail()

    assert [each.message.subject for each in pending(any_store)] == ["kept"]


def test_a_message_is_put_once_for_each_key(any_store: Store) -> None:
    first = put(any_store, Message("one", key="r1"))
    again = put(any_store, Message("two", key="r1"))
    unnamed = {put(any_store, Message("three")) for _ in range(2)}

    assert first == again
    assert len(unnamed) == 2
    assert [each.message.subject for each in pending(any_store)] == [
        "one",
        "three",
        "three",
    ]


def test_a_message_comes_back_as_it_was_put(any_store: Store, clock: FakeClock) -> None:
    facts = {"z": "1", "a": "two\nlines", "nul": "\x00 \ud800 👍"}
    message = Message("Decide?", facts, "http://localhost:6060/inbox/1", "481 503", "k")

    put(any_store, message, clock=clock, due_us=clock() + 5)

    (waiting,) = pending(any_store)
    assert waiting.message == message
    assert list(waiting.message.facts) == ["z", "a", "nul"]
    assert (waiting.due_at_us, waiting.tries, waiting.fault) == (clock() + 5, 0, "")


def test_no_secret_is_stored(any_store: Store) -> None:
    facts = {
        "password": "two words",
        "command": f"curl -H 'Authorization: Bearer {TOKEN}'",
    }

    put(any_store, Message(f"push with {TOKEN}", facts))

    ((text,),) = any_store.query_all(STORED)
    assert TOKEN not in text
    assert "two words" not in text


def test_what_no_channel_can_show_is_counted_and_not_stored(any_store: Store) -> None:
    facts = {"huge": "x" * 1_000_000, "small": "y"} | {
        f"k{n}": "z" * 999 for n in range(99)
    }

    put(any_store, Message("s" * 5_000, facts))

    ((text,),) = any_store.query_all(STORED)
    (waiting,) = pending(any_store)
    shown = waiting.message.text(4096)
    assert len(text) < 20_000
    assert waiting.message.left_out == 102 - len(waiting.message.facts)
    assert "small: y" in shown
    assert shown.endswith(f"… {102 - shown.count(': ')} more facts")


@pytest.mark.parametrize(
    "link",
    [
        "javascript:alert(1)",
        "http://a b/",
        "http://a/" + "x" * 500,
        "http://a/\n",
        "http://a/**x**",
    ],
)
def test_a_link_that_some_channel_cannot_carry_is_refused(
    store: Store, link: str
) -> None:
    with pytest.raises(InvalidInput, match="link is"):
        put(store, Message("s", link=link))


def test_a_message_that_is_not_true_any_more_is_taken_back(
    any_store: Store, clock: FakeClock
) -> None:
    put(any_store, Message("one", key="r1"), clock=clock)

    assert withdraw(any_store, "r1", clock=clock)
    assert not withdraw(any_store, "r1", clock=clock)
    assert deliver_due(any_store, Channels(), clock=clock).sent == 0


def test_counts_say_how_full_it_is(any_store: Store, clock: FakeClock) -> None:
    empty = counts(any_store)
    put(any_store, Message("one"), clock=clock)
    put(any_store, Message("two"), clock=clock)

    assert empty == Counts(0, 0, None, 0)
    assert counts(any_store) == Counts(2, 0, clock(), 0)


def test_finished_rows_go_after_seven_days(any_store: Store, clock: FakeClock) -> None:
    put(any_store, Message("sent", key="r1"), clock=clock)
    deliver_due(any_store, Channels(), clock=clock)
    put(any_store, Message("waits"), clock=clock)
    clock.advance(7 * 24 * 3_600_000_000 - 1)
    early = prune(any_store, clock=clock)
    clock.advance(1)

    assert (early, prune(any_store, clock=clock)) == (0, 1)
    assert [each.message.subject for each in pending(any_store)] == ["waits"]


def test_messages_survive_the_end_of_the_process(tmp_path: Path) -> None:
    path = str(tmp_path / "a.db")
    first = open_database(path)
    put(first, Message("kept"))
    first.close()

    second = open_database(path)

    assert [each.message.subject for each in pending(second)] == ["kept"]
    second.close()
