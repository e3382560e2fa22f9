"""Our large database, written as an import writes, listed, mined and searched."""

from __future__ import annotations

import time
from itertools import islice
from typing import Any

import orjson

from bench.peer_drivers.contract import (
    WARMING_MESSAGES,
    WARMING_SEED,
    Answer,
    run_tasks,
    summary,
    timed,
)
from bench.store_workload import Session as MadeSession
from bench.store_workload import Workload
from oldhand import open_store
from oldhand.sessions.call_view import CallView
from oldhand.sessions.model import Message, Session, ToolCall
from oldhand.sessions.outcome import judge_view
from oldhand.sessions.read import recent_sessions
from oldhand.sessions.record import SessionWriter
from oldhand.sessions.search.find import search_sessions
from oldhand.sessions.shape import shape_of_view
from oldhand.store import Query

_SESSIONS_PER_TRANSACTION = 200
_START_US = 1_767_225_600_000_000


def judging(_path: str, arguments: dict[str, Any]) -> Answer:
    """Time judging and shaping alone, over what `append` appends: by message."""
    made = list(Workload(arguments["seed"]).sessions(arguments["sessions"]))
    _judge([Workload(WARMING_SEED).session(0, WARMING_MESSAGES)])
    before = time.process_time()
    seconds = _judge(made)
    return summary(seconds, time.process_time() - before)


def _judge(made: list[MadeSession]) -> list[float]:
    seconds: list[float] = []
    for session in made:
        views: dict[str, CallView] = {}
        for message in session.messages:
            start = time.perf_counter()
            for call in message.get("tool_calls", ()):
                function = call["function"]
                view = CallView(function["name"], orjson.loads(function["arguments"]))
                shape_of_view(view)
                views[call["id"]] = view
            if message["role"] == "tool":
                judge_view(views[message["tool_call_id"]], message["content"])
            seconds.append(time.perf_counter() - start)
    return seconds


def build(path: str, arguments: dict[str, Any]) -> Answer:
    """Write sessions whole, many to a transaction, as an import does."""
    start = time.perf_counter()
    store = open_store(path)
    writer = SessionWriter(store)
    made = Workload(arguments["seed"]).sessions(arguments["sessions"])
    number = messages = 0
    while batch := list(islice(made, _SESSIONS_PER_TRANSACTION)):
        with store.transaction():
            for uid, said in batch:
                writer.write(_session(uid, said, number))
                number += 1
                messages += len(said)
    store.close()
    return {"seconds": time.perf_counter() - start, "messages": messages}


def recent(path: str, arguments: dict[str, Any]) -> Answer:
    """List the 50 sessions that changed last, with their counts."""
    store = open_store(path)
    answer = timed(lambda: recent_sessions(store), rounds=arguments["rounds"])
    store.close()
    return answer


def search(path: str, arguments: dict[str, Any]) -> Answer:
    """Fill the index, then search, each query once."""
    store = open_store(path)
    start = time.perf_counter()
    search_sessions(store, "kalo")
    filled = time.perf_counter() - start
    seconds = []
    for query in Workload(arguments["seed"]).queries(arguments["queries"]):
        start = time.perf_counter()
        search_sessions(store, query)
        seconds.append(time.perf_counter() - start)
    store.close()
    return summary(seconds) | {"fill_seconds": filled}


def mine(path: str, arguments: dict[str, Any]) -> Answer:
    """Count outcome by tool and shape, by SQL through the seam."""
    text = (  # a shape is a tool's own
        "SELECT t.name, h.shape, c.outcome, c.number FROM (SELECT shape_id, outcome,"
        " count(*) AS number FROM tool_calls GROUP BY shape_id, outcome) AS c"
        " JOIN shapes h ON h.id = c.shape_id JOIN tools t ON t.id = h.tool_id"
    )
    query = Query("mine", text, text)
    store = open_store(path)
    rows = store.query_all(query)
    answer = timed(lambda: store.query_all(query), rounds=arguments["rounds"])
    store.close()
    return answer | {"calls": sum(row[3] for row in rows), "groups": len(rows)}


def count(path: str, _arguments: dict[str, Any]) -> Answer:
    """Count the messages on record."""
    store = open_store(path)
    text = "SELECT count(*) FROM messages"
    row = store.query_one(Query("count", text, text)) or (0,)
    store.close()
    return {"messages": row[0]}


def _session(uid: str, messages: list[dict[str, Any]], number: int) -> Session:
    start_us = _START_US + number * 1_000_000_000
    return Session(
        uid=uid,
        source="bench",
        messages=[
            Message(
                role=message["role"],
                content=message["content"],
                at_us=start_us + place * 1_000_000,
                native_id=f"{uid}-{place}",
                calls=[
                    ToolCall(
                        call["id"],
                        call["function"]["name"],
                        call["function"]["arguments"],
                    )
                    for call in message.get("tool_calls", ())
                ],
                call_id=message.get("tool_call_id"),
            )
            for place, message in enumerate(messages)
        ],
    )


if __name__ == "__main__":
    run_tasks(
        judging=judging,
        build=build,
        recent=recent,
        search=search,
        mine=mine,
        count=count,
    )
