"""A process that writes sessions and says what it was told is durable."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from oldhand.clock import Clock, system_clock
from oldhand.sessions.model import Evidence, Message, Session, ToolCall
from oldhand.sessions.record import SessionWriter
from oldhand.store import Query, Store, open_database

_MESSAGES = 6
_COUNTS = Query(
    "counts",
    """SELECT uid, message_count, (SELECT count(*) FROM messages m
    WHERE m.id >= s.id << 22 AND m.id < s.id + 1 << 22) FROM sessions s""",
    "",
)
_CHECK = Query("check", "PRAGMA integrity_check", "")


def session_of(uid: str, messages: int) -> Session:
    """Return a session that grows by a message: asked, called, answered, and so on."""
    made = Session(uid=uid, source="test")
    for number in range(messages):
        call_id = f"call {number // 3}"
        made.messages.append(
            (
                Message(role="user", content=f"{number} " + "list the files " * 20),
                Message(
                    role="assistant",
                    calls=[ToolCall(call_id, "Bash", '{"command":"ls -l"}')],
                ),
                Message(
                    role="tool",
                    call_id=call_id,
                    content="README.md\n" * 50,
                    evidence=Evidence(is_error=False),
                ),
            )[number % 3]
        )
    return made


def append_each(
    store: Store, uid: str, *, clock: Clock = system_clock
) -> Iterator[str]:
    """Write a session message by message; yield what is durable: `uid messages`."""
    writer = SessionWriter(store, clock=clock)
    for messages in range(1, _MESSAGES + 1):
        with store.transaction():
            writer.write(session_of(uid, messages))
        yield f"{uid} {messages}"


def write_until_killed(path: str, said: str, name: str) -> None:
    """Write sessions for ever, a line in the file `said` for each durable message."""
    write_sessions(open_database(path), said, (f"{name} {n:06}" for n in count()))


def write_sessions(store: Store, said: str, uids: Iterator[str]) -> None:
    """Write sessions of these uids, a line in the file `said` for each message."""
    with Path(said).open("a", buffering=1) as acknowledged:
        for uid in uids:
            for line in append_each(store, uid):
                acknowledged.write(line + "\n")


def lost(path: str, said: Path) -> list[str]:
    """Return what was acknowledged and is not there; the database must be whole."""
    store = open_database(path)
    rows = store.query_all(_COUNTS)
    assert store.query_all(_CHECK) == [("ok",)]
    store.close()
    assert all(counted == held for _, counted, held in rows)
    kept = {uid: held for uid, _, held in rows}
    lines = [line.rsplit(" ", 1) for line in said.read_text().splitlines()]
    return [f"{uid} {n}" for uid, n in lines if kept.get(uid, 0) < int(n)]
