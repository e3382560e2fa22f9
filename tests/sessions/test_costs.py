"""What sessions cost: known sums, and what is unknown beside them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oldhand.clock import from_iso
from oldhand.sessions.costs import CostReport, Sums, report_costs
from oldhand.sessions.importers import find_units, import_units, source_named
from oldhand.sessions.model import Message, Session, Usage
from oldhand.sessions.record import SessionWriter
from oldhand.store import Store


def at(text: str) -> int:
    at_us = from_iso(text)
    assert at_us is not None
    return at_us


def put(store: Store, *sessions: Session) -> None:
    writer = SessionWriter(store)
    with store.transaction():
        for session in sessions:
            writer.write(session)


def answer(time: str, usage: Usage | None, *, model: str | None = None) -> Message:
    return Message(
        role="assistant", content="Done", at_us=at(time), usage=usage, model=model
    )


def two_days() -> Session:
    """Return a session over midnight whose messages say what they used."""
    return Session(
        uid="over-midnight",
        source="claude-code",
        model="opus",
        project="/home/ada/engine",
        messages=[
            answer("2026-01-01T23:50:00Z", Usage(100, 10), model="haiku"),
            answer("2026-01-02T00:10:00Z", Usage(7, 3, 50, 5)),
        ],
    )


def totals_only() -> Session:
    """Return a session that knows its totals and its cost, and no message's."""
    return Session(
        uid="totals",
        source="hermes",
        model="qwen",
        usage=Usage(1_000, 200),
        cost_usd=0.25,
        messages=[
            answer("2026-01-02T08:00:00Z", None),
            answer("2026-01-03T08:00:00Z", None),
        ],
    )


def silent() -> Session:
    """Return a session that says nothing about tokens or cost."""
    return Session(
        uid="silent", source="openai", messages=[answer("2026-01-02T09:00:00Z", None)]
    )


def test_tokens_count_on_the_day_of_the_message_that_used_them(
    any_store: Store,
) -> None:
    put(any_store, two_days())

    by_day = report_costs(any_store).by_day

    assert list(by_day) == ["2026-01-01", "2026-01-02"]
    assert by_day["2026-01-01"].input_tokens == 100
    assert by_day["2026-01-02"] == Sums(0, 7, 3, 50, 5)


def test_tokens_count_for_the_model_that_used_them(store: Store) -> None:
    put(store, two_days())

    by_model = report_costs(store).by_model

    assert {model: sums.output_tokens for model, sums in by_model.items()} == {
        "haiku": 10,
        "opus": 3,
    }


def test_totals_without_messages_usage_count_on_the_day_the_session_began(
    store: Store,
) -> None:
    put(store, totals_only())

    by_day = report_costs(store).by_day

    assert list(by_day) == ["2026-01-02"]
    assert by_day["2026-01-02"].input_tokens == 1_000
    assert by_day["2026-01-02"].cost_microusd == 250_000


def test_what_nobody_wrote_down_is_unknown_and_not_zero(store: Store) -> None:
    put(store, silent())

    total = report_costs(store).total

    assert total == Sums(sessions=1, tokens_unknown_sessions=1, cost_unknown_sessions=1)
    assert total.as_json()["cost_usd"] is None


def test_a_known_zero_is_zero(store: Store) -> None:
    free = totals_only()
    free.cost_usd = 0.0
    put(store, free)

    total = report_costs(store).total

    assert (total.cost_microusd, total.cost_unknown_sessions) == (0, 0)


def test_a_sum_says_how_many_sessions_it_leaves_out(any_store: Store) -> None:
    put(any_store, two_days(), totals_only(), silent())

    total = report_costs(any_store).total

    assert total.sessions == 3
    assert total.input_tokens == 1_107
    assert total.tokens_unknown_sessions == 1
    assert (total.cost_microusd, total.cost_unknown_sessions) == (250_000, 2)


def test_the_three_arrangements_add_up_to_the_same(store: Store) -> None:
    put(store, two_days(), totals_only(), silent())

    report = report_costs(store)

    for sums in (report.by_day, report.by_model, report.by_source):
        parts = list(sums.values())
        assert sum(part.sessions for part in parts) == report.total.sessions
        assert sum(part.output_tokens or 0 for part in parts) == 213


@pytest.mark.parametrize(
    ("scope", "tokens", "sessions"),
    [
        ({"since_us": at("2026-01-02")}, 1_007, 2),
        ({"until_us": at("2026-01-02")}, 100, 1),
        ({"since_us": at("2026-01-02"), "source": "claude-code"}, 7, 0),
        ({"source": "hermes"}, 1_000, 1),
        ({"project": "/home/ada/engine"}, 107, 1),
        ({"project": "/home/ada/other"}, None, 0),
    ],
)
def test_a_scope_leaves_out_what_is_outside_it(
    any_store: Store, scope: dict[str, int | str], tokens: int | None, sessions: int
) -> None:
    put(any_store, two_days(), totals_only(), silent())

    total = report_costs(any_store, **scope).total  # type: ignore[arg-type]  # one table for all

    assert (total.input_tokens, total.sessions) == (tokens, sessions)


def test_the_report_counts_the_empty_sessions_of_each_import_once(
    any_store: Store, tmp_path: Path
) -> None:
    path = tmp_path / "chats.jsonl"
    empty = {"id": "empty", "messages": []}
    full = {"id": "full", "messages": [{"role": "user", "content": "Hello"}]}
    path.write_text(f"{json.dumps(empty)}\n{json.dumps(full)}\n")
    import_all(any_store, path)
    path.write_text(path.read_text() + json.dumps(empty | {"id": "empty-2"}) + "\n")
    import_all(any_store, path)

    report = report_costs(any_store)

    assert report.empty_sessions == {"openai": 2}
    assert report.total.sessions == 1


def import_all(store: Store, path: Path) -> None:
    import_units(store, find_units(source_named("openai"), [path]))


def test_nothing_on_record_is_an_empty_report(store: Store) -> None:
    report = report_costs(store)

    assert report == CostReport()
