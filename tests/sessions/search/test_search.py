"""Searching as a user meets it: what is found, what is not, and what is shown."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oldhand.errors import InvalidInput
from oldhand.sessions.importers import find_units, import_units, source_named
from oldhand.sessions.model import Evidence, Message, Session, ToolCall
from oldhand.sessions.record import SessionWriter
from oldhand.sessions.search.find import RANKED_MESSAGES, Filters, search_sessions
from oldhand.sessions.search.index import (
    index_pending,
)
from oldhand.sessions.search.query import parse_query
from oldhand.sessions.search.rarity import counts_of
from oldhand.sessions.search.snippet import snippet
from oldhand.sessions.search.source import read_sources
from oldhand.store import Query, Store

JAN_1_US = 1_767_225_600_000_000
HOUR_US = 3_600_000_000


def write(store: Store, *sessions: Session) -> None:
    with store.transaction():
        writer = SessionWriter(store)
        for session in sessions:
            writer.write(session)


def said(content: str, native_id: str | None = None, *, hour: int = 0) -> Message:
    at_us = JAN_1_US + hour * HOUR_US
    return Message(role="user", content=content, native_id=native_id, at_us=at_us)


def called(
    command: str, result: str, *, tool: str = "Bash", ok: bool = True
) -> list[Message]:
    call = ToolCall("c1", tool, f'{{"command": "{command}"}}')
    return [
        Message(role="assistant", calls=[call], at_us=JAN_1_US),
        Message(
            role="tool",
            content=result,
            call_id="c1",
            at_us=JAN_1_US,
            evidence=Evidence(is_error=not ok),
        ),
    ]


def session(
    uid: str, *messages: Message, source: str = "test", project: str = "/p"
) -> Session:
    return Session(uid=uid, source=source, project=project, messages=list(messages))


def uids(store: Store, query: str) -> list[str]:
    return sorted(found.uid for found in search_sessions(store, query))


def sql(text: str) -> Query:
    return Query("test", text, text)


SAID = (
    ("The disk is full", "disk"),
    ("The disk is full", "FULL disk"),
    ("The disk is full", '"disk is full"'),
    ("retrying now", "retr*"),
    ("edit src/main.py", "src/main.py"),
    ("edit src/main_loop.py", "main_loop"),
    ("run it with --no-verify", "--no-verify"),
    ("mail me at 10.0.0.1:8080", '"10.0.0.1:8080"'),
    ("Crème brûlée", "creme brulee"),
    ("Creme brulee", "crème"),
    ("cafe\u0301s", "cafés"),
    ("STRASSE", "straße"),
    ("ΣΊΣΥΦΟΣ", "σίσυφος"),
    ("Ёлка и ёж", "ёлка"),
    ("\uff21\uff22\uff23 \uff11\uff12", "abc 12"),
    ("全文検索エンジン", "検索"),
    ("全文検索エンジン", "検索エンジン"),
    ("全文検索エンジン", "全"),
    ("全文検索エンジン", "ン"),
    ("全文検索エンジン", "文"),
    ("用React组件开发", "react"),
    ("用React组件开发", "react组件开"),
    ("한국어 검색을 한다", "검색"),
    ("b" * 3_000, "b" * 900),
    ("x² and ﬁne", "x2 fine"),
    ("नमस्ते दुनिया", "दुनिया"),
)
NOT_SAID = (
    ("The disk is full", "disk empty"),
    ("The disk is full", '"full disk"'),
    ("The disk is full", "disk -full"),
    ("The disk is full", 'disk -"is full"'),
    ("The disk is full", "dis"),
    ("全文検索エンジン", "索検"),
    ("全文検索エンジン", "検索器"),
    ("全文検索エンジン", "文 -検"),
)


def test_what_was_said_is_found(any_store: Store) -> None:
    write(
        any_store, *(session(f"s{n}", said(text)) for n, (text, _) in enumerate(SAID))
    )

    missed = [
        query
        for n, (_, query) in enumerate(SAID)
        if f"s{n}" not in uids(any_store, query)
    ]

    assert missed == []


def test_what_was_not_said_is_not_found(any_store: Store) -> None:
    write(any_store, *(session(f"s {text}", said(text)) for text, _ in NOT_SAID))

    found = [query for _, query in NOT_SAID if uids(any_store, query)]

    assert found == []


@settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # it is only read
)
@given(
    st.text(max_size=60) | st.text('"*-()^:+{}ANDORNOTNEAR \x00\ud800a中', max_size=40)
)
def test_no_query_is_a_mistake_in_the_engines_language(
    store: Store, query: str
) -> None:
    try:
        parse_query(query)
    except InvalidInput:
        return

    assert search_sessions(store, query) == []


OPERATORS = ("AND", "NOT a", "a NEAR b", "text:a", "a'b", "a & !b", "a\\", "{a} : b")


def test_operators_of_the_engines_are_plain_words(any_store: Store) -> None:
    write(any_store, *(session(query, said(query)) for query in OPERATORS))

    missed = [query for query in OPERATORS if query not in uids(any_store, query)]

    assert missed == []


@pytest.mark.parametrize("query", ["", "  ", '""', "!?", "-", "-gone", "a" * 3_000])
def test_a_query_without_a_word_to_look_for_is_refused(
    store: Store, query: str
) -> None:
    with pytest.raises(InvalidInput, match="query"):
        search_sessions(store, query)


@given(st.lists(st.text(min_size=1), min_size=1, max_size=5))
def test_any_words_make_a_query_that_can_be_written_for_both_engines(
    words: list[str],
) -> None:
    try:
        query = parse_query(" ".join(words))
    except InvalidInput:
        return

    assert re.fullmatch(r'[\w" *()]+', query.as_fts5())
    assert re.fullmatch(r"[\w' &!:*<>()-]+", query.as_tsquery())


def test_hits_are_grouped_by_session_the_best_first(any_store: Store) -> None:
    long = said("needle " + "hay " * 200)
    write(
        any_store,
        session("weak", long),
        session("strong", said("needle needle"), said("no"), said("one needle more")),
    )

    found = search_sessions(any_store, "needle")

    assert [(f.uid, f.hits, f.seq) for f in found] == [("strong", 2, 1), ("weak", 1, 1)]
    assert found[0].score > found[1].score > 0


def test_a_rare_word_counts_more_than_a_frequent_one(store: Store) -> None:
    write(
        store,
        session("frequent", said("disk disk disk disk full")),
        session("rare", said("disk full full full full")),
        *(session(f"s{n}", said(f"the disk {n}")) for n in range(20)),
    )

    found = search_sessions(store, "disk full")

    assert [f.uid for f in found] == ["rare", "frequent"]


def test_a_word_said_twice_in_a_query_counts_once(store: Store) -> None:
    write(store, session("s1", said("the disk is full")))

    once, twice = (search_sessions(store, query) for query in ("disk", "disk Disk"))

    assert once == twice


def test_how_often_a_frequent_word_occurs_is_guessed_from_the_newest_messages(
    store: Store,
) -> None:
    chats = [[said("disk") for _ in range(100)] for _ in range(30)]
    for chat in chats[::10]:
        chat.append(said("disk full"))
    write(store, *(session(f"s{n}", *chat) for n, chat in enumerate(chats)))
    index_pending(store)

    disk, full = map(int, counts_of(store, parse_query("disk full")).split())

    assert abs(disk - 3_003) < 200
    assert full == 3


def test_of_equal_hits_the_newer_session_comes_first(any_store: Store) -> None:
    write(
        any_store,
        session("new", said("needle", hour=5)),
        session("old", said("needle", hour=1)),
    )

    assert [f.uid for f in search_sessions(any_store, "needle")] == ["new", "old"]


def test_the_limit_counts_sessions(any_store: Store) -> None:
    write(
        any_store, *(session(f"s{n}", said("needle"), said("needle")) for n in range(5))
    )

    assert [f.hits for f in search_sessions(any_store, "needle", limit=3)] == [2, 2, 2]


def test_a_hit_says_where_it_stands_and_shows_it_marked(any_store: Store) -> None:
    write(
        any_store, session("s1", said("first"), said("x " * 200 + "the Needle, here"))
    )

    (found,) = search_sessions(any_store, "needle")

    assert (found.role, found.seq, found.project) == ("user", 2, "/p")
    assert found.snippet.startswith("…x x")
    assert found.snippet.endswith("the «Needle», here")
    assert len(found.snippet) < 200
    assert found.as_json()["started_at"] == "2026-01-01T00:00:00.000Z"


def test_the_snippet_shows_the_place_with_most_of_the_words(store: Store) -> None:
    text = "disk " + "x " * 300 + "the disk is full"
    write(store, session("s1", said(text)))

    (found,) = search_sessions(store, "full disk")

    assert found.snippet.endswith("the «disk» is «full»")


def test_a_snippet_marks_cjk_and_accents_where_they_stand(store: Store) -> None:
    write(store, session("s1", said("— Crème — 全文検索エンジン")))

    (found,) = search_sessions(store, "creme 検索")

    assert found.snippet == "— «Crème» — 全文«検索»エンジン"


FILTERED: list[tuple[Filters, list[str]]] = [
    ({"source": "codex"}, ["b"]),
    ({"project": "/q"}, ["c"]),
    ({"tool": "Bash"}, ["a", "b"]),
    ({"tool": "Read"}, ["c"]),
    ({"outcome": "error"}, ["b"]),
    ({"tool": "Read", "outcome": "error"}, []),
    ({"since": "2026-01-01T05:00:00Z"}, ["d"]),
    ({"until": "2026-01-01T01:00:00Z"}, ["a", "b", "c"]),
]


def _with_needles(store: Store) -> None:
    write(
        store,
        session("a", *called("echo needle", "done")),
        session(
            "b", *called("x", "needle: command not found", ok=False), source="codex"
        ),
        session("c", *called("x", "needle", tool="Read"), project="/q"),
        session("d", said("needle", hour=5)),
    )


def _needles(store: Store, filters: Filters) -> list[str]:
    return sorted(f.uid for f in search_sessions(store, "needle", **filters))


def test_filters_say_which_messages_count(any_store: Store) -> None:
    _with_needles(any_store)

    found = [_needles(any_store, filters) for filters, _ in FILTERED]

    assert found == [expected for _, expected in FILTERED]


def test_filters_find_the_old_hits_of_a_very_common_word(any_store: Store) -> None:
    _with_needles(any_store)
    many = [said("needle", hour=2) for _ in range(RANKED_MESSAGES + 1)]
    write(any_store, session("many", *many, source="other", project="/other"))

    found = [_needles(any_store, filters) for filters, _ in FILTERED]

    assert found == [expected for _, expected in FILTERED]


@pytest.mark.parametrize(
    "filters", [{"outcome": "fine"}, {"since": "yesterday"}, {"until": "now"}]
)
def test_a_filter_that_is_none_is_refused(store: Store, filters: Filters) -> None:
    with pytest.raises(InvalidInput, match="expected"):
        search_sessions(store, "needle", **filters)


def test_the_beginning_of_a_result_and_all_arguments_are_searched(
    any_store: Store,
) -> None:
    result = "early " + "x" * 1_990 + " needle late"
    command = "y " * 3_000 + r"first\nsecond"
    write(any_store, session("s1", *called(command, result)))

    assert uids(any_store, "early") == ["s1"]
    assert uids(any_store, "second") == ["s1"]
    assert uids(any_store, "late") == []


def test_a_secret_is_neither_found_nor_shown(any_store: Store) -> None:
    token = "ghp_" + "a1B2" * 9
    write(
        any_store,
        session(
            "s1", said(f"the token is {token} here"), *called(f"use {token}", token)
        ),
    )

    assert uids(any_store, token) == []
    (found,) = search_sessions(any_store, "token")
    assert token not in found.snippet
    assert "redacted" in found.snippet


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("中" * 200_000 + "国", "中" * 900 + "国"),
        ("a b " * 60_000 + "c", '"' + "a b " * 200 + 'c"'),
        ("a " * 120_000, " ".join("abcdefghij" * 40) + " a"),
        ("a" + " " * 200_000 + "b", '"a b"'),
    ],
)
def test_a_hostile_text_and_query_take_no_long_time(text: str, query: str) -> None:
    assert len(snippet(text, parse_query(query))) < 1_000


def test_every_word_of_real_messages_is_found(
    real_sessions: Path, store: Store
) -> None:
    source = source_named("claude-code")
    import_units(store, find_units(source, [real_sessions / "claude_code"])[:12])
    total = index_pending(store)
    ids = [row[0] for row in store.query_all(sql("SELECT id FROM messages"))]
    sample = random.Random(1).sample(ids, 60)  # noqa: S311 - a sample, no secret

    missed = []
    for message_id in sample:
        (source_row,) = read_sources(store, message_id, message_id + 1, limit=1)
        for word in set(re.findall(r"\w+", source_row.text())):
            if not re.search(r"[^\W_]", word):
                continue
            rows = store.query_all(
                sql(
                    "SELECT 1 FROM message_search WHERE message_search MATCH ? AND rowid = ?"
                ),
                (parse_query(word).as_fts5(), message_id),
            )
            if not rows:
                missed.append((message_id, word))
    assert missed == []
    assert total == len(ids)
